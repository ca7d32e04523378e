import path from 'node:path';
import {
  isInstalled,
  measure,
  measureOther,
  median,
  PEERS,
  program,
  python,
  REMIT,
  serve,
  usingFolder,
} from '../measure.ts';
import type { Contender, Results } from '../results.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
const FORMATS = 'exceljs loop, number formats';
const XLSXWRITER = 'xlsxwriter loop, number formats';
/**
 * What a statement may take: a share of the loop's processor time at most, MB of memory, and seconds by the clock for a
 * usual month.
 */
const MOST = { share: 1.5, peak: 260, seconds: 2 };
const [USUAL, LARGEST] = [10_000, 100_000];

/**
 * A month's statement with its order book, checks included, beside plain loops over exceljs and xlsxwriter that write
 * as many cells.
 */
export const benchStatement: Job = async (results, { sizes, rounds }) => {
  if (!hasXlsxwriter()) results.skip('statement in xlsxwriter', 'not installed');
  const peaks = new Map<number, number>();
  // A sheet holds no more than a million rows.
  for (const rows of sizes.filter((size) => size <= LARGEST)) peaks.set(rows, await statementOf(results, rows, rounds));
  if (peaks.size === 0) return;
  const most = Math.max(...peaks.keys());
  const peak = peaks.get(most)!;
  results.figure('statement: peak memory', most, `${peak.toFixed(0)} MB`, `≤ ${MOST.peak} MB`, peak <= MOST.peak);
};

/** @returns the peak of memory */
async function statementOf(results: Results, rows: number, rounds: number): Promise<number> {
  return usingFolder(async (cwd) => {
    const env = await synced(cwd, rows);
    const out = path.join(cwd, 'out.xlsx');
    const statement = () => measure(REMIT, ['statement', MONTH, '--quiet', '--out', out], { cwd, env });
    await statement();
    const cells = Number((await measure(program('world/cells'), [out], { cwd })).stdout);
    const loop = () => measure(program('peers/exceljs-loop'), [path.join(cwd, 'peer.xlsx'), String(cells)], { cwd });
    const contenders: Contender[] = [
      { who: 'remit', run: statement },
      { who: FORMATS, run: loop },
    ];
    if (hasXlsxwriter()) {
      const script = [python(), path.join(PEERS, 'xlsxwriter_loop.py'), path.join(cwd, 'peer.xlsx'), String(cells)];
      contenders.push({ who: XLSXWRITER, run: () => measureOther(script, { cwd }) });
    }
    results.figure('statement: cells', rows, cells.toLocaleString('en'), null, null);
    const runs = await results.contest(
      'statement',
      rows,
      contenders,
      [{ of: 'cpu', against: FORMATS, most: MOST.share }],
      { rounds, warm: false },
    );
    if (rows === USUAL) {
      const seconds = median(runs.get('remit')!.map(({ wall }) => wall));
      results.figure(
        'statement: seconds',
        rows,
        `${seconds.toFixed(2)} s`,
        `< ${MOST.seconds} s`,
        seconds < MOST.seconds,
      );
    }
    return Math.max(...runs.get('remit')!.map(({ megabytes }) => megabytes));
  });
}

const hasXlsxwriter = () => isInstalled(python(), '-c', 'import xlsxwriter');

async function synced(cwd: string, rows: number): Promise<Record<string, string>> {
  const { line, child } = await serve('world/courier-server', [JSON.stringify(monthOf(rows, true))]);
  try {
    const env = environment(line.url!, ledgerIn(cwd));
    await measure(REMIT, ['sync', MONTH, '--orders', '--quiet'], { cwd, env });
    return env;
  } finally {
    child.kill();
  }
}
