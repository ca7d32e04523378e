import type { ChildProcess } from 'node:child_process';
import type { Explanation } from '../../base/errors.ts';
import { startChild } from '../../base/program.ts';
import { deskError } from '../../words/errors/desk.ts';
import { explained } from '../../words/index.ts';
import { Refusal } from '../refusal.ts';
import type { ChildSyncRequest, SyncEnd, SyncMessage, SyncProgress } from './sync-child.ts';

export interface DeskSync {
  readonly id: number;
  readonly status: 'running' | SyncEnd;
  readonly progress: SyncProgress;
  /** What the sync brought, or why it stopped. */
  readonly says: Explanation;
}

/** How long the process of a cancelled sync may take to end, when the desk is closed. */
const PATIENCE_MS = 5_000;
/** The most syncs whose pages still work. */
const MOST_REMEMBERED = 100;

/** Starts a service that a sync needs, such as the demo's delivery company. @returns what to close after the sync */
export type BeforeSync = () => Promise<{ close(): Promise<void> } | null>;

export class Syncs {
  readonly #before: BeforeSync;
  readonly #remembered = new Map<number, DeskSync>();
  #running: { readonly id: number; readonly child: ChildProcess } | null = null;
  #lastId = 0;

  constructor(before: BeforeSync) {
    this.#before = before;
  }

  /** @throws Refusal 409 while one runs */
  start(request: ChildSyncRequest): DeskSync {
    if (this.#running) throw new Refusal(409, 'busy', deskError({ id: 'sync-runs' }), { id: this.#running.id });
    this.#lastId += 1;
    const id = this.#lastId;
    const progress = { months: 0, invoices: 0, orders: 0, faults: 0 };
    // A sentence of the desk; the error of the same id, above, refuses a second sync.
    const begun: DeskSync = { id, status: 'running', progress, says: explained({ id: 'sync-runs' }) };
    this.#remembered.set(id, begun);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED) this.#remembered.delete(oldest!);
    const env = { ...request.sources.env } as NodeJS.ProcessEnv;
    const child = startChild('sync-child', [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#running = { id, child };
    child.on('message', ({ progress, end }: SyncMessage) => {
      this.#remembered.set(id, { ...begun, progress, ...end });
      if (end) this.#running = null;
    });
    // Without its service the sync starts all the same: its failure says what is wrong.
    const service = this.#before().catch(() => null);
    const onGone = () => {
      this.#noteGone(id);
      void service.then((running) => running?.close());
    };
    child.on('error', onGone);
    child.on('exit', onGone);
    void service.then(() => child.connected && child.send(request));
    return begun;
  }

  /** @throws Refusal 404 for a sync that is not remembered */
  get(id: number): DeskSync {
    const sync = this.#remembered.get(id);
    if (!sync) throw new Refusal(404, 'usage', deskError({ id: 'no-sync', sync: id }));
    return sync;
  }

  /** Ends a sync after the document that is being fetched. What it fetched is kept. */
  cancel(id: number): DeskSync {
    if (this.#running?.id === id) this.#running.child.send('cancel');
    return this.get(id);
  }

  /** Cancels the sync that runs, and kills a process that does not end soon. */
  async close(): Promise<void> {
    const child = this.#running?.child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.send('cancel');
    const timer = setTimeout(() => child.kill(), PATIENCE_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Notes that a sync's process is gone. Without a last message it was killed, or never began: the sync has failed. */
  #noteGone(id: number): void {
    if (this.#running?.id === id) this.#running = null;
    const sync = this.#remembered.get(id);
    if (sync?.status !== 'running') return;
    this.#remembered.set(id, { ...sync, status: 'failed', says: deskError({ id: 'unexpected' }) });
  }
}
