// A part of `npm ci` in a clone: under Node 20 it builds the SQLite of that Node, which build.mjs puts into the package.
// npm itself would build it under every Node, so package.json forbids that (`allowScripts`). Plain JavaScript, because
// nothing is compiled yet.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../node_modules/better-sqlite3-node20');

/** Tried in a process of its own: a binary that does not fit may end the process that loads it. */
function loads() {
  const open = `new (require(${JSON.stringify(folder)}))(':memory:').close()`;
  return spawnSync(process.execPath, ['-e', open]).status === 0;
}

if (Number.parseInt(process.versions.node, 10) < 22 && !loads()) {
  process.stdout.write(`remit: building SQLite for Node.js ${process.versions.node}, which takes about a minute ...\n`);
  // Its script takes a ready-made binary where one can be downloaded, otherwise a compiler.
  const args = ['run', 'install', '--prefix', folder, '--no-global'];
  const npm = process.env.npm_execpath;
  const { stdout, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })
    : spawnSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26, shell: true });
  if (!loads()) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
    process.stderr.write(
      'remit: SQLite could not be built\n  → Install python3, make and a C++ compiler, or use Node.js 22 or later.\n',
    );
    process.exitCode = 1;
  }
}
