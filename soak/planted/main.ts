import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BUGS, type Bug } from './bugs.ts';

const HELP = `usage: npm run soak:planted [-- --only WORDS]... [--nights N]

Plants each mistake of soak/planted/bugs.ts in a copy of the program, and prints what found it, and after how many simulated nights.
Exit 1 where one was not found.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    nights: { type: 'string', default: '150' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const ROOT = path.resolve(import.meta.dirname, '../../..');
const copy = mkdtempSync(path.join(tmpdir(), 'remit-planted-'));
const chosen = BUGS.filter(({ name }) => values.only.some((word) => name.includes(word)));
let found = 0;
try {
  for (const folder of ['src', 'reports', 'migrations', 'soak', 'test'])
    cpSync(path.join(ROOT, 'dist', folder), path.join(copy, 'dist', folder), { recursive: true });
  cpSync(path.join(ROOT, 'package.json'), path.join(copy, 'package.json'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  for (const bug of chosen) {
    const file = path.join(copy, 'dist', `${bug.file}.js`);
    const right = readFileSync(file, 'utf8');
    writeFileSync(file, plant(right, bug));
    const said = await soak(bug);
    writeFileSync(file, right);
    // What is wrong in that world without it proves nothing.
    const seed = said && /seed (\d+)/.exec(said)?.[1];
    if (seed && (await soak({ ...bug, seed })) !== null)
      throw new Error(`seed ${seed} is wrong without any mistake planted`);
    if (said !== null) found += 1;
    process.stdout.write(
      `${said === null ? 'NOT FOUND' : 'found'}: ${bug.name}\n    ${said ?? `in ${values.nights} nights`}\n`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`${found} of ${chosen.length} found\n`);
process.exitCode = found === chosen.length ? 0 : 1;

function plant(right: string, { name, from, to }: Bug): string {
  if (right.split(from).length !== 2) throw new Error(`${name}: its place is not there once`);
  return right.replace(from, () => to);
}

/** The first thing that is wrong, with its seed and night; null where nothing is. */
async function soak({ world, seed }: Pick<Bug, 'world'> & { readonly seed?: string }): Promise<string | null> {
  const main = path.join(copy, 'dist', 'soak', 'main.js');
  const worlds = seed === undefined ? ['--nights', values.nights] : ['--seed', seed, '--worlds', '1'];
  const argv = [main, '--world', world, ...worlds, '--until-fault', '--quiet'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code === 0) return null;
  return (/^seed .*$/m.exec(stdout)?.[0] ?? `it could not be played (exit ${code})`).slice(0, 220);
}
