import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { measure, median, REMIT, usingFolder } from '../measure.ts';
import type { Job } from './job.ts';

/** What a person waits for: the start of a command, and the demo. Beside Node doing nothing. */
export const benchStart: Job = async (results, { rounds }) => {
  await usingFolder(async (folder) => {
    const demos: number[] = [];
    for (let round = 0; round < Math.min(3, rounds); round += 1) {
      demos.push((await measure(REMIT, ['demo', `demo-${round}`, '--quiet'], { cwd: folder })).wall);
    }
    const seconds = median(demos);
    results.figure('demo', null, `${seconds.toFixed(1)} s`, '≤ 20 s', seconds <= 20);

    const nothing = path.join(folder, 'nothing.cjs');
    writeFileSync(nothing, '');
    const books = path.join(folder, 'demo-0');
    const node = { who: 'node, doing nothing', run: () => measure(nothing, [], { cwd: books }) };
    const commands: [string, string[], number][] = [
      ['--help', ['--help'], 2],
      ['report totals of the demo', ['report', 'totals', '2026-10'], 2.8],
      ['check of the demo', ['check', '2026-10'], 2.8],
    ];
    for (const [job, args, most] of commands) {
      const remit = { who: 'remit', run: () => measure(REMIT, args, { cwd: books }) };
      const goals = [{ of: 'cpu', against: node.who, most } as const];
      // Short runs: more of them.
      await results.contest(job, 0, [remit, node], goals, { rounds: 3 * rounds });
    }
  });
};
