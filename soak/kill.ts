// kill -9 at random moments of every command, on both databases: the test of test/long/kill with larger numbers.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Counts } from './counts.ts';

const HELP = `usage: npm run soak:kill [-- --rounds N] [--seed S] [--database sqlite|postgres]

Kills commands N times, half of them on SQLite and half on PostgreSQL (1,000 where you say nothing), or all of them on the one that you
name, and proves after each that what is there is whole.
`;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const named = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const databases = Object.entries(named).filter(([name]) => name === (values.database ?? name));
if (values.help || databases.length === 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}
const each = Math.ceil(Number(values.rounds) / databases.length);
const folder = mkdtempSync(path.join(tmpdir(), 'remit-kill-'));
for (const [, database] of databases) {
  const counted = path.join(folder, database);
  const vitest = ['run', '--config', 'vitest.long.config.ts', 'test/long/kill/kill.test.ts', '-t', database];
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...vitest], {
    stdio: 'inherit',
    env: {
      ...process.env,
      REMIT_KILL_ROUNDS: String(each),
      REMIT_KILL_SEED: values.seed,
      REMIT_KILL_COUNT: counted,
    },
  });
  const commands = existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').slice(0, -1) : [];
  const counts = new Counts();
  for (const command of commands) counts.add(command);
  process.stdout.write(
    `${database}, seed ${values.seed}: ${commands.length} kills (${counts.text()}): ${status === 0 ? 'each left what is whole' : 'WRONG, see above'}\n`,
  );
  if (status !== 0) process.exitCode = 1;
}
rmSync(folder, { recursive: true });
