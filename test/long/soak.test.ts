import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canRecord } from '../../soak/power/record.ts';
import { findPrograms } from '../helpers/postgres-server.ts';

/** How many nights; more by `REMIT_SOAK_NIGHTS=200`, others by `REMIT_SOAK_SEED`. */
const NIGHTS = process.env.REMIT_SOAK_NIGHTS ?? '5';
const SEED = process.env.REMIT_SOAK_SEED ?? '1';
/** In how many states a disk is left; more by `REMIT_POWER_STATES=2000`. */
const STATES = process.env.REMIT_POWER_STATES ?? '80';

let built: string;
beforeAll(() => {
  built = mkdtempSync(path.join(tmpdir(), 'remit-soak-built-'));
  for (const name of ['node_modules', 'package.json']) symlinkSync(path.resolve(name), path.join(built, name));
  const tsc = ['-p', 'tsconfig.build.json', '--declaration', 'false', '--outDir', path.join(built, 'dist')];
  const { status, stdout } = spawnSync(path.resolve('node_modules/.bin/tsc'), tsc, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

function play(program: string, ...argv: string[]): { status: number | null; text: string } {
  const main = path.join(built, 'dist', 'soak', program);
  const { status, stdout } = spawnSync(process.execPath, [main, ...argv], { encoding: 'utf8' });
  return { status, text: stdout };
}

const nights = (...argv: string[]) => play('main.js', '--nights', NIGHTS, '--seed', SEED, ...argv);

it('months of nights with a courier, a disk and a clock that misbehave, and the same text again from the same seed', () => {
  const first = nights();
  expect(first).toEqual({ status: 0, text: expect.stringMatching(/; 0 wrong\n$/) });
  expect(nights()).toEqual(first);
}, 600_000);

it.skipIf(findPrograms() === null)(
  'the same nights on PostgreSQL',
  () => {
    expect(nights('--database', 'postgres')).toEqual({ status: 0, text: expect.stringMatching(/; 0 wrong\n$/) });
  },
  600_000,
);

it.skipIf(!canRecord)(
  'the power goes at any moment: the ledger opens, verifies, and holds all that was acknowledged',
  () => {
    const { status, text } = play('power/main.js', '--states', STATES);
    expect([status, text]).toEqual([0, expect.stringMatching(/; 0 wrong\n$/)]);
  },
  600_000,
);

it.skipIf(!canRecord)(
  'a ledger whose commits are not synced at once is found out when the power goes',
  () => {
    const file = path.join(built, 'dist/src/ledger/dialect/sqlite/database.js');
    const right = readFileSync(file, 'utf8');
    expect(right.split("'FULL'")).toHaveLength(2);
    writeFileSync(file, right.replace("'FULL'", "'NORMAL'"));
    const { status, text } = play('power/main.js', '--states', '60');
    expect([status, text]).toEqual([1, expect.stringContaining('was acknowledged and is')]);
    writeFileSync(file, right);
  },
  600_000,
);
