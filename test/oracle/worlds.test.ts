import { expect, it } from 'vitest';
import { describePlan, minimise } from './compare/minimise.ts';
import { play } from './compare/play.ts';
import { proveByLeavingOut } from './compare/proof.ts';
import { planOf } from './world/plan.ts';

const WORLDS = Number(process.env.REMIT_ORACLE_WORLDS ?? 3);
const FIRST = Number(process.env.REMIT_ORACLE_SEED ?? 1);

it(
  `${WORLDS} random worlds from ${FIRST}: findings, effects, incomplete and bridge are the oracle's`,
  async () => {
    for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
      const plan = planOf(seed);
      const difference = await play(plan, proveByLeavingOut);
      if (!difference) continue;
      const { plan: least, difference: said } = await minimise(plan, difference, (smaller) =>
        play(smaller, proveByLeavingOut),
      );
      expect.fail(`${describePlan(least)}\nafter night ${said.night}:\n  ${said.faults.join('\n  ')}`);
    }
  },
  180_000 + WORLDS * 30_000,
);
