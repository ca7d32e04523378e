import { expect, it } from 'vitest';
import { hasHledger } from './balances/engines.ts';
import { balancePlanOf } from './balances/plan.ts';
import { playBalances } from './balances/play.ts';

const WORLDS = Number(process.env.REMIT_BALANCE_WORLDS ?? 2);
const FIRST = Number(process.env.REMIT_BALANCE_SEED ?? 1);

it(
  `${WORLDS} random worlds from ${FIRST}: one balance on every surface, and it is the oracle's`,
  async () => {
    const faults: string[] = [];
    for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
      const found = await playBalances(balancePlanOf(seed), { engines: hasHledger });
      faults.push(...found.map((fault) => `world ${seed}, ${fault}`));
    }
    expect(faults.slice(0, 30)).toEqual([]);
  },
  180_000 + WORLDS * 120_000,
);
