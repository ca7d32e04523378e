import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { LedgerError } from '../../../base/errors.ts';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import { ledgerError, type Work } from '../../../words/errors/ledger.ts';
import { busyError, describeHolder, type LedgerLock } from '../dialect.ts';
import { connect } from './client.ts';
import { requireKnown } from './engine.ts';

const POLL_MS = 100;

/** A lock keeps either syncs, imports and closes apart, or migrations. */
export type LockPurpose = 'work' | 'migration';

export interface LockWanted {
  /** The work to name to others who find the lock taken. */
  readonly work: Work;
  readonly waitMs: number;
  /** A lock that this process holds already: the new one is taken on the same connection. */
  readonly held: LedgerLock | null;
  /** The key of the courier that the work is for: work for other couriers may go on, work for the whole ledger not. */
  readonly courier?: string | undefined;
}

/** The number of an advisory lock: a hash, because all programs of a database share these numbers. */
function keyOf({ schema }: ServerPlace, purpose: LockPurpose, courier?: string): string {
  const name = ['remit', purpose, schema, ...(courier === undefined ? [] : [courier])].join(' ');
  return String(createHash('sha256').update(name).digest().readBigInt64BE());
}

/**
 * Takes an advisory lock on a connection of its own: the server frees it when the connection ends, however the process
 * ends.
 *
 * @throws LedgerBusyError while another process holds it longer than `waitMs`
 */
export async function takeAdvisoryLock(
  place: ServerPlace,
  purpose: LockPurpose,
  { work, waitMs, held, courier }: LockWanted,
): Promise<LedgerLock> {
  const borrowed = held && CLIENTS.get(held);
  const client = borrowed ?? (await connect(place));
  // A borrowed connection stays open: the lock `held` lives by it.
  const endConnection = async () => {
    if (!borrowed) await client.end().catch(() => {});
  };
  let isLost = false;
  for (const event of ['error', 'end'] as const) {
    client.on(event, () => {
      isLost = true;
    });
  }
  try {
    if (!borrowed) {
      await requireKnown(client, place);
      await hurryDetection(client);
    }
    const until = Date.now() + waitMs;
    const take = async (key: string, mode: LockMode) => {
      while (!(await tryLock(client, key, mode))) {
        if (Date.now() >= until) throw busyError(describePlace(place), await readHolder(client, key));
        await sleep(POLL_MS);
      }
    };
    // Work for the whole ledger holds its lock alone. Work for a courier shares it, and holds the courier's lock alone.
    await take(keyOf(place, purpose), courier === undefined ? 'alone' : 'shared');
    if (courier !== undefined) await take(keyOf(place, purpose, courier), 'alone');
    // The application name is the one thing of a session that every other session can read.
    if (!borrowed) await client.query(`set application_name = 'remit ${describeHolder(work)}'`);
  } catch (error) {
    await endConnection();
    throw error;
  }
  const lock: LedgerLock = {
    async confirm() {
      if (isLost) throw lockLostError(place);
    },
    async release() {
      if (borrowed) await client.query(`select pg_advisory_unlock(${keyOf(place, purpose)})`).catch(() => {});
      await endConnection();
    },
  };
  CLIENTS.set(lock, client);
  return lock;
}

/** The connection of each lock, for a lock that is taken on the same one. */
export const CLIENTS = new WeakMap<LedgerLock, Client>();

type LockMode = 'alone' | 'shared';

async function tryLock(client: Client, key: string, mode: LockMode): Promise<boolean> {
  const lock = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const { rows } = await client.query(`select ${lock}(${key}) as taken`);
  // A boolean comes as 0 or 1: see `typesOf` in client.ts.
  return rows[0].taken === 1;
}

/** Makes the server notice within a minute, instead of two hours, that this machine was switched off. */
async function hurryDetection(client: Client): Promise<void> {
  await client
    .query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
    .catch(() => {});
}

/** The text of the session that holds a lock; null if it cannot be read. The server lists the key in two halves. */
async function readHolder(client: Client, key: string): Promise<string | null> {
  const { rows } = await client
    .query(
      `select a.application_name as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.granted and l.objsubid = 1
          and l.database = (select oid from pg_database where datname = current_database())
          and ((l.classid::bigint << 32) | l.objid::bigint) = ${key} limit 1`,
    )
    .catch(() => ({ rows: [] }));
  return rows[0] === undefined ? null : String(rows[0].name).replace(/^remit /, '');
}

export function lockLostError(place: ServerPlace): LedgerError {
  return new LedgerError(ledgerError({ id: 'lock-lost', ledger: describePlace(place) }));
}
