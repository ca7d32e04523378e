import { expect, it } from 'vitest';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { type Span, seamPlanOf } from './seams/plan.ts';
import { playSeams } from './seams/play.ts';

const WORLDS = Number(process.env.REMIT_SEAM_WORLDS ?? 1);
const FIRST = Number(process.env.REMIT_SEAM_SEED ?? 1);
/** What the worlds hold. */
const SPAN: Span = {
  gaps: true,
  renames: true,
  removals: true,
  parts: true,
  everyMonth: true,
  payoutNumbers: true,
  ids: true,
  payers: true,
  states: true,
  claims: true,
  papers: true,
  ...JSON.parse(process.env.REMIT_SEAM_SPAN ?? '{}'),
};

it(
  `${WORLDS} random worlds from ${FIRST}: couriers, months, files and settings meet, and every figure is the oracle's`,
  async () => {
    const faults: string[] = [];
    for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
      // Some in a server.
      const ledger = hasPostgres && seed % 5 === 0 ? (await newDatabase()).url : null;
      const found = await playSeams(seamPlanOf(seed, SPAN), ledger);
      faults.push(...found.map((fault) => `world ${seed}, ${fault}`));
    }
    expect(faults.slice(0, 30)).toEqual([]);
  },
  180_000 + WORLDS * 120_000,
);
