import { setTimeout as sleep } from 'node:timers/promises';
import type { JobHelpers } from 'graphile-worker';
import type { Pool } from 'pg';
import { InstallationError } from '../../base/errors.ts';
import { isProcessAlive, MACHINE } from '../../base/files/temporary.ts';
import type { Nights } from './nights.ts';

export interface NightJob {
  readonly run: number;
  readonly merchant: string;
  /** From 1. */
  readonly attempt: number;
}

/** @throws NotGoodError where the night is to be tried again later */
export type WorkNight = (job: NightJob) => Promise<void>;

/** The night is to be tried again. */
export class NotGoodError extends Error {}

export interface QueueRequest {
  readonly run: number;
  readonly merchants: readonly string[];
  /** How many nights this worker has at a time. */
  readonly jobs: number;
  /** How often a night is tried in all. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly work: WorkNight;
  /** A worker ended without a word while it had a night: it is tried again, where it may. */
  readonly lost: (job: NightJob) => Promise<void>;
  readonly note: (sentence: string) => void;
}

const TASK = 'remit-night';
/** A worker that has not said for so long that it lives, with the database there all the while, does not. */
const GONE_AFTER_MS = 40_000;
/** The same of one whose process is not on this machine, where it was. */
const MISSING_AFTER_MS = 11_000;
const BEAT_MS = 5_000;
const LOOK_MS = 500;

/** @throws InstallationError where graphile-worker is not installed */
async function loadGraphile(): Promise<typeof import('graphile-worker')> {
  try {
    return await import('graphile-worker');
  } catch (error) {
    throw new InstallationError(
      'the nights of a fleet with a `database` need graphile-worker, which is not installed',
      'Install it where remit is, such as `npm install --global graphile-worker@0.16`; or leave `database` out of fleet.toml: one machine then runs the nights.',
      { cause: error },
    );
  }
}

/**
 * Works off the nights of a run, together with every other worker of the same database, and returns when none is left: each merchant's
 * is done, or was tried as often as it may.
 *
 * The database may go away in between: nights that run go on, what they said is kept once it is back, and so is that they are done.
 */
export async function workQueue(nights: Nights, request: QueueRequest): Promise<void> {
  const graphile = await loadGraphile();
  const pool = nights.pool!;
  const { jobs, signal, note } = request;
  const me = `remit-${MACHINE}-${process.pid}-${Date.now().toString(36)}`;
  const nothing = () => {};
  const logger = new graphile.Logger(() => nothing);
  const shared = { pgPool: pool, logger, noHandleSignals: true, concurrency: 1 } as const;
  await withDatabase(signal, note, () => planNights(pool, graphile, shared, request));

  const alive = new Survivors(nights, me, request);
  let isOver = false;
  const beating = (async () => {
    while (!isOver) {
      await alive.look().catch(() => alive.lostSight());
      for (let waited = 0; waited < BEAT_MS && !isOver; waited += LOOK_MS) await sleep(LOOK_MS);
    }
  })();
  const slot = async (number: number) => {
    const workerId = `${me}/${number}`;
    const taskList = {
      [TASK]: async (payload: unknown, { job }: JobHelpers) => {
        const { merchant, run } = payload as NightJob;
        await request.work({ merchant, run, attempt: job.attempts });
      },
    };
    while (!signal.aborted && !isOver) {
      // One that ended while the database was away has left its job locked.
      await withDatabase(signal, note, () =>
        pool.query('select graphile_worker.force_unlock_workers($1)', [[workerId]]),
      );
      if (signal.aborted) return;
      await graphile
        .runOnce({ ...shared, taskList, workerId } as Parameters<typeof graphile.runOnce>[0])
        .catch(nothing);
      await sleep(LOOK_MS);
      const left = await pool.query(LEFT, [TASK]).catch(() => null);
      if (left?.rows.length === 0) isOver = true;
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, (_, at) => slot(at)));
  } finally {
    isOver = true;
    await beating;
    await nights.forget(me).catch(nothing);
  }
}

const LEFT = `select 1 from graphile_worker.jobs
  where task_identifier = $1 and (attempts < max_attempts or locked_at is not null) limit 1`;

/** One night for each merchant, unless the run has it already. Jobs of one queue run one after the other: no merchant has two nights at once. */
async function planNights(
  pool: Pool,
  graphile: typeof import('graphile-worker'),
  shared: { readonly pgPool: Pool; readonly logger: InstanceType<typeof import('graphile-worker')['Logger']> },
  { run, merchants, attempts }: QueueRequest,
): Promise<void> {
  const client = await pool.connect();
  try {
    // One worker after the other: two would make the tables, or plan a run, at once.
    await client.query('select pg_advisory_lock(7236482)');
    await graphile.runMigrations(shared);
    await client.query('create table if not exists fleet.planned (run integer primary key)');
    const { rowCount } = await client.query('select 1 from fleet.planned where run = $1', [run]);
    if (rowCount) return;
    await client.query('begin');
    for (const merchant of merchants) {
      await client.query(
        `select graphile_worker.add_job($1, payload := $2, queue_name := $3, max_attempts := $4, job_key := $5, job_key_mode := 'replace')`,
        [TASK, JSON.stringify({ merchant, run }), `night:${merchant}`, attempts, `night:${merchant}`],
      );
    }
    await client.query('insert into fleet.planned values ($1)', [run]);
    await client.query('commit');
  } finally {
    // Closing the connection frees the lock and undoes what was begun.
    client.release(true);
  }
}

/** Does something again and again until the database is there. */
async function withDatabase(
  signal: AbortSignal,
  note: (sentence: string) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let wait = LOOK_MS, isFirst = true; !signal.aborted; wait = Math.min(wait * 2, 5_000), isFirst = false) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (isFirst) note(`the fleet's database is away (${(error as Error).message}): the nights go on when it is back`);
      await sleep(wait);
    }
  }
}

/** Whether the server, or the way to it, failed: refused, reset, shut down, starting up. */
export function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return /terminated|ended|timeout|not queryable/i.test(message ?? '');
  return /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|57P|08|53300)/.test(code);
}

/** Says that this worker lives, and takes their jobs from workers that do not: killed, or cut off from the database. */
class Survivors {
  readonly #nights: Nights;
  readonly #me: string;
  readonly #request: QueueRequest;
  /** What each worker last said, and since when it has said nothing else. */
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  #beat = 0;

  constructor(nights: Nights, me: string, request: QueueRequest) {
    this.#nights = nights;
    this.#me = me;
    this.#request = request;
  }

  /** The database was away: what was not said in the meantime proves nothing. */
  lostSight(): void {
    this.#seen.clear();
  }

  async look(): Promise<void> {
    this.#beat += 1;
    await this.#nights.beat({ id: this.#me, machine: MACHINE, pid: process.pid, beat: this.#beat });
    const workers = await this.#nights.workers();
    const { rows } = await this.#nights.pool!.query<{ locked_by: string; key: string; attempts: number }>(
      'select locked_by, key, attempts from graphile_worker.jobs where task_identifier = $1 and locked_by is not null',
      [TASK],
    );
    const owners = new Set([...workers.map(({ id }) => id), ...rows.map((job) => ownerOf(job.locked_by))]);
    owners.delete(this.#me);
    for (const id of owners) {
      const worker = workers.find((one) => one.id === id);
      if (!this.#isGone(id, worker)) continue;
      const lost = rows.filter((job) => ownerOf(job.locked_by) === id);
      for (const { key, attempts } of lost)
        await this.#request.lost({ run: this.#request.run, merchant: key.replace(/^night:/, ''), attempt: attempts });
      const slots = [...new Set(lost.map(({ locked_by }) => locked_by))];
      if (slots.length > 0) await this.#nights.pool!.query('select graphile_worker.force_unlock_workers($1)', [slots]);
      await this.#nights.forget(id);
      this.#seen.delete(id);
    }
  }

  #isGone(
    id: string,
    worker: { readonly machine: string; readonly pid: number; readonly beat: number } | undefined,
  ): boolean {
    // A process is not there, or in another container of the same name.
    const isMissing = worker?.machine === MACHINE && !isProcessAlive(worker.pid);
    const beat = worker?.beat ?? -1;
    const seen = this.#seen.get(id);
    if (seen?.beat !== beat) this.#seen.set(id, { beat, since: performance.now() });
    return seen?.beat === beat && performance.now() - seen.since > (isMissing ? MISSING_AFTER_MS : GONE_AFTER_MS);
  }
}

function ownerOf(lockedBy: string): string {
  return lockedBy.replace(/\/\d+$/, '');
}
