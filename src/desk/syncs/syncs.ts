import type { ChildProcess } from 'node:child_process';
import type { Explanation } from '../../base/errors.ts';
import { startChild } from '../../base/program.ts';
import { because } from '../../words/errors/desk.ts';
import { explained } from '../../words/index.ts';
import { Refusal } from '../refusal.ts';
import type { SyncAsked, SyncEnd, SyncProgress, SyncTold } from './sync-child.ts';

/** A sync that was asked for at the desk. */
export interface DeskSync {
  readonly id: number;
  readonly status: 'running' | SyncEnd;
  readonly progress: SyncProgress;
  /** What the sync brought, or why it stopped. */
  readonly says: Explanation;
}

/** How long a sync may take to end with the desk. */
const PATIENCE_MS = 5_000;
/** So many are remembered. */
const MOST = 100;

/** Makes ready what a sync needs. @returns what is ended with it */
export type BeforeSync = () => Promise<{ close(): Promise<void> } | null>;

/** The syncs of a desk, one at a time, each in a process of its own. */
export class Syncs {
  readonly #before: BeforeSync;
  readonly #held = new Map<number, DeskSync>();
  #running: { readonly id: number; readonly child: ChildProcess } | null = null;
  #last = 0;

  constructor(before: BeforeSync) {
    this.#before = before;
  }

  /** @throws Refusal 409 while one runs */
  start(asked: SyncAsked): DeskSync {
    if (this.#running) throw new Refusal(409, 'busy', because({ id: 'sync-runs' }), { id: this.#running.id });
    const id = ++this.#last;
    const progress = { months: 0, invoices: 0, orders: 0, faults: 0 };
    const begun: DeskSync = { id, status: 'running', progress, says: explained({ id: 'sync-runs' }) };
    this.#held.set(id, begun);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MOST) this.#held.delete(oldest!);
    const env = { ...asked.sources.env } as NodeJS.ProcessEnv;
    const child = startChild('sync-child', [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#running = { id, child };
    child.on('message', ({ progress, end }: SyncTold) => {
      this.#held.set(id, { ...begun, progress, ...end });
      if (end) this.#running = null;
    });
    const service = this.#before().catch(() => null);
    const end = () => {
      this.#end(id);
      void service.then((held) => held?.close());
    };
    child.on('error', end);
    child.on('exit', end);
    void service.then(() => child.connected && child.send(asked));
    return begun;
  }

  /** @throws Refusal 404 for one that is not remembered */
  get(id: number): DeskSync {
    const held = this.#held.get(id);
    if (!held) throw new Refusal(404, 'usage', because({ id: 'no-sync', sync: id }));
    return held;
  }

  /** The one that runs; null where none does. */
  get running(): DeskSync | null {
    return this.#running && this.get(this.#running.id);
  }

  /** Ends it after the document in flight: what was brought is kept. */
  cancel(id: number): DeskSync {
    if (this.#running?.id === id) this.#running.child.send('cancel');
    return this.get(id);
  }

  /** Ends what runs as a cancel does, so that its run ends too; what does not end soon is killed. */
  async close(): Promise<void> {
    const child = this.#running?.child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.send('cancel');
    const timer = setTimeout(() => child.kill(), PATIENCE_MS);
    await ended;
    clearTimeout(timer);
  }

  #end(id: number): void {
    if (this.#running?.id === id) this.#running = null;
    const held = this.#held.get(id);
    // The child was killed, or never began.
    if (held?.status === 'running')
      this.#held.set(id, { ...held, status: 'failed', says: because({ id: 'unexpected' }) });
  }
}
