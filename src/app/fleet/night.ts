import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { commandLine } from '../../base/program.ts';
import { cleanText } from '../../base/text.ts';
import { type Fleet, readFleet } from '../../config/fleet.ts';
import { usingFleetLock } from '../../ledger/fleet/cells.ts';
import { type KeptNight, type NightRow, Nights } from '../../ledger/fleet/nights.ts';
import { isAway, type NightJob, NotGoodError, workQueue } from '../../ledger/fleet/queue.ts';
import type { Night } from '../night/model.ts';
import { type FleetProgram, nightsPlace, withoutBooks } from './fleet.ts';
import { saidIn } from './status.ts';

export interface FleetNightRequest {
  /** How many nights at a time. */
  readonly jobs: number;
  /** Seconds after which a night is asked to stop. */
  readonly limit: number;
  /** Hears of each night that ended. */
  readonly ended: (night: NightRow) => void;
}

/** What the nights of all merchants came to. */
export interface FleetNight {
  readonly run: number;
  readonly begun_at: string;
  /** How many merchants have a night that needs no other try. */
  readonly done: number;
  readonly failed: readonly {
    readonly merchant: string;
    readonly exit_code: number | null;
    readonly reason: string | null;
  }[];
  /** That of the worst merchant; 0 where nothing but mismatches was found. */
  readonly exit_code: number;
}

/** A night that failed is tried again so often. */
const TRIED_AGAIN = 3;
/** After it was asked to stop, a night has so long to finish the document in flight. */
const KILLED_AFTER_MS = 30_000;
/** The most of a night's words that are kept. */
const MOST_BYTES = 32 * 1_024 * 1_024;

/**
 * Runs the night of every merchant, each in a process of its own: as jobs of the fleet's database together with other workers, or without
 * one here alone.
 *
 * @throws LedgerBusyError where another fleet night is at work and there is no database
 */
export async function runFleetNight(program: FleetProgram, request: FleetNightRequest): Promise<FleetNight> {
  const fleet = await readFleet(program.folder);
  const place = nightsPlace(fleet);
  const run = () =>
    Nights.using(place, async (nights) => {
      const begun = await nights.begin(acrossCells(fleet), program.now());
      const worker = new NightWorker(fleet, nights, program, request);
      const { jobs } = request;
      const { merchants, id } = begun;
      const { signal, note } = program;
      if (place.kind === 'server')
        await workQueue(nights, {
          ...{ run: id, merchants, jobs, attempts: TRIED_AGAIN + 1, signal, note },
          work: (job) => worker.night(job),
          lost: (job) => worker.lost(job),
        });
      else await workHere(worker, { run: id, merchants, jobs, signal });
      if (signal.aborted) throw new InterruptedError('the nights were interrupted');
      await nights.end(id, program.now());
      const rows = await nights.ofRun(id);
      const lacking = merchants.filter(
        (name) => fleet.merchants.has(name) && !rows.some((row) => row.merchant === name),
      );
      const failed = [
        ...rows.filter((night) => night.is_done === 0),
        ...lacking.map((merchant) => ({ merchant, exit_code: null, reason: 'each try at its night was interrupted' })),
      ];
      return {
        run: id,
        begun_at: begun.begun_at,
        done: rows.filter((night) => night.is_done === 1).length,
        failed: failed.map(({ merchant, exit_code, reason }) => ({ merchant, exit_code, reason })),
        exit_code: worstOf([...rows, ...failed]),
      };
    });
  return place.kind === 'server' ? run() : usingFleetLock(place.file, run);
}

/** The merchants, from each cell one after the other: nights at one time are spread over the servers. */
function acrossCells({ merchants }: Fleet): string[] {
  const places = [...groupBy([...merchants.values()], ({ cell }) => cell).values()].flatMap((own) =>
    own.map(({ name }, place) => ({ name, place })),
  );
  return places.sort((a, b) => a.place - b.place).map(({ name }) => name);
}

/** Exit codes from the worst on: settings need a person, while another command ends by itself. */
const WORST = [2, 4, 1];

/** The worst code of some nights; one that was ended counts as failed, and mismatches as nothing. */
function worstOf(nights: readonly Pick<NightRow, 'exit_code'>[]): number {
  const codes = nights.map(({ exit_code }) => (exit_code === null || exit_code === 130 ? 1 : exit_code));
  return WORST.find((code) => codes.includes(code)) ?? 0;
}

interface Here {
  readonly run: number;
  readonly merchants: readonly string[];
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/** Works the nights off on this machine alone, some at a time; what failed waits, and is tried again while others go on. */
async function workHere(worker: NightWorker, { run, merchants, jobs, signal }: Here): Promise<void> {
  const waiting = merchants.map((merchant) => ({ merchant, attempt: 1, from: 0 }));
  let busy = 0;
  const slot = async () => {
    while (!signal.aborted && (waiting.length > 0 || busy > 0)) {
      const at = waiting.findIndex(({ from }) => from <= performance.now());
      if (at < 0) {
        await sleep(100);
        continue;
      }
      const { merchant, attempt } = waiting.splice(at, 1)[0]!;
      busy += 1;
      try {
        await worker.night({ run, merchant, attempt });
      } catch (error) {
        if (!(error instanceof NotGoodError)) throw error;
        // As long as the queue of a database waits.
        if (attempt <= TRIED_AGAIN)
          waiting.push({ merchant, attempt: attempt + 1, from: performance.now() + 1_000 * Math.exp(attempt) });
      } finally {
        busy -= 1;
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, slot));
}

/** What a process said until it ended, and how it ended. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it was ended; null where it ended by itself. */
  readonly stopped: 'limit' | 'interrupted' | null;
}

/** Runs single nights and keeps what they said. */
class NightWorker {
  readonly #fleet: Fleet;
  readonly #nights: Nights;
  readonly #program: FleetProgram;
  readonly #request: FleetNightRequest;

  constructor(fleet: Fleet, nights: Nights, program: FleetProgram, request: FleetNightRequest) {
    this.#fleet = fleet;
    this.#nights = nights;
    this.#program = program;
    this.#request = request;
  }

  /** @throws NotGoodError where it is to be tried again */
  async night({ run, merchant, attempt }: NightJob): Promise<void> {
    const place = this.#fleet.merchants.get(merchant);
    // Taken out of fleet.toml meanwhile.
    if (!place) return;
    const held = (await this.#insist(() => this.#nights.ofRun(run))).find((night) => night.merchant === merchant);
    if (held?.is_done === 1) return;
    const started_at = this.#program.now().toISOString();
    const ended = await this.#spawn(place.books);
    if (ended.stopped === 'interrupted') throw new NotGoodError('interrupted');
    const summary = nightIn(ended.stdout);
    const { is_done, reason } = this.#judge(ended, summary);
    const night: KeptNight = {
      ...{ run, merchant, attempt: Math.max(attempt, (held?.attempt ?? 0) + 1), cell: place.cell },
      ...{ started_at, finished_at: this.#program.now().toISOString() },
      ...{
        exit_code: ended.code,
        reason,
        said: summary && JSON.stringify(saidIn(summary)),
        summary: summary && JSON.stringify(summary),
      },
      ...{ is_done: Number(is_done), is_checked: Number(summary?.check != null) },
    };
    await this.#keep(night);
    if (!is_done) throw new NotGoodError(reason ?? 'failed');
  }

  /** Keeps that a night ended with its worker. */
  async lost({ run, merchant, attempt }: NightJob): Promise<void> {
    const at = this.#program.now().toISOString();
    const cell = this.#fleet.merchants.get(merchant)?.cell ?? '';
    const reason = 'the worker that ran it ended without a word';
    const failed = { exit_code: null, reason, said: null, summary: null, is_done: 0, is_checked: 0 };
    await this.#keep({ run, merchant, attempt, cell, started_at: at, finished_at: at, ...failed });
  }

  async #keep(night: KeptNight): Promise<void> {
    await this.#insist(() => this.#nights.keep(night));
    this.#request.ended(night);
  }

  /** Asks the fleet's database until it answers: what a night said must not be lost because it is away. */
  async #insist<T>(ask: () => Promise<T>): Promise<T> {
    for (let wait = 500; ; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await ask();
      } catch (error) {
        if (!isAway(error) || this.#program.signal.aborted) throw error;
        await sleep(wait);
      }
    }
  }

  #spawn(books: string): Promise<Ended> {
    const [file, ...args] = commandLine();
    const { env, signal } = this.#program;
    return new Promise((resolve) => {
      const child = spawn(file, [...args, '-C', books, 'night', '--orders', '--json', '--quiet'], {
        cwd: path.dirname(this.#fleet.file),
        env: withoutBooks(env),
        windowsHide: true,
        // With a channel, so that it notices when this worker is killed.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      const said = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name]!.setEncoding('utf8').on('data', (text: string) => {
          if (said[name].length < MOST_BYTES) said[name] += text;
        });
      }
      let stopped: Ended['stopped'] = null;
      let killing: NodeJS.Timeout | undefined;
      const stop = (why: NonNullable<Ended['stopped']>) => {
        stopped ??= why;
        child.kill('SIGTERM');
        killing ??= setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);
      };
      const limit = setTimeout(() => stop('limit'), this.#request.limit * 1_000);
      const interrupt = () => stop('interrupted');
      signal.addEventListener('abort', interrupt, { once: true });
      if (signal.aborted) interrupt();
      const end = (code: number | null) => {
        clearTimeout(limit);
        clearTimeout(killing);
        signal.removeEventListener('abort', interrupt);
        resolve({ code, ...said, stopped });
      };
      child.on('error', ({ message }) => {
        said.stderr += message;
        end(null);
      });
      child.on('close', end);
    });
  }

  #judge(
    { code, stderr, stopped }: Ended,
    night: Night | null,
  ): { readonly is_done: boolean; readonly reason: string | null } {
    const { limit } = this.#request;
    if (stopped === 'limit')
      return {
        is_done: false,
        reason: `it took longer than ${limit} seconds and was ${code === null ? 'killed' : 'asked to stop'}`,
      };
    if (night === null)
      return {
        is_done: false,
        reason: errorIn(stderr) ?? (code === null ? 'it was killed' : `it ended with exit code ${code}`),
      };
    const failure = night.sync_failure ?? night.match_failure ?? night.check_failure;
    if (failure) return { is_done: false, reason: failure.message };
    const isPartial = night.sync?.status !== 'complete';
    // Trying again brings what could not be fetched; what is incomplete otherwise is so the next time too.
    return {
      is_done: code === 0 || code === 3 || (code === 1 && !isPartial),
      reason: !isPartial && (code === 0 || code === 3) ? null : whyIncomplete(night),
    };
  }
}

/** Why a night that did all it could is none that is good. */
function whyIncomplete({ sync, warnings, check, notified }: Night): string {
  if (sync?.status !== 'complete') return warnings[0] ?? 'not everything could be fetched';
  const [incomplete] = check?.incomplete ?? [];
  if (incomplete) return `${incomplete.period} is incomplete: ${incomplete.why}`;
  const lost = notified.find(({ ok }) => !ok);
  return lost?.why ?? 'see what the night said';
}

/** What `remit night --json` printed; null where it printed nothing whole. */
function nightIn(text: string): Night | null {
  try {
    const night = JSON.parse(text) as Night | null;
    return typeof night === 'object' && night !== null && 'sync' in night ? night : null;
  } catch {
    return null;
  }
}

/** The error that a process printed as JSON, or its last words. */
function errorIn(stderr: string): string | null {
  const lines = stderr.trim().split('\n');
  for (const line of lines.toReversed()) {
    try {
      const { error } = JSON.parse(line) as { error?: { message?: string } };
      if (error?.message) return error.message;
    } catch {
      // It is no JSON.
    }
  }
  // Of a crash the line that names it, and not the version of Node.
  return cleanText(lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '', 1_000) || null;
}
