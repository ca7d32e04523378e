import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import { busyError, describeHolder, type LedgerLock } from '../dialect.ts';
import { connect, quotedName } from './client.ts';
import { requireKnown } from './engine.ts';
import { CLIENTS, type LockPurpose, type LockWanted, lockLostError } from './lock.ts';
import { makeSchema } from './schema.ts';

const POLL_MS = 250;
/** How long a lease lasts unless it is renewed. */
const LEASE_SECONDS = 30;
/** Well within that time, so that one renewal may be lost or late. */
const RENEW_MS = 10_000;

/**
 * The lock for engines whose advisory locks do nothing: a row that says who holds the ledger and until when. It is
 * renewed while its holder lives, and free half a minute after the holder died. Each lease has a number, the fence.
 * Whoever takes the lease, or one that excludes it, raises its fence, and every transaction of the holder checks it: a
 * holder that froze, lost its lease and wakes up cannot write.
 *
 * @throws LedgerBusyError while another process holds it longer than `waitMs`
 */
export async function takeLease(place: ServerPlace, purpose: LockPurpose, { work, waitMs, held, courier }: LockWanted) {
  const borrowed = held && CLIENTS.get(held);
  const client = borrowed ?? (await connect(place));
  const holder = `${describeHolder(work)} ${hostname()} ${process.pid} ${randomUUID()}`;
  const leaseName = courier === undefined ? purpose : `${purpose}/${courier}`;
  let fence: number;
  try {
    await requireKnown(client, place);
    await makeTable(client, place);
    fence = await waitForLease(client, place, { purpose, leaseName, holder, waitMs });
  } catch (error) {
    if (!borrowed) await client.end().catch(() => {});
    throw error;
  }
  const table = tableOf(place);
  const whereHeld = `purpose = '${leaseName}' and fence = ${fence}`;
  const renewal = setInterval(() => {
    // It may wait for the end of a transaction of this holder. The row is locked first, so that the clock is read then.
    client
      .query(
        `update ${table} set until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
          from (select purpose as held from ${table} where ${whereHeld} for update) as locked where purpose = held`,
      )
      .catch(() => {});
  }, RENEW_MS);
  renewal.unref();
  const lock: LedgerLock = {
    async confirm(run) {
      // Locked until the transaction ends. Whoever takes this lease, or one that excludes it, changes this row, and so
      // cannot in the middle of the transaction.
      const [row] = await run(`select fence from ${table} where ${whereHeld} for share`);
      if (!row) throw lockLostError(place);
    },
    async release() {
      clearInterval(renewal);
      await client.query(`update ${table} set until = now() - interval '1 second' where ${whereHeld}`).catch(() => {});
      if (!borrowed) await client.end().catch(() => {});
    },
  };
  CLIENTS.set(lock, client);
  return lock;
}

/** Takes the lease, whose row is added first if it is missing, as that of a lease that is over. @returns the fence */
async function waitForLease(
  client: Client,
  place: ServerPlace,
  { waitMs, ...wanted }: WantedLease & { readonly waitMs: number },
): Promise<number> {
  const table = tableOf(place);
  await client.query(
    `insert into ${table} (purpose, holder, fence, until)
      select unnest($1::text[]), '', 0, now() - interval '1 second' on conflict (purpose) do nothing`,
    [[...new Set([wanted.purpose, wanted.leaseName])]],
  );
  for (const until = Date.now() + waitMs; ; ) {
    const fence = await tryLease(client, table, wanted);
    if (fence !== null) return fence;
    if (Date.now() >= until) throw busyError(describePlace(place), await readHolder(client, table, wanted));
    await sleep(POLL_MS);
  }
}

function tableOf({ schema }: ServerPlace): string {
  return `${quotedName(schema)}.remit_lease`;
}

/** Makes the table of leases, whose column `purpose` has a lease's name. */
async function makeTable(client: Client, place: ServerPlace): Promise<void> {
  const table = tableOf(place);
  const { rows } = await client.query('select to_regclass($1) as there', [table]);
  if (rows[0].there === null) {
    await makeSchema(client, place);
    await client.query(
      `create table if not exists ${table}
        (purpose text primary key, holder text not null, fence bigint not null, until timestamptz not null)`,
    );
  }
}

/** The lease to take: for the whole ledger its name is the purpose (`work`), for a courier `work/swift`. */
interface WantedLease {
  readonly purpose: LockPurpose;
  readonly leaseName: string;
  readonly holder: string;
}

/**
 * The condition of the leases that exclude the wanted one ($1: its purpose, $2: its name). For `work/swift` these are
 * that lease and `work`; for `work` they are that lease and each courier's, such as `work/swift`.
 */
const EXCLUDING = `(purpose in ($1, $2) or ($1 = $2 and purpose like $1 || '/%'))`;
const HELD = `${EXCLUDING} and until >= now()`;

/** How long to wait for a row that another process has locked: to take a lease, or for a transaction of its holder. */
const ROW_WAIT = '2s';
const LOCK_NOT_AVAILABLE = '55P03';

/** @returns the fence; null while another process holds the lease */
async function tryLease(client: Client, table: string, wanted: WantedLease): Promise<number | null> {
  const { purpose, leaseName, holder } = wanted;
  // If it is held, its row may be locked by a long transaction of the holder, which the next statement would wait for.
  if ((await readHolder(client, table, wanted)) !== null) return null;
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '${ROW_WAIT}'`);
    // This row lock lets processes that want a lease of this purpose pass one at a time.
    await client.query(`select 1 as held from ${table} where purpose = $1 for update`, [purpose]);
    // `now()` is the beginning of the transaction in both statements. So each excluding lease is either over, and its
    // fence is raised, or held, and the wanted one is not taken.
    const raising = `update ${table} set fence = fence + 1 where ${EXCLUDING} and until < now()`;
    await client.query(raising, [purpose, leaseName]);
    const { rows } = await client.query(
      `update ${table} set holder = $3, until = now() + interval '${LEASE_SECONDS} seconds'
        where purpose = $2 and not exists (select 1 from ${table} where ${HELD}) returning fence`,
      [purpose, leaseName, holder],
    );
    // Nobody loses a lease to a process that gets none.
    await client.query(rows.length > 0 ? 'commit' : 'rollback');
    return rows[0]?.fence ?? null;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}

async function readHolder(client: Client, table: string, { purpose, leaseName }: WantedLease): Promise<string | null> {
  const query = `select holder from ${table} where ${HELD} order by until desc limit 1`;
  const { rows } = await client.query(query, [purpose, leaseName]);
  return rows[0]?.holder ?? null;
}
