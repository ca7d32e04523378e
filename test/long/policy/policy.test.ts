import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres } from '../../helpers/postgres.ts';
import { Dice } from '../../oracle/world/dice.ts';
import { type Base, filePlace, makeBase, makeServerBase, SEQUENCES, type ServerBase, serverPlace } from './books.ts';
import { play, type Wrong } from './play.ts';

/** How many sequences are played; more by `REMIT_POLICY_RUNS=1000`. */
const RUNS = Number(process.env.REMIT_POLICY_RUNS ?? 40);
/** Of the first books; an odd one is played on PostgreSQL. `REMIT_POLICY_SEED=7 REMIT_POLICY_RUNS=1` plays one books of it again. */
const SEED = Number(process.env.REMIT_POLICY_SEED ?? 1);
/** From this many on, it says now and then how far it is. */
const MANY = 500;

it(`nobody decides more than they may, and whoever may decides: ${RUNS} sequences`, {
  timeout: 120_000 + RUNS * 10_000,
}, async () => {
  const folder = scratchFolder();
  const base = await makeBase(path.join(folder, 'base'));
  const server = hasPostgres ? await makeServerBase(base) : null;
  const steps = new Map<string, number>();
  const wrong: (Wrong & { readonly seed: number })[] = [];
  let played = 0;
  const seeds = Array.from({ length: Math.ceil(RUNS / SEQUENCES) }, (_, at) => SEED + at);
  const playAll = async (some: readonly number[]) => {
    for (const seed of some) {
      const one = await play(base, await placeOf(seed, { base, server, folder }), new Dice(seed), SEQUENCES);
      for (const [step, count] of one.steps) steps.set(step, (steps.get(step) ?? 0) + count);
      if (one.wrong) wrong.push({ seed, ...one.wrong });
      if (one.wrong && RUNS >= MANY) process.stderr.write(`${JSON.stringify(wrong.at(-1), null, 1)}\n`);
      played += one.sequences;
      if (Math.floor(played / MANY) > Math.floor((played - one.sequences) / MANY))
        process.stderr.write(`${played} played\n`);
    }
  };
  // While a server works on one books, others are played.
  await Promise.all([0, 1, 2, 3].map((lane) => playAll(seeds.filter((seed) => seed % 4 === lane))));
  const counts = [...steps].sort().map(([step, count]) => `${step}: ${count}`);
  process.stderr.write(`policy: ${played} sequences, ${wrong.length} wrong\n${counts.join('\n')}\n`);
  expect(wrong).toEqual([]);
  // Each outcome came up, so that agreeing on it says something.
  for (const outcome of ['done', 'waits', 'refused', 'denied']) {
    expect([...steps.keys()].some((step) => step.endsWith(outcome))).toBe(true);
  }
});

function placeOf(
  seed: number,
  of: { readonly base: Base; readonly server: ServerBase | null; readonly folder: string },
) {
  const folder = path.join(of.folder, `s${seed}`);
  return of.server !== null && seed % 2 === 1 ? serverPlace(of.base, of.server, folder) : filePlace(of.base, folder);
}
