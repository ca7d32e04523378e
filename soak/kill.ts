// kill -9 at random moments of every command, on both databases: the test of test/long/kill with larger numbers.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const HELP = `usage: npm run soak:kill [-- --rounds N] [--seed S]

Kills commands N times, half of them on SQLite and half on PostgreSQL (1,000 where you say nothing), and proves after each that what is
there is whole.
`;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const each = Math.ceil(Number(values.rounds) / 2);
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'vitest.long.config.ts',
  'test/long/kill/kill.test.ts',
];
const { status } = spawnSync(process.execPath, vitest, {
  stdio: 'inherit',
  env: { ...process.env, REMIT_KILL_ROUNDS: String(each), REMIT_KILL_SEED: values.seed },
});
process.stdout.write(
  `${2 * each} kills asked for, seed ${values.seed}: ${status === 0 ? 'each left what is whole' : 'WRONG, see above'}\n`,
);
process.exitCode = status ?? 1;
