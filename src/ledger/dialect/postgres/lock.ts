import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { LedgerError } from '../../../base/errors.ts';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import { because } from '../../../words/errors/ledger.ts';
import type { LedgerLock } from '../dialect.ts';
import { busy, describeHolder, type Work } from '../lock-holder.ts';
import { connect } from './client.ts';
import { requireKnown } from './engine.ts';

const POLL_MS = 100;

/** What a lock keeps apart: writers at work, or migrations. */
export type LockPurpose = 'work' | 'migration';

/** How a lock is taken. */
export interface LockWanted {
  readonly work: Work;
  readonly waitMs: number;
  /** A lock of this process whose connection serves for this one too. */
  readonly held: LedgerLock | null;
  /** The key of the one courier that the work is of: others' work goes on, that of the whole ledger does not. */
  readonly courier?: string | undefined;
}

/** Advisory locks are numbers that a whole database shares: ours are hashes of the schema's name, and of the courier. */
function keyOf({ schema }: ServerPlace, purpose: LockPurpose, courier?: string): string {
  const name = ['remit', purpose, schema, ...(courier === undefined ? [] : [courier])].join(' ');
  return String(createHash('sha256').update(name).digest().readBigInt64BE());
}

/**
 * Takes an advisory lock on a connection of its own: the server frees it when the connection ends, in whatever way the process does.
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
    const take = async (key: string, how: '' | '_shared') => {
      while (!(await tryLock(client, key, how))) {
        if (Date.now() >= until) throw busy(describePlace(place), await holderOf(client, key));
        await sleep(POLL_MS);
      }
    };
    await take(keyOf(place, purpose), courier === undefined ? '' : '_shared');
    if (courier !== undefined) await take(keyOf(place, purpose, courier), '');
    // The name of a session is what every other may read of it.
    if (!borrowed) await client.query(`set application_name = 'remit ${describeHolder(work)}'`);
  } catch (error) {
    if (!borrowed) await client.end().catch(() => {});
    throw error;
  }
  const lock: LedgerLock = {
    async confirm() {
      if (isLost) throw lost(place);
    },
    async release() {
      if (borrowed) await client.query(`select pg_advisory_unlock(${keyOf(place, purpose)})`).catch(() => {});
      else await client.end().catch(() => {});
    },
  };
  CLIENTS.set(lock, client);
  return lock;
}

/** The connections of locks that are held. */
export const CLIENTS = new WeakMap<LedgerLock, Client>();

async function tryLock(client: Client, key: string, how: '' | '_shared'): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock${how}(${key}) as taken`);
  return rows[0].taken === 1;
}

/** Lets the server notice within a minute, instead of two hours, that this machine was switched off. */
async function hurryDetection(client: Client): Promise<void> {
  await client
    .query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
    .catch(() => {});
}

/** What the session that holds a lock says of itself; null where it cannot be had. */
async function holderOf(client: Client, key: string): Promise<string | null> {
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

export function lost(place: ServerPlace): LedgerError {
  return new LedgerError(because({ id: 'lock-lost', ledger: describePlace(place) }));
}
