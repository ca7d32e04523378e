/**
 * The queue from which several machines take the nights of a fleet: graphile-worker's, in the fleet's database. Each
 * machine's process is one worker, and runs `jobs` nights at once. A worker that dies leaves its nights locked, and the
 * others free them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobHelpers } from 'graphile-worker';
import type { Pool } from 'pg';
import { InstallationError, InterruptedError, LedgerAwayError } from '../../base/errors.ts';
import { isProcessAlive, MACHINE } from '../../base/files/temporary.ts';
import type { Nights } from './nights.ts';

/** One attempt at a merchant's night. */
export interface NightJob {
  readonly run: number;
  readonly merchant: string;
  /** From 1. */
  readonly attempt: number;
}

/** Runs a night. The queue tries it again after any error. */
export type WorkNight = (job: NightJob) => Promise<void>;

/** Says that a night is to be tried again. A machine that works without this queue tries again after no other error. */
export class TryAgainError extends Error {}

export interface QueueRequest {
  readonly run: number;
  readonly merchants: readonly string[];
  /** How many nights this worker runs at once. */
  readonly jobs: number;
  /** How often a night is tried at most. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly work: WorkNight;
  /** Called for each night whose worker died; the night is tried again if attempts are left. */
  readonly lost: (job: NightJob) => Promise<void>;
  readonly note: (sentence: string) => void;
}

const TASK = 'remit-night';
const BEAT_MS = 5_000;
const POLL_MS = 500;

/** @throws InstallationError if graphile-worker is not installed */
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
 * Runs the nights of a run, together with the other workers of the same database, and returns when none is left to try.
 *
 * If the database goes away meanwhile, the running nights go on, and their results are stored once it is back.
 *
 * @throws LedgerAwayError if it is away for an hour
 */
export async function workQueue(nights: Nights, request: QueueRequest): Promise<void> {
  const graphile = await loadGraphile();
  const pool = nights.pool!;
  const { jobs, signal, note } = request;
  const workerName = `remit-${MACHINE}-${process.pid}-${Date.now().toString(36)}`;
  const ignore = () => {};
  const logger = new graphile.Logger(() => ignore);
  const options = { pgPool: pool, logger, noHandleSignals: true, concurrency: 1 } as const;
  await untilThere(() => planNights(pool, () => graphile.runMigrations(options), request), { signal, note });

  const watch = new WorkerWatch(nights, workerName, request);
  let isOver = false;
  const beating = (async () => {
    while (!isOver) {
      await watch.beat().catch(() => watch.startOver());
      for (let waited = 0; waited < BEAT_MS && !isOver; waited += POLL_MS) await sleep(POLL_MS);
    }
  })();
  const taskList = {
    [TASK]: async (payload: unknown, { job }: JobHelpers) => {
      const { merchant, run } = payload as NightJob;
      await request.work({ merchant, run, attempt: job.attempts });
    },
  };
  // If the database is away when a night ends, its job stays locked. So there are `jobs` slots, each with an id and one
  // night at a time: a slot unlocks the job that it left locked, and not those of the nights that are still running.
  const runSlot = async (slot: number) => {
    const workerId = `${workerName}/${slot}`;
    const unlockJob = () => pool.query('select graphile_worker.force_unlock_workers($1)', [[workerId]]);
    while (!signal.aborted && !isOver) {
      await untilThere(unlockJob, { signal, note });
      await graphile
        .runOnce({ ...options, taskList, workerId } as Parameters<typeof graphile.runOnce>[0])
        .catch(ignore);
      await sleep(POLL_MS);
      const openJobs = await pool.query(OPEN_JOBS, [TASK]).catch(() => null);
      if (openJobs?.rows.length === 0) isOver = true;
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, (_, slot) => runSlot(slot)));
  } finally {
    isOver = true;
    await beating;
    await nights.forget(workerName).catch(ignore);
  }
}

/** Finds a night that runs, or is to be tried still. */
const OPEN_JOBS = `select 1 from graphile_worker.jobs
  where task_identifier = $1 and (attempts < max_attempts or locked_at is not null) limit 1`;

/** Queues a night for each merchant, once a run. A merchant has a queue of its own, so no two of its nights overlap. */
async function planNights(
  pool: Pool,
  makeTables: () => Promise<void>,
  { run, merchants, attempts }: QueueRequest,
): Promise<void> {
  const client = await pool.connect();
  try {
    // One worker at a time, so that no two make the tables or plan the run.
    await client.query('select pg_advisory_lock(7236482)');
    await makeTables();
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
    // Closing the connection releases the lock and rolls back an open transaction.
    client.release(true);
  }
}

/** Longer than a server takes to come back, and shorter than to the next night, whose workers would wait too. */
const MOST_AWAY_MS = 3_600_000;

interface Waiting {
  readonly signal: AbortSignal;
  readonly note?: (sentence: string) => void;
  readonly mostMs?: number;
}

/**
 * Asks the fleet's database until it answers: a night's result must not be lost while it is away.
 *
 * @throws LedgerAwayError after an hour; InterruptedError when the signal aborts
 */
export async function untilThere<T>(
  ask: () => Promise<T>,
  { signal, note = () => {}, mostMs = MOST_AWAY_MS }: Waiting,
): Promise<T> {
  const begun = performance.now();
  for (let wait = POLL_MS; ; wait = Math.min(wait * 2, 5_000)) {
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (signal.aborted) throw new InterruptedError('the nights were interrupted');
      const why = `the fleet's database is away (${(error as Error).message})`;
      if (wait === POLL_MS) note(`${why}: the nights go on when it is back`);
      if (performance.now() - begun > mostMs) {
        throw new LedgerAwayError(
          `${why}, and was for ${Math.round(mostMs / 60_000)} minutes`,
          'Start it, then run `remit fleet night` again: a night whose result was not stored runs again.',
          { cause: error },
        );
      }
      await sleep(wait);
    }
  }
}

/** Whether the server or its connection failed: refused, reset, shut down, starting up. */
function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return /terminated|ended|timeout|not queryable/i.test(message ?? '');
  return /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|57P|08|53300)/.test(code);
}

/** A worker without a sign of life for so long, while the database was there, is dead. */
const DEAD_AFTER_MS = 40_000;
/** The limit for a worker of this machine whose process is gone. */
const DEAD_WITHOUT_PROCESS_AFTER_MS = 11_000;

/** A night that a slot of a worker has locked. */
interface LockedJob {
  readonly locked_by: string;
  readonly key: string | null;
  readonly attempts: number;
}

/** Gives this worker's signs of life, and frees the jobs of workers that give none. */
class WorkerWatch {
  readonly #nights: Nights;
  readonly #workerName: string;
  readonly #request: QueueRequest;
  /** The last number that each worker counted up to, and since when it has stood still. */
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  #beat = 0;

  constructor(nights: Nights, workerName: string, request: QueueRequest) {
    this.#nights = nights;
    this.#workerName = workerName;
    this.#request = request;
  }

  /** Call it when the database was away: no worker could give a sign of life then. */
  startOver(): void {
    this.#seen.clear();
  }

  async beat(): Promise<void> {
    this.#beat += 1;
    await this.#nights.beat({ id: this.#workerName, machine: MACHINE, pid: process.pid, beat: this.#beat });
    const workers = await this.#nights.workers();
    const { rows: locked } = await this.#nights.pool!.query<LockedJob>(
      'select locked_by, key, attempts from graphile_worker.jobs where task_identifier = $1 and locked_by is not null',
      [TASK],
    );
    const owners = new Set([...workers.map(({ id }) => id), ...locked.map((job) => ownerOf(job.locked_by))]);
    owners.delete(this.#workerName);
    for (const id of owners) {
      // A worker that holds jobs may have no row: it then stands still from the beginning.
      const worker = workers.find((one) => one.id === id);
      if (this.#noteBeat(id, worker?.beat ?? -1) <= longestStandstill(worker)) continue;
      await this.#free(locked.filter((job) => ownerOf(job.locked_by) === id));
      await this.#nights.forget(id);
      this.#seen.delete(id);
    }
  }

  /** Reports the nights of a dead worker as lost, and unlocks them. */
  async #free(jobs: readonly LockedJob[]): Promise<void> {
    for (const { key, attempts } of jobs) {
      // A job of an earlier run lost its key to this run's, and is not tried again.
      if (key === null) continue;
      await this.#request.lost({ run: this.#request.run, merchant: key.replace(/^night:/, ''), attempt: attempts });
    }
    const slots = [...new Set(jobs.map(({ locked_by }) => locked_by))];
    if (slots.length > 0) await this.#nights.pool!.query('select graphile_worker.force_unlock_workers($1)', [slots]);
  }

  /** Notes the number to which a worker has counted. @returns for how long it has been the same, in milliseconds */
  #noteBeat(id: string, beat: number): number {
    const seen = this.#seen.get(id);
    if (seen?.beat === beat) return performance.now() - seen.since;
    this.#seen.set(id, { beat, since: performance.now() });
    return 0;
  }
}

/** How long a worker may stand still before it counts as dead. */
function longestStandstill(worker: { readonly machine: string; readonly pid: number } | undefined): number {
  // Not at once: the process may run in another container with the same machine name.
  const isProcessGone = worker?.machine === MACHINE && !isProcessAlive(worker.pid);
  return isProcessGone ? DEAD_WITHOUT_PROCESS_AFTER_MS : DEAD_AFTER_MS;
}

/** The worker to which the id of a slot belongs. */
function ownerOf(lockedBy: string): string {
  return lockedBy.replace(/\/\d+$/, '');
}
