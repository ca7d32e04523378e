// `npm run postinstall`, and so part of `npm ci` and `npm rebuild`. Plain JavaScript: nothing is compiled yet on a clean clone.
//
// The binding of Node 22 and later brings its binaries, on Linux for glibc 2.34 and later; from 22.16 on Node's own SQLite takes its place where
// it does not load. That of Node 20 has to be built, and npm is told not to (`allowScripts`), because it would ask for a compiler on later ones,
// where nothing uses it: so it is built here, where it is needed.
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const version = process.versions.node;
const [major, minor] = version.split('.').map(Number);
const isNode20 = major < 22;
/** As node-sqlite.ts has it. */
const hasOwnSqlite = major > 22 || (major === 22 && minor >= 16);
/** The choice that sqlite.ts makes. */
const binding = isNode20 ? 'better-sqlite3-node20' : 'better-sqlite3';
/** Its own script: a ready-made binary where one can be downloaded, otherwise a compiler. */
const script = isNode20 ? 'install' : 'build-release';
const { resolve } = createRequire(import.meta.url);

function isInstalled() {
  try {
    return resolve(`${binding}/package.json`) !== '';
  } catch {
    return false;
  }
}

/** Of the system's libraries, what the ready-made binary needs and does not find: Debian 11 and RHEL 8 are too old for it. */
let library;

/** Tried in a process of its own: a binary that does not fit may end the process that loads it. */
function loads() {
  const open = `new (require(${JSON.stringify(resolve(binding))}))(':memory:').close()`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', open], { encoding: 'utf8' });
  library = /version [`']((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)' not found/.exec(stderr)?.[1];
  return status === 0;
}

/** @returns what the compiler said */
function build() {
  const why = library === undefined ? '' : ` (the ready-made one needs ${library}, which this system does not have)`;
  process.stdout.write(`remit: building SQLite for Node.js ${version}${why}, which takes about a minute ...\n`);
  const folder = path.dirname(resolve(`${binding}/package.json`));
  const npm = process.env.npm_execpath;
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 };
  // `npm install --global` and `--prefix` are passed on in the environment, where they would name another folder.
  const args = ['run', script, '--prefix', folder, '--no-global'];
  const { stdout, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', ['run', script], { ...options, shell: true });
  return `${stdout ?? ''}${stderr ?? ''}`;
}

function fail(message, hint) {
  process.stderr.write(`remit: ${message}\n  → ${hint}\n`);
  process.exitCode = 1;
  removeLinks();
}

/** Of a global installation that fails npm takes the package back, and leaves the links to its command and manual page. */
function removeLinks() {
  const { npm_command: command, npm_config_global: isGlobal, npm_config_prefix: prefix } = process.env;
  if (command !== 'install' || isGlobal !== 'true' || !prefix || process.platform === 'win32') return;
  const own = path.dirname(import.meta.dirname);
  // npm keeps an earlier version under such a name, and puts it back.
  const isUpdate = readdirSync(path.dirname(own)).some((name) => name.startsWith(`.${path.basename(own)}-`));
  if (isUpdate) return;
  for (const link of ['bin/remit', 'share/man/man1/remit.1'].map((name) => path.join(prefix, name))) {
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(link);
  }
}

if (!hasOwnSqlite && !isInstalled()) {
  fail(
    `${binding}, the SQLite binding of Node.js ${version}, is not installed`,
    'Install python3, make and a C++ compiler, and then remit again without --omit=optional, or use Node.js 22.16 or later.',
  );
} else if (!hasOwnSqlite && !loads()) {
  const output = build();
  if (!loads()) {
    process.stderr.write(output);
    fail(
      `${binding} could not be built for Node.js ${version} (${process.platform} ${process.arch})`,
      'Install python3, make and a C++ compiler, and then remit again, or use Node.js 22.16 or later, which has an SQLite of its own.',
    );
  }
}
