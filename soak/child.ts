// One command in a process of its own, which kills itself just before its n-th write to the ledger or to a file, or
// just after its n-th commit.
import { stopChance } from './clock.ts';
import { type Counted, countWrites } from './count-writes.ts';
import { runHere } from './run-here.ts';

const { argv, cwd, now, env, killAt } = JSON.parse(process.argv[2]!) as {
  argv: string[];
  cwd: string;
  now: number;
  env: Record<string, string>;
  killAt: { nth: number; of: Counted } | null;
};
stopChance();
let left = killAt?.nth ?? 0;
countWrites((counted) => {
  if (counted !== killAt?.of) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
const { code, stdout, stderr } = await runHere({ argv, cwd, now: new Date(now), env });
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
