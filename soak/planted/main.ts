import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BUGS, type Bug } from './bugs.ts';

const HELP = `usage: npm run soak:planted [-- --only WORDS]... [--seed S] [--nights N]

Plants each mistake of soak/planted/bugs.ts in a copy of the program, one at a time, and prints what found it, and after how many
simulated nights: 40 at the most, or N. Each is played from its own world on, or from S. Exit 1 where one was not found.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    seed: { type: 'string' },
    nights: { type: 'string', default: '40' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const ROOT = path.resolve(import.meta.dirname, '../../..');
const copy = mkdtempSync(path.join(tmpdir(), 'remit-planted-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const folder of ['src', 'bin', 'reports', 'migrations', 'soak', 'test'])
  cpSync(path.join(ROOT, 'dist', folder), path.join(copy, 'dist', folder), { recursive: true });
cpSync(path.join(ROOT, 'package.json'), path.join(copy, 'package.json'));
symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));

interface Found {
  readonly seed: string;
  /** Of its world, and of all that were played. */
  readonly night: string;
  readonly nights: string;
  readonly what: string;
}

const chosen = BUGS.filter(({ name }) => values.only.some((word) => name.includes(word)));
let found = 0;
for (const bug of chosen) {
  const file = path.join(copy, 'dist', `${bug.file}.js`);
  const right = readFileSync(file, 'utf8');
  writeFileSync(file, plant(right, bug));
  const fault = await soak(bug.world, values.seed ?? String(bug.seed), values.nights);
  writeFileSync(file, right);
  // What is wrong in that world without it proves nothing.
  const isClean = fault === null || (await soak(bug.world, fault.seed, fault.night)) === null;
  if (fault !== null && isClean) found += 1;
  const how = isClean ? 'found' : 'WRONG WITHOUT IT';
  const said = fault && `after ${fault.nights} nights, seed ${fault.seed}: ${fault.what}`;
  process.stdout.write(`${fault ? how : 'NOT FOUND'}: ${bug.name}\n    ${said ?? `in ${values.nights} nights`}\n`);
}
process.stdout.write(`${found} of ${chosen.length} found\n`);
process.exitCode = found === chosen.length ? 0 : 1;

function plant(right: string, { name, from, to }: Bug): string {
  if (right.split(from).length !== 2) throw new Error(`${name}: its place is not there once`);
  return right.replace(from, () => to);
}

/** The first fault in a number of nights from a seed; null for none. */
async function soak(world: Bug['world'], seed: string, nights: string): Promise<Found | null> {
  const main = path.join(copy, 'dist', 'soak', 'main.js');
  const argv = [main, '--world', world, '--seed', seed, '--nights', nights, '--until-fault', '--quiet'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code === 0) return null;
  const said = /^seed (?<seed>\d+), night (?<night>\d+) \((?<nights>\d+) in all\): (?<what>.*)$/m.exec(stdout);
  if (!said) throw new Error(`${world} from seed ${seed} could not be played (exit ${code}): ${stdout}`);
  return { ...(said.groups as unknown as Found), what: said.groups!.what!.slice(0, 200) };
}
