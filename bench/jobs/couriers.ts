import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { measure, program, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
/** The orders of each courier that the goal is about. */
const ASKED = 100_000;

/** The check of three couriers in one ledger beside that of one in a ledger of its own. */
export const benchCouriers: Job = async (results, { sizes }) => {
  const rows = sizes.includes(ASKED) ? ASKED : Math.min(ASKED, ...sizes);
  await usingFolder(async (folder) => {
    const { line, child } = await serve('world/courier-server', [JSON.stringify(monthOf(rows, true))]);
    try {
      const env = environment(line.url!, ledgerIn(folder));
      await measure(REMIT, ['sync', MONTH, '--orders', '--quiet'], { cwd: folder, env });
    } finally {
      child.kill();
    }
    const three = path.join(folder, 'three.db');
    copyFileSync(ledgerIn(folder), three);
    await measure(program('world/couriers'), [three, 'north', 'swift'], { cwd: folder });
    const check = (ledger: string) =>
      measure(REMIT, ['check', MONTH, '--quiet'], { cwd: folder, env: environment('http://127.0.0.1:9/', ledger) });
    // The first run of each stores what it finds.
    const [one, all] = [ledgerIn(folder), three];
    await check(one);
    await check(all);
    const [ofOne, ofThree] = [await check(one), await check(all)];
    const ratio = ofThree.cpu / ofOne.cpu;
    const isAsked = rows === ASKED;
    results.figure(
      'check of 3 couriers',
      3 * rows,
      `${ratio.toFixed(1)} × one courier (${ofOne.cpu.toFixed(2)} s, ${ofThree.cpu.toFixed(2)} s)`,
      isAsked ? '≤ 3.2 ×' : null,
      isAsked ? ratio <= 3.2 : null,
    );
  });
};
