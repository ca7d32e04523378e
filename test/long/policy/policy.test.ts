import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres } from '../../helpers/postgres.ts';
import { Dice } from '../../oracle/world/dice.ts';
import { filePlace, makeBase, makeServerBase, serverPlace } from './books.ts';
import { play, type Wrong } from './play.ts';

/** How many sequences are played, one after the other on each database; more by `REMIT_POLICY_RUNS=1000`. */
const RUNS = Number(process.env.REMIT_POLICY_RUNS ?? 4);
const SEED = Number(process.env.REMIT_POLICY_SEED ?? 1);
const STEPS = 40;

it(`nobody decides more than they may, and whoever may decides: ${RUNS} sequences on both databases`, {
  timeout: 120_000 + RUNS * 20_000,
}, async () => {
  const folder = scratchFolder();
  const base = await makeBase(path.join(folder, 'base'));
  const server = hasPostgres ? await makeServerBase(base) : null;
  const steps: Record<string, number> = {};
  const wrong: (Wrong & { readonly seed: number; readonly told: readonly string[] })[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const seed = SEED + run;
    const own = path.join(folder, `s${seed}`);
    const place = server !== null && run % 2 === 1 ? await serverPlace(base, server, own) : filePlace(base, own);
    const played = await play(base, place, new Dice(seed), STEPS);
    for (const [outcome, count] of Object.entries(played.steps)) steps[outcome] = (steps[outcome] ?? 0) + count;
    wrong.push(...played.wrong.slice(0, 1).map((one) => ({ ...one, seed, told: played.told })));
  }
  // Each outcome came up, so that agreeing on it says something.
  expect(Object.values(steps).filter((count) => count > 0)).toHaveLength(4);
  expect(wrong).toEqual([]);
  process.stderr.write(`policy: ${RUNS} sequences, ${JSON.stringify(steps)}, ${wrong.length} wrong\n`);
});
