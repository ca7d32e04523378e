import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  isInstalled,
  type Measured,
  measure,
  measureOther,
  PEERS,
  program,
  python,
  REMIT,
  serve,
  usingFolder,
} from '../measure.ts';
import type { Contender, Goal } from '../results.ts';
import type { World } from '../world/courier-server.ts';
import { environment, type Job, ledgerIn, monthOf, roundsFor } from './job.ts';

const MONTH = '2026-10';
const OTHERS = ['2025-11', '2025-12', ...Array.from({ length: 9 }, (_, index) => `2026-0${index + 1}`)];
const YEAR = `${OTHERS[0]}..${MONTH}`;
/** The rows that the goals are about. */
const ASKED = 100_000;

const PANDAS = path.join(PEERS, 'check_pandas.py');

/** What the pandas script says that it found, beside what remit says. */
interface Counted {
  readonly compared: Readonly<Record<string, number>>;
  readonly found: Readonly<Record<string, number>>;
  readonly courier: Readonly<Record<string, string>>;
  readonly ours: Readonly<Record<string, string>>;
}

interface Checked {
  readonly coverage: readonly { readonly code: string; readonly compared: number; readonly found: number }[];
  readonly bridge: readonly { readonly currency: string; readonly courier: string; readonly ours: string }[];
}

/**
 * The check of a month with its order book, beside pandas, hledger and ledger over the same rows; and what twelve such
 * months take of time and memory.
 */
export const benchCheck: Job = async (results, { sizes, rounds }) => {
  const hasPandas = isInstalled(python(), '-c', 'import pandas');
  const journals = ['hledger', 'ledger'].filter((name) => isInstalled(name, '--version'));
  if (!hasPandas) results.skip('check in pandas', 'not installed');
  for (const name of ['hledger', 'ledger']) {
    if (!journals.includes(name)) results.skip(`check in ${name}`, 'not installed');
  }
  for (const rows of sizes) {
    await usingFolder(async (folder) => {
      const ledger = ledgerIn(folder);
      const env = environment('http://127.0.0.1:9/', ledger);
      const check = (period: string) => measure(REMIT, ['check', period, '--json', '--quiet'], { cwd: folder, env });
      await syncOnce(folder, { ...monthOf(rows, true), faulty: 10, waiting: 10 });
      const contenders: Contender[] = [{ who: 'remit', run: () => check(MONTH) }];
      const goals: Goal[] = [];
      if (hasPandas) {
        const script = [python(), PANDAS, ledger, '14', MONTH];
        contenders.push({ who: 'pandas with Decimals', run: () => measureOther(script, { cwd: folder }) });
        if (rows === ASKED) goals.push({ of: 'cpu', against: 'pandas with Decimals', most: 0.5 });
      }
      if (journals.length > 0 && rows <= ASKED) {
        const journal = path.join(folder, 'rows.journal');
        await measure(program('world/journal'), [ledger, journal], { cwd: folder });
        for (const tool of journals) {
          const who = `${tool} balance`;
          const command = [tool, '--file', journal, 'balance', '--depth', '1'];
          contenders.push({ who, run: () => measureOther(command, { cwd: folder }) });
          if (rows === ASKED && tool === 'hledger') goals.push({ of: 'cpu', against: who, most: 0.1 });
        }
      } else if (journals.length > 0) {
        results.skip(`check of ${rows.toLocaleString('en')} rows in hledger`, 'left out: it would take some 15 GB');
      }
      const options = { rounds: roundsFor(rows, rounds), warm: rows < 1_000_000 };
      const runs = await results.contest('check', rows, contenders, goals, options);
      const [counted] = runs.get('pandas with Decimals') ?? [];
      if (counted) results.figure('check finds what pandas finds', rows, ...agreed(runs.get('remit')![0]!, counted));
    });
  }
  await usingFolder(async (folder) => {
    const rows = sizes.includes(ASKED) ? ASKED : Math.min(ASKED, ...sizes);
    await syncOnce(folder, monthOf(rows, true));
    await benchYear(folder, rows);
  });

  async function syncOnce(folder: string, world: World): Promise<void> {
    const { line, child } = await serve('world/courier-server', [JSON.stringify(world)]);
    try {
      const env = environment(line.url!, ledgerIn(folder));
      await measure(REMIT, ['sync', MONTH, '--orders', '--quiet'], { cwd: folder, env });
    } finally {
      child.kill();
    }
  }

  /** Twelve months in one ledger beside one month in a ledger of its own. */
  async function benchYear(folder: string, rows: number): Promise<void> {
    const year = path.join(folder, 'year.db');
    copyFileSync(ledgerIn(folder), year);
    await measure(program('world/grow'), [year, MONTH, ...OTHERS], { cwd: folder });
    const run = (ledger: string, period: string) =>
      measure(REMIT, ['check', period, '--quiet'], { cwd: folder, env: environment('http://127.0.0.1:9/', ledger) });
    const [one, twelve] = await best(
      () => run(ledgerIn(folder), MONTH),
      () => run(year, YEAR),
    );
    rmSync(year);
    const ratio = twelve.cpu / one.cpu;
    const isAsked = rows === ASKED;
    const figure = `${ratio.toFixed(1)} × one month (${one.cpu.toFixed(2)} s, ${twelve.cpu.toFixed(2)} s)`;
    results.figure(
      'check of 12 months',
      12 * rows,
      figure,
      isAsked ? '≤ 12.5 ×' : null,
      isAsked ? ratio <= 12.5 : null,
    );
    const peaks = `${one.megabytes.toFixed(0)} MB, ${twelve.megabytes.toFixed(0)} MB`;
    results.figure(
      'peak of 1 and 12 months to check',
      12 * rows,
      peaks,
      isAsked ? '≤ 1.2 ×' : null,
      isAsked ? twelve.megabytes <= one.megabytes * 1.2 : null,
    );
  }
};

/** One run of each that counts, after one that fills the machine's caches. */
async function best(one: () => Promise<Measured>, twelve: () => Promise<Measured>): Promise<[Measured, Measured]> {
  await one();
  return [await one(), await twelve()];
}

/** Whether both counted and summed the same: only then is one's time of use beside the other's. */
function agreed(remit: Measured, pandas: Measured): [figure: string, goal: string, reached: boolean] {
  const own: Checked = JSON.parse(remit.stdout);
  const theirs: Counted = JSON.parse(pandas.stdout);
  const lines = new Map(own.coverage.map((line) => [line.code, line]));
  const off = [
    ...Object.entries(theirs.found).filter(([code, found]) => lines.get(code)?.found !== found),
    ...Object.entries(theirs.compared).filter(([code, compared]) => lines.get(code)?.compared !== compared),
  ].map(([code, count]) => `${code}: ${lines.get(code)?.found}, ${count}`);
  for (const { currency, courier, ours } of own.bridge) {
    if (theirs.courier[currency] !== courier) off.push(`courier ${currency}: ${courier}, ${theirs.courier[currency]}`);
    if (theirs.ours[currency] !== ours) off.push(`ours ${currency}: ${ours}, ${theirs.ours[currency]}`);
  }
  const found = Object.values(theirs.found).reduce((sum, count) => sum + count, 0);
  return [off.length === 0 ? `${found} findings` : off.join('; '), 'the same', off.length === 0];
}
