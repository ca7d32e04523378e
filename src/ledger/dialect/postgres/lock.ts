import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { LedgerBusyError, LedgerError } from '../../../errors.ts';
import { describePlace, type ServerPlace } from '../../../place.ts';
import type { LedgerLock } from '../dialect.ts';
import { connect } from './client.ts';
import { requireKnown } from './engine.ts';

const POLL_MS = 100;

/** What a lock keeps apart: writers at work, or migrations. */
export type LockPurpose = 'work' | 'migration';

/** Advisory locks are numbers that a whole database shares: ours are made of the schema's name. */
function keyOf({ schema }: ServerPlace, purpose: LockPurpose): string {
  return String(createHash('sha256').update(`remit ${purpose} ${schema}`).digest().readBigInt64BE());
}

/**
 * Takes an advisory lock on a connection of its own: the server frees it when the connection ends, in whatever way the process does.
 *
 * @throws LedgerBusyError while another process holds it longer than `waitMs`
 */
export async function takeAdvisoryLock(place: ServerPlace, purpose: LockPurpose, waitMs: number): Promise<LedgerLock> {
  const client = await connect(place);
  let isLost = false;
  for (const event of ['error', 'end'] as const) {
    client.on(event, () => {
      isLost = true;
    });
  }
  try {
    await requireKnown(client, place);
    await hurryDetection(client);
    const until = Date.now() + waitMs;
    while (!(await tryLock(client, keyOf(place, purpose)))) {
      if (Date.now() >= until) throw busy(place);
      await sleep(POLL_MS);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    async confirm() {
      if (isLost) throw lost(place);
    },
    async release() {
      await client.end().catch(() => {});
    },
  };
}

async function tryLock(client: Client, key: string): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as taken`);
  return rows[0].taken === 1;
}

/** A machine that is switched off says no goodbye: the server finds out in a minute instead of two hours. */
async function hurryDetection(client: Client): Promise<void> {
  await client
    .query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
    .catch(() => {});
}

export function busy(place: ServerPlace): LedgerBusyError {
  return new LedgerBusyError(
    `another sync is at work on ${describePlace(place)}`,
    'Wait until it has finished, or stop it; what it has fetched so far is kept.',
  );
}

export function lost(place: ServerPlace): LedgerError {
  return new LedgerError(
    `the lock on ${describePlace(place)} was lost: the connection that held it ended, or another process took it over`,
    'Run the command again; what was done is kept.',
  );
}
