import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../base/errors.ts';
import { openDatabase } from '../base/sqlite.ts';
import { defaultMonths } from '../sandbox/calendar.ts';
import { startSandbox as startService } from '../sandbox/index.ts';
import { createOperatorKey } from '../sandbox/store/merchants.ts';
import { openStore } from '../sandbox/store/open.ts';
import { seedWorld } from '../sandbox/world/seed.ts';

export interface StartOptions {
  /** 0, the default, chooses a free port. */
  readonly port?: number | undefined;
  /** Equal seeds make equal worlds on the same day of the clock; the default is `1`. */
  readonly seed?: string | number | undefined;
  /** The service's time; the machine's unless given. */
  readonly clock?: (() => Date) | undefined;
  /** How many orders the first merchant has; 60 unless given. */
  readonly orders?: number | undefined;
}

/** A state of the service, for `reset`. */
export type Snapshot = symbol;

export interface Sandbox {
  /** The base URL of the merchant's API; ends in `/v1/external/`. */
  readonly url: string;
  /** The first merchant's API key. */
  readonly key: string;
  /** The base URL of the operator's API, which does what the delivery company does; ends in `/v1/operator/`. */
  readonly operatorUrl: string;
  /** For the header X-Operator-Key. */
  readonly operatorKey: string;
  /** Goes back to the seed, or to a snapshot. The keys stay as they are. */
  reset(snapshot?: Snapshot): Promise<void>;
  /** Keeps the state as it is now. */
  snapshot(): Promise<Snapshot>;
  close(): Promise<void>;
}

/**
 * The delivery company's service, for tests of programs that call it: only on this machine, with a file that `close`
 * removes.
 *
 * @throws UsageError when the port is not available, or `orders` is no number of orders
 */
export async function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
  const { port = 0, seed = '1', clock = () => new Date(), orders = 60 } = options;
  if (!Number.isSafeInteger(orders) || orders < 0) {
    throw new UsageError(
      `the sandbox cannot have ${orders} orders`,
      'Give orders a whole number that is not negative.',
    );
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-sandbox-'));
  const file = path.join(folder, 'service.db');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const states = new Map<Snapshot, string>();
  let isClosed = false;
  const requireOpen = () => {
    if (isClosed) throw new UsageError('this sandbox was closed', 'Start another with startSandbox.');
  };
  try {
    const store = openStore(file);
    const asOf = clock();
    // The documents agree: no fault is planted in them.
    const world = { months: defaultMonths(asOf), orders, seed: String(seed), asOf, plant: false };
    const { merchants } = seedWorld(store, world);
    const operatorKey = createOperatorKey(store, asOf);
    store.close();
    const service = await startService({ file, port, host: '127.0.0.1', operatorPort: 0, results: 'flat', now: clock });
    const snapshot = async (): Promise<Snapshot> => {
      requireOpen();
      const state = Symbol('snapshot of the sandbox');
      const copy = path.join(folder, `${states.size}.db`);
      // Before the copy is made: another snapshot may begin meanwhile, and needs a name of its own.
      states.set(state, copy);
      const db = openDatabase(file);
      try {
        await db.backup(copy);
      } finally {
        db.close();
      }
      return state;
    };
    const seeded = await snapshot();
    return {
      url: service.url,
      key: merchants[0]!.key,
      operatorUrl: service.operatorUrl!,
      operatorKey,
      snapshot,
      reset: async (state = seeded) => {
        requireOpen();
        restore(file, states.get(state));
      },
      close: async () => {
        isClosed = true;
        await service.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Replaces the rows of a file that is being served by those of a copy, in one transaction. */
function restore(file: string, copy: string | undefined): void {
  if (copy === undefined) throw new UsageError('this is no snapshot of this sandbox', 'Give what its snapshot() gave.');
  const db = openDatabase(file);
  try {
    db.pragma('foreign_keys = OFF');
    db.prepare<[string], never>('attach ? as kept').run(copy);
    const tables = db
      .prepare<[], string>("select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_stat%'")
      .pluck()
      .all();
    // Without triggers, so that no webhook tells of a row that is only put back.
    const triggers = db
      .prepare<[], { name: string; sql: string }>("select name, sql from main.sqlite_schema where type = 'trigger'")
      .all();
    db.transaction(() => {
      for (const { name } of triggers) db.exec(`drop trigger main."${name}"`);
      for (const table of tables) {
        db.exec(`delete from main."${table}"; insert into main."${table}" select * from kept."${table}"`);
      }
      for (const { sql } of triggers) db.exec(sql);
    }).immediate();
  } finally {
    db.close();
  }
}
