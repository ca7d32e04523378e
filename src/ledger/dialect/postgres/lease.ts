import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import type { LedgerLock } from '../dialect.ts';
import { busy, describeHolder, type Work } from '../lock-holder.ts';
import { connect, quoted } from './client.ts';
import { requireKnown } from './engine.ts';
import { CLIENTS, type LockPurpose, lost } from './lock.ts';
import { makeSchema } from './schema.ts';

const POLL_MS = 250;
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;

/**
 * The lock for engines whose advisory locks do nothing: a row that says who holds the ledger and until when. It is renewed while its
 * holder lives, and free half a minute after the holder died. Each lease has a number, the fence, which every transaction of the holder
 * checks: a holder that was taken for dead and wakes up cannot write.
 *
 * @param held a lock of this process whose connection serves for this one too
 * @throws LedgerBusyError while another process holds it longer than `waitMs`
 */
export async function takeLease(
  place: ServerPlace,
  purpose: LockPurpose,
  work: Work,
  waitMs: number,
  held: LedgerLock | null,
): Promise<LedgerLock> {
  const borrowed = held && CLIENTS.get(held);
  const client = borrowed ?? (await connect(place));
  const holder = `${describeHolder(work)} ${hostname()} ${process.pid} ${randomUUID()}`;
  let fence: number;
  try {
    await requireKnown(client, place);
    const table = await makeTable(client, place);
    await client.query(
      `insert into ${table} (purpose, holder, fence, until) values ($1, '', 0, now() - interval '1 second')
        on conflict (purpose) do nothing`,
      [purpose],
    );
    const until = Date.now() + waitMs;
    for (;;) {
      const taken = await take(client, table, purpose, holder);
      if (taken !== null) {
        fence = taken;
        break;
      }
      if (Date.now() >= until) throw busy(describePlace(place), await holderOf(client, table, purpose));
      await sleep(POLL_MS);
    }
  } catch (error) {
    if (!borrowed) await client.end().catch(() => {});
    throw error;
  }
  const table = tableOf(place);
  const mine = `purpose = '${purpose}' and fence = ${fence}`;
  const renewal = setInterval(() => {
    client
      .query(`update ${table} set until = now() + interval '${LEASE_SECONDS} seconds' where ${mine}`)
      .catch(() => {});
  }, RENEW_MS);
  renewal.unref();
  const lock: LedgerLock = {
    async confirm(run) {
      // Locked until the transaction ends: nobody can take the lease over in the middle of it.
      const [row] = await run(`select fence from ${table} where ${mine} for share`);
      if (!row) throw lost(place);
    },
    async release() {
      clearInterval(renewal);
      await client.query(`update ${table} set until = now() - interval '1 second' where ${mine}`).catch(() => {});
      if (!borrowed) await client.end().catch(() => {});
    },
  };
  CLIENTS.set(lock, client);
  return lock;
}

function tableOf({ schema }: ServerPlace): string {
  return `${quoted(schema)}.remit_lease`;
}

async function makeTable(client: Client, place: ServerPlace): Promise<string> {
  const table = tableOf(place);
  const { rows } = await client.query('select to_regclass($1) as there', [table]);
  if (rows[0].there === null) {
    await makeSchema(client, place);
    await client.query(
      `create table if not exists ${table}
        (purpose text primary key, holder text not null, fence bigint not null, until timestamptz not null)`,
    );
  }
  return table;
}

/** @returns the fence; null while somebody else holds it */
async function take(client: Client, table: string, purpose: string, holder: string): Promise<number | null> {
  const { rows } = await client.query(
    `update ${table} set holder = $2, fence = fence + 1, until = now() + interval '${LEASE_SECONDS} seconds'
      where purpose = $1 and until < now() returning fence`,
    [purpose, holder],
  );
  return rows[0]?.fence ?? null;
}

async function holderOf(client: Client, table: string, purpose: string): Promise<string | null> {
  const { rows } = await client.query(`select holder from ${table} where purpose = $1`, [purpose]);
  return rows[0]?.holder ?? null;
}
