import path from 'node:path';
import { isInstalled, measure, measureOther, PEERS, program, python, REMIT, serve, usingFolder } from '../measure.ts';
import type { Contender, Results } from '../results.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
const BARE = 'exceljs loop, bare cells';
const FORMATS = 'exceljs loop, number formats';
const XLSXWRITER = 'xlsxwriter loop, number formats';
/** What the statement of the largest month may take, and how much more than that of the smallest, in MB. */
const MOST = { peak: 150, growth: 20 };
const LARGEST = 100_000;

/** A month's statement with its order book, checks included, beside plain loops over exceljs and xlsxwriter that write as many cells. */
export const benchStatement: Job = async (results, { sizes, rounds }) => {
  if (!hasXlsxwriter()) results.skip('statement in xlsxwriter', 'not installed');
  const peaks = new Map<number, number>();
  // A sheet holds no more than a million rows.
  for (const rows of sizes.filter((size) => size <= LARGEST)) peaks.set(rows, await statementOf(results, rows, rounds));
  const [least, most] = [Math.min(...peaks.keys()), Math.max(...peaks.keys())];
  if (peaks.size === 0) return;
  const peak = peaks.get(most)!;
  results.figure('statement: peak memory', most, `${peak.toFixed(0)} MB`, `≤ ${MOST.peak} MB`, peak <= MOST.peak);
  const growth = peak - peaks.get(least)!;
  const isAsked = least < most;
  if (!isAsked) return;
  results.figure(
    `statement: growth from ${least.toLocaleString('en')}`,
    most,
    `${growth.toFixed(0)} MB`,
    `< ${MOST.growth} MB`,
    growth < MOST.growth,
  );
};

/** @returns the peak of memory */
async function statementOf(results: Results, rows: number, rounds: number): Promise<number> {
  return usingFolder(async (cwd) => {
    const env = await synced(cwd, rows);
    const out = path.join(cwd, 'out.xlsx');
    const statement = () => measure(REMIT, ['statement', MONTH, '--quiet', '--out', out], { cwd, env });
    await statement();
    const cells = Number((await measure(program('world/cells'), [out], { cwd })).stdout);
    const loop = (who: string, look: string) => ({
      who,
      run: () => measure(program('peers/exceljs-loop'), [path.join(cwd, 'peer.xlsx'), String(cells), look], { cwd }),
    });
    const contenders: Contender[] = [{ who: 'remit', run: statement }, loop(BARE, 'bare'), loop(FORMATS, 'formats')];
    if (hasXlsxwriter()) {
      const script = [python(), path.join(PEERS, 'xlsxwriter_loop.py'), path.join(cwd, 'peer.xlsx'), String(cells)];
      contenders.push({ who: XLSXWRITER, run: () => measureOther(script, { cwd }) });
    }
    results.figure('statement: cells', rows, cells.toLocaleString('en'), null, null);
    const runs = await results.contest(
      'statement',
      rows,
      contenders,
      [
        { of: 'cpu', against: BARE, most: 1 },
        { of: 'cpu', against: FORMATS, most: 1 },
      ],
      { rounds, warm: false },
    );
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
