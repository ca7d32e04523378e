import { measure, program, REMIT, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, roundsFor } from './job.ts';

const MONTH = '2026-10';
const NOWHERE = 'http://127.0.0.1:9/';
const SUMS = 'raw bigint sums';
/** Below this the start of the process is most of it. */
const ASKED_FROM = 1_000_000;

/** `report totals`, beside a raw sum of the same rows as bigints. */
export const benchTotals: Job = async (results, { sizes, rounds }) => {
  for (const rows of sizes) {
    await usingFolder(async (cwd) => {
      const ledger = ledgerIn(cwd);
      await measure(program('world/month'), [ledger, MONTH, String(rows)], { cwd });
      const env = environment(NOWHERE, ledger);
      const totals = { who: 'remit', run: () => measure(REMIT, ['report', 'totals', MONTH], { cwd, env }) };
      const sums = { who: SUMS, run: () => measure(program('peers/bigint-sums'), [ledger, MONTH], { cwd }) };
      const goals = rows < ASKED_FROM ? [] : [{ of: 'cpu' as const, against: SUMS, most: 1.5 }];
      await results.contest('report totals', rows, [totals, sums], goals, { rounds: roundsFor(rows, rounds) });
    });
  }
};
