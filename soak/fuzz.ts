// 100,000 made-up inputs: the tests of damaged files, answers and requests with larger numbers, and how many there were
// of each.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `usage: npm run soak:fuzz [-- --thousands N] [--seed S]

Sends about N thousand damaged files, answers and requests (100 where you say nothing) through the tests that judge them.
`;
const { values } = parseArgs({
  options: {
    thousands: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const runs = (each: number) => String(Math.max(1, Math.ceil((Number(values.thousands) * each) / 100)));
const folder = mkdtempSync(path.join(tmpdir(), 'remit-fuzz-'));
const counted = path.join(folder, 'counted');
const FILES = ['imports/formats', 'courier', 'conformance', 'sandbox/service'].map((at) => `test/${at}/fuzz.test.ts`);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...FILES, '--testTimeout=7200000'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      REMIT_FUZZ_COUNT: counted,
      REMIT_PROPERTY_SEED: values.seed,
      REMIT_FUZZ: runs(1_250),
      REMIT_ANSWER_RUNS: runs(6_250),
      REMIT_API_RUNS: runs(2_500),
    },
  },
);
const counts = new Map<string, number>();
for (const [, kind, count] of readFileSync(counted, 'utf8').matchAll(/^(\w+) (\d+)$/gm))
  counts.set(kind!, (counts.get(kind!) ?? 0) + Number(count));
rmSync(folder, { recursive: true });
const sum = [...counts.values()].reduce((one, other) => one + other, 0);
process.stdout.write(
  `${sum} inputs: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}; ${status === 0 ? 'none' : 'some'} wrong\n`,
);
process.exitCode = status ?? 1;
