import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres } from '../../helpers/postgres.ts';
import { Dice } from '../../oracle/world/dice.ts';
import { filePlace, makeBase, makeServerBase, SEQUENCES, serverPlace } from './books.ts';
import { play, type Wrong } from './play.ts';

/** How many sequences are played; more by `REMIT_POLICY_RUNS=1000`. */
const RUNS = Number(process.env.REMIT_POLICY_RUNS ?? 40);
/**
 * Of the first books; those of an odd one are on PostgreSQL. `REMIT_POLICY_SEED=7 REMIT_POLICY_RUNS=1` plays its
 * sequences again.
 */
const SEED = Number(process.env.REMIT_POLICY_SEED ?? 1);
/** How many books are played at once: while a server works on one, others go on. */
const LANES = 4;

it(`nobody decides more than they may, and whoever may decides: ${RUNS} sequences on both databases`, {
  timeout: 120_000 + RUNS * 10_000,
}, async () => {
  const folder = scratchFolder();
  const base = await makeBase(path.join(folder, 'base'));
  const server = hasPostgres ? await makeServerBase(base) : null;
  const steps = new Map<string, number>();
  const wrong: (Wrong & { readonly seed: number })[] = [];
  let played = 0;
  const seeds = Array.from({ length: Math.ceil(RUNS / SEQUENCES) }, (_, at) => SEED + at);
  const playLane = async (lane: number) => {
    for (const seed of seeds.filter((_, at) => at % LANES === lane)) {
      if (wrong.length > 0) return;
      const books = path.join(folder, `s${seed}`);
      const place = server !== null && seed % 2 === 1 ? await serverPlace(base, server, books) : filePlace(base, books);
      const one = await play(base, place, new Dice(seed), SEQUENCES);
      for (const [step, count] of one.steps) steps.set(step, (steps.get(step) ?? 0) + count);
      if (one.wrong) wrong.push({ seed, ...one.wrong });
      played += one.sequences;
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => playLane(lane)));
  const counts = [...steps].sort().map(([step, count]) => `${step}: ${count}`);
  process.stderr.write(`policy: ${played} sequences, ${wrong.length} wrong\n${counts.join('\n')}\n`);
  expect(wrong).toEqual([]);
  // Each outcome came up, so that agreeing on it says something.
  const outcomes = new Set([...steps.keys()].map((step) => step.split(' ').at(-1)));
  expect([...outcomes].sort()).toEqual(['denied', 'done', 'refused', 'waits']);
});
