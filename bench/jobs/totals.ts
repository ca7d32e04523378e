import path from 'node:path';
import { parseUnits } from '../../src/money/units.ts';
import { isInstalled, measure, measureOther, PEERS, program, python, REMIT, usingFolder } from '../measure.ts';
import type { Contender } from '../results.ts';
import { environment, type Job, ledgerIn, roundsFor } from './job.ts';

const MONTH = '2026-10';
const NOWHERE = 'http://127.0.0.1:9/';
const SUMS = 'raw bigint sums';
const DUCKDB = 'DuckDB, from CSV';
/** Below this the start of the process is most of it. */
const ASKED_FROM = 1_000_000;

/** `report totals`, beside a raw sum of the same rows as bigints, and DuckDB's exact sums. */
export const benchTotals: Job = async (results, { sizes, rounds }) => {
  const hasDuckdb = isInstalled(python(), '-c', 'import duckdb');
  if (!hasDuckdb) results.skip('report totals in DuckDB', 'not installed');
  for (const rows of sizes) {
    await usingFolder(async (cwd) => {
      const ledger = ledgerIn(cwd);
      await measure(program('world/month'), [ledger, MONTH, String(rows)], { cwd });
      const env = environment(NOWHERE, ledger);
      const contenders: Contender[] = [
        { who: 'remit', run: () => measure(REMIT, ['report', 'totals', MONTH, '--json'], { cwd, env }) },
        { who: SUMS, run: () => measure(program('peers/bigint-sums'), [ledger, MONTH], { cwd }) },
      ];
      if (hasDuckdb) {
        const csv = path.join(cwd, 'rows.csv');
        await measure(program('world/rows'), [ledger, csv], { cwd });
        const script = [python(), path.join(PEERS, 'totals_duckdb.py'), csv];
        contenders.push({ who: DUCKDB, run: () => measureOther(script, { cwd }) });
      }
      const goals = rows < ASKED_FROM ? [] : [{ of: 'cpu' as const, against: SUMS, most: 1.5 }];
      const options = { rounds: roundsFor(rows, rounds) };
      const runs = await results.contest('report totals', rows, contenders, goals, options);
      const [own, ...others] = contenders.map(({ who }) => ({ who, stdout: runs.get(who)![0]!.stdout }));
      const sums = sumsOf(own!.stdout);
      const off = others.filter(({ stdout }) => stdout.trim() !== sums);
      const figure = off.length === 0 ? 'the same sums' : off.map(({ who, stdout }) => `${who}: ${stdout}`).join('; ');
      results.figure('report totals sums what its peers sum', rows, figure, 'the same', off.length === 0);
    });
  }
};

/** What remit summed, as its peers print it. */
function sumsOf(report: string): string {
  const { rows }: { rows: { currency: string; order_cod: string; order_delivery_fee: string }[] } = JSON.parse(report);
  const line = ({ currency, order_cod, order_delivery_fee }: (typeof rows)[number]) =>
    `${currency} ${parseUnits(order_cod)} ${parseUnits(order_delivery_fee)}`;
  return rows.map(line).join('\n');
}
