import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { commandLine } from '../../base/program.ts';
import { cleanText, jsonOf } from '../../base/text.ts';
import { type Fleet, readFleet } from '../../config/fleet.ts';
import { type KeptNight, type NightRow, Nights } from '../../ledger/fleet/nights.ts';
import { type NightJob, TryAgainError, untilThere, type WorkNight, workQueue } from '../../ledger/fleet/queue.ts';
import { usingFleetLock } from '../../ledger/fleet/roles-and-locks.ts';
import { type Night, WORST_FIRST } from '../night/model.ts';
import { type FleetProgram, nightsPlace, withoutBooks } from './fleet.ts';
import { saidIn } from './status.ts';

interface FleetNightRequest {
  /** How many nights at a time. */
  readonly jobs: number;
  /** Seconds after which a night is asked to stop. */
  readonly limit: number;
  /** Called for each night that ended. */
  readonly ended: (night: NightRow) => void;
}

export interface FleetNight {
  readonly run: number;
  readonly begun_at: string;
  /** How many merchants have a night that needs no other try. */
  readonly done: number;
  readonly failed: readonly Pick<NightRow, 'merchant' | 'exit_code' | 'reason'>[];
  /** The worst merchant's; 0 where nothing but mismatches was found. */
  readonly exit_code: number;
}

/** How often a failed night is tried again. */
const MOST_RETRIES = 3;

/**
 * Runs the night of every merchant, each in a process of its own. Where the fleet has a database, other workers may
 * share its queue of jobs; without one, this process runs them all.
 *
 * @throws LedgerBusyError where another fleet night is at work and there is no database
 */
export async function runFleetNight(program: FleetProgram, request: FleetNightRequest): Promise<FleetNight> {
  const fleet = await readFleet(program.folder);
  const place = nightsPlace(fleet);
  const run = () =>
    Nights.using(place, async (nights) => {
      const { merchants, id, begun_at } = await nights.begin(acrossCells(fleet), program.now());
      const { night, lost } = nightWorker(fleet, nights, program, request);
      const { signal, note } = program;
      const shared = { run: id, merchants, jobs: request.jobs, signal };
      if (place.kind === 'server') {
        await workQueue(nights, { ...shared, attempts: MOST_RETRIES + 1, note, work: night, lost });
      } else {
        await workHere(night, shared);
      }
      if (signal.aborted) throw new InterruptedError('the nights were interrupted');
      await nights.end(id, program.now());
      const rows = await nights.ofRun(id);
      const lacking = merchants.filter(
        (name) => fleet.merchants.has(name) && !rows.some((row) => row.merchant === name),
      );
      const failed = [
        ...rows.filter(({ is_done }) => is_done === 0),
        ...lacking.map((merchant) => ({ merchant, exit_code: null, reason: 'each try at its night was interrupted' })),
      ];
      return {
        run: id,
        begun_at,
        done: rows.filter(({ is_done }) => is_done === 1).length,
        failed: failed.map(({ merchant, exit_code, reason }) => ({ merchant, exit_code, reason })),
        exit_code: worstOf([...rows, ...failed]),
      };
    });
  return place.kind === 'server' ? run() : usingFleetLock(place.file, run);
}

/** The merchants, one from each cell in turn, so that nights that run at the same time are on different servers. */
function acrossCells({ merchants }: Fleet): string[] {
  const places = [...groupBy([...merchants.values()], ({ cell }) => cell).values()].flatMap((onCell) =>
    onCell.map(({ name }, place) => ({ name, place })),
  );
  return places.sort((a, b) => a.place - b.place).map(({ name }) => name);
}

/**
 * The worst code of some nights. A night that was killed (null) or interrupted (130) counts as failed; one with
 * mismatches (3) counts as good.
 */
function worstOf(nights: readonly Pick<NightRow, 'exit_code'>[]): number {
  const codes = nights.map(({ exit_code }) => (exit_code === null || exit_code === 130 ? 1 : exit_code));
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 0;
}

/**
 * Runs the nights on this machine alone, `jobs` at a time. A night that failed waits, and is tried again while others
 * run.
 */
async function workHere(
  night: WorkNight,
  { run, merchants, jobs, signal }: { run: number; merchants: readonly string[]; jobs: number; signal: AbortSignal },
): Promise<void> {
  // `from`: the time from which it may run, by `performance.now()`.
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
        await night({ run, merchant, attempt });
      } catch (error) {
        if (!(error instanceof TryAgainError)) throw error;
        // The same waits as in the queue of a fleet's database.
        if (attempt <= MOST_RETRIES)
          waiting.push({ merchant, attempt: attempt + 1, from: performance.now() + 1_000 * Math.exp(attempt) });
      } finally {
        busy -= 1;
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, slot));
}

/** The output of a process that ended, and how it ended. */
interface EndedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it was stopped; null where it ended by itself. */
  readonly stopped: 'limit' | 'interrupted' | null;
}

/** How long a night that was asked to stop may take to finish the document in flight. */
const KILL_AFTER_MS = 30_000;

/** How much of a night's output is kept. */
const MOST_BYTES = 32 * 1_024 * 1_024;

/** Makes the functions that run single nights and record their results. */
function nightWorker(fleet: Fleet, nights: Nights, program: FleetProgram, request: FleetNightRequest) {
  const { now, signal } = program;
  return { night, lost };

  /** @throws TryAgainError where it is to be tried again */
  async function night({ run, merchant, attempt }: NightJob): Promise<void> {
    const place = fleet.merchants.get(merchant);
    // The merchant was taken out of fleet.toml meanwhile.
    if (!place) return;
    const ofRun = await untilThere(() => nights.ofRun(run), { signal });
    const held = ofRun.find((one) => one.merchant === merchant);
    // Another worker, or the same run before it was interrupted, has done it.
    if (held?.is_done === 1) return;
    const started_at = now().toISOString();
    const ended = await runNightOf(place.books);
    if (ended.stopped === 'interrupted') throw new TryAgainError('interrupted');
    const summary = nightIn(ended.stdout);
    const { is_done, reason } = judge(ended, summary);
    const kept: KeptNight = {
      run,
      merchant,
      // A run that goes on after an interruption counts on.
      attempt: Math.max(attempt, (held?.attempt ?? 0) + 1),
      cell: place.cell,
      started_at,
      finished_at: now().toISOString(),
      exit_code: ended.code,
      reason,
      said: summary && JSON.stringify(saidIn(summary)),
      summary: summary && JSON.stringify(summary),
      is_done: Number(is_done),
      is_checked: Number(summary?.check != null),
    };
    await keep(kept);
    if (!is_done) throw new TryAgainError(reason ?? 'failed');
  }

  /** Records that a night ended because its worker was killed. */
  async function lost({ run, merchant, attempt }: NightJob): Promise<void> {
    const at = now().toISOString();
    const cell = fleet.merchants.get(merchant)?.cell ?? '';
    const reason = 'the worker that ran it ended without a word';
    const failed = { exit_code: null, reason, said: null, summary: null, is_done: 0, is_checked: 0 };
    await keep({ run, merchant, attempt, cell, started_at: at, finished_at: at, ...failed });
  }

  async function keep(ended: KeptNight): Promise<void> {
    await untilThere(() => nights.keep(ended), { signal });
    request.ended(ended);
  }

  function runNightOf(books: string): Promise<EndedProcess> {
    const [file, ...args] = commandLine();
    return new Promise((resolve) => {
      const child = spawn(file, [...args, '-C', books, 'night', '--orders', '--json', '--quiet'], {
        cwd: path.dirname(fleet.file),
        env: withoutBooks(program.env),
        windowsHide: true,
        // `ipc`: the night notices by the channel when this worker is killed.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      const output = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name]!.setEncoding('utf8').on('data', (text: string) => {
          if (output[name].length < MOST_BYTES) output[name] += text;
        });
      }
      let stopped: EndedProcess['stopped'] = null;
      let killing: NodeJS.Timeout | undefined;
      const stop = (why: NonNullable<EndedProcess['stopped']>) => {
        stopped ??= why;
        child.kill('SIGTERM');
        killing ??= setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      };
      const limit = setTimeout(() => stop('limit'), request.limit * 1_000);
      const interrupt = () => stop('interrupted');
      signal.addEventListener('abort', interrupt, { once: true });
      if (signal.aborted) interrupt();
      const end = (code: number | null) => {
        clearTimeout(limit);
        clearTimeout(killing);
        signal.removeEventListener('abort', interrupt);
        resolve({ code, ...output, stopped });
      };
      child.on('error', ({ message }) => {
        output.stderr += message;
        end(null);
      });
      child.on('close', end);
    });
  }

  /** Whether a night needs no other try, and why it was not good; `reason` null where it was. */
  function judge({ code, stderr, stopped }: EndedProcess, summary: Night | null) {
    if (stopped === 'limit') {
      const ending = code === null ? 'killed' : 'asked to stop';
      return { is_done: false, reason: `it took longer than ${request.limit} seconds and was ${ending}` };
    }
    if (summary === null) {
      const ending = code === null ? 'it was killed' : `it ended with exit code ${code}`;
      return { is_done: false, reason: errorIn(stderr) ?? ending };
    }
    const failure = summary.sync_failure ?? summary.match_failure ?? summary.check_failure;
    if (failure) return { is_done: false, reason: failure.message };
    const isAllFetched = summary.sync?.status === 'complete';
    // 3: mismatches were found, which is no fault of the night.
    const isGood = code === 0 || code === 3;
    if (isGood && isAllFetched) return { is_done: true, reason: null };
    // 1: something is incomplete. If all was fetched, another try would not complete it.
    const wouldStayIncomplete = code === 1 && isAllFetched;
    return { is_done: isGood || wouldStayIncomplete, reason: whyIncomplete(summary) };
  }
}

/** Why a night without an error is not a good one. */
function whyIncomplete({ sync, warnings, check, notified }: Night): string {
  if (sync?.status !== 'complete') return warnings[0] ?? 'not everything could be fetched';
  const [incomplete] = check?.incomplete ?? [];
  if (incomplete) return `${incomplete.period} is incomplete: ${incomplete.why}`;
  const lost = notified.find(({ ok }) => !ok);
  return lost?.why ?? 'see what the night said';
}

/** Parses the output of `remit night --json`; null where it is not complete. */
function nightIn(text: string): Night | null {
  const night = jsonOf(text) as Night | null | undefined;
  return typeof night === 'object' && night !== null && 'sync' in night ? night : null;
}

/** The error that a process printed as JSON, or its last line. */
function errorIn(stderr: string): string | null {
  const lines = stderr.trim().split('\n');
  for (const line of lines.toReversed()) {
    const printed = jsonOf(line) as { error?: { message?: string } } | null | undefined;
    if (printed?.error?.message) return printed.error.message;
  }
  // After a crash it is the line that names the error, not the last one with the version of Node.
  return cleanText(lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '', 1_000) || null;
}
