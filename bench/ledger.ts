import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { line, type Measured, measure, median, serve } from './measure.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const remit = path.join(here, '..', 'bin', 'main.js');
const floor = path.join(here, 'floor.js');
const ROUNDS = 5;
const MOST_MEGABYTES = 300;

const secondsOf = (runs: Measured[]) => median(runs.map((run) => run.seconds));
const peakOf = (runs: Measured[]) => Math.max(...runs.map((run) => run.megabytes));
const show = (runs: Measured[]) => `${secondsOf(runs).toFixed(2)} s, ${peakOf(runs).toFixed(0)} MB`;

async function repeat(run: () => Promise<Measured>, rounds = ROUNDS): Promise<Measured[]> {
  const runs: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await run());
  return runs;
}

/** Sync, check and statement of a month with 100,000 invoice rows, with the machine's floor beside the sync. */
export async function benchLedger(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-bench-'));
  try {
    await benchSync(folder);
    await benchMonths(folder);
    await benchReading(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment(folder: string, url: string): Record<string, string> {
  return { REMIT_API_URL: url, REMIT_API_KEY: 'bench', REMIT_LEDGER: path.join(folder, 'ledger.db') };
}

function clear(folder: string): void {
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger.lock']) {
    rmSync(path.join(folder, name), { force: true });
  }
}

async function benchSync(folder: string): Promise<void> {
  const { line: ready, child } = await serve('courier-server.js', ['2026-10', '200', '500']);
  const url = ready.url!;
  const runFloor = () => {
    clear(folder);
    return measure(floor, [url, path.join(folder, 'ledger.db'), '2026-10'], { cwd: folder });
  };
  const runSync = () => {
    clear(folder);
    return measure(remit, ['sync', '2026-10', '--quiet'], { cwd: folder, env: environment(folder, url) });
  };
  try {
    await runFloor();
    await runSync();
    const floors: Measured[] = [];
    const syncs: Measured[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      floors.push(await runFloor());
      syncs.push(await runSync());
    }
    const ratio = median(syncs.map((sync, index) => sync.seconds / floors[index]!.seconds));
    process.stdout.write(`the floor: fetch, parse, raw inserts of 100,000 rows     ${show(floors)}\n`);
    line('sync of 100,000 invoice rows', `${show(syncs)} = ${ratio.toFixed(2)} × floor`, '≤ 2.5 × floor', ratio <= 2.5);
    line('  peak memory', `${peakOf(syncs).toFixed(0)} MB`, '< 300 MB', peakOf(syncs) < MOST_MEGABYTES);
  } finally {
    child.kill();
  }
}

async function benchMonths(folder: string): Promise<void> {
  const peaks: number[] = [];
  for (const months of [1, 4, 12]) {
    const periods = Array.from({ length: months }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`);
    const { line: ready, child } = await serve('courier-server.js', [periods.join(','), '50', '500']);
    try {
      clear(folder);
      const period = `2026-01..${periods.at(-1)}`;
      const run = await measure(remit, ['sync', period, '--quiet'], {
        cwd: folder,
        env: environment(folder, ready.url!),
      });
      peaks.push(run.megabytes);
    } finally {
      child.kill();
    }
  }
  const [one = 0, , twelve = 0] = peaks;
  const shown = peaks.map((peak) => peak.toFixed(0)).join(' / ');
  line(
    '  peak of 1 / 4 / 12 months of 25,000 rows',
    `${shown} MB`,
    'not growing',
    twelve < one * 1.3 && twelve < MOST_MEGABYTES,
  );
}

async function benchReading(folder: string): Promise<void> {
  const { line: ready, child } = await serve('courier-server.js', ['2026-10', '200', '500', 'yes']);
  const env = environment(folder, ready.url!);
  try {
    clear(folder);
    const orders = await measure(remit, ['sync', '2026-10', '--orders', '--quiet'], { cwd: folder, env });
    line('sync with an order book of 100,000', show([orders]), '< 300 MB', orders.megabytes < MOST_MEGABYTES);
  } finally {
    child.kill();
  }
  const checks = await repeat(() => measure(remit, ['check', '2026-10', '--quiet'], { cwd: folder, env }));
  line(
    'check of 100,000 rows and their order book',
    show(checks),
    '≤ 1.5 s, < 300 MB',
    secondsOf(checks) <= 1.5 && peakOf(checks) < MOST_MEGABYTES,
  );
  const statements = await repeat(() => measure(remit, ['statement', '2026-10', '--quiet'], { cwd: folder, env }));
  line(
    'statement of 100,000 rows',
    show(statements),
    '≤ 5 s, < 300 MB',
    secondsOf(statements) <= 5 && peakOf(statements) < MOST_MEGABYTES,
  );
}
