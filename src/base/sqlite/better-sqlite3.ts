import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { InstallationError } from '../errors.ts';
import type { Binding, SqliteDatabase, SqliteOptions } from './database.ts';

/** better-sqlite3 13 and later aborts on Node 20, and up to 12 on Node 24. */
const isNode20 = Number.parseInt(process.versions.node, 10) < 22;
const PACKAGE = isNode20 ? 'better-sqlite3-node20' : 'better-sqlite3';

/**
 * The SQLite in `dist` for Node 20, where installing one takes a compiler; seen from dist/bin and from
 * dist/src/base/sqlite.
 */
const SHIPPED_FOLDER = ['..', '../../..']
  .map((up) => path.resolve(import.meta.dirname, up, 'sqlite-node20'))
  .find((folder) => isNode20 && existsSync(folder));

const require = createRequire(import.meta.url);

/** @throws InstallationError when it is missing, or was built for another Node or system */
export function loadBetterSqlite3(): Binding {
  try {
    const isShipped = SHIPPED_FOLDER !== undefined && !isInstalled();
    const Database: typeof BetterSqlite3 = require(isShipped ? SHIPPED_FOLDER : PACKAGE);
    const binary = isShipped
      ? { nativeBinding: path.join(SHIPPED_FOLDER, `${process.platform}-${process.arch}.node`) }
      : {};
    // Only opening a database loads the binary; with one in memory nothing else can fail.
    new Database(':memory:', binary).close();
    return { name: 'better-sqlite3', open: (file, options) => open(Database, file, { ...options, ...binary }) };
  } catch (cause) {
    const hint = rebuildHint(import.meta.dirname, { isInstalled: isInstalled() });
    throw new InstallationError(describe(cause as NodeJS.ErrnoException), hint, { cause });
  }
}

function open(Database: typeof BetterSqlite3, file: string, options: SqliteOptions): SqliteDatabase {
  try {
    return new Database(file, options);
  } catch (error) {
    // A missing folder is reported before SQLite is asked.
    const isFolderMissing = error instanceof TypeError && /directory does not exist/.test(error.message);
    throw isFolderMissing ? Object.assign(error, { code: 'SQLITE_CANTOPEN' }) : error;
  }
}

function isInstalled(): boolean {
  try {
    require.resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

function describe(cause: NodeJS.ErrnoException): string {
  const node = `Node.js ${process.versions.node}`;
  const { code, message } = cause;
  // Whatever the reason for which a binary cannot be loaded, its code is ERR_DLOPEN_FAILED.
  if (message.includes('NODE_MODULE_VERSION'))
    return `SQLite was built for another Node.js than ${node}, which runs now`;
  const library = missingLibrary(cause);
  if (library !== undefined) return `this system is too old for the SQLite that remit brings, which needs ${library}`;
  // better-sqlite3 12 looks for its binary with the package `bindings`, whose error has `tries`.
  if (code === 'MODULE_NOT_FOUND' || 'tries' in cause) return `SQLite was not built for ${node}`;
  return `${node} (${process.platform} ${process.arch}) cannot load SQLite: ${message.split('\n')[0]}`;
}

/**
 * `GLIBC_2.34` of the loader's ``version `GLIBC_2.34' not found``: the binary was compiled on a newer system than this.
 */
function missingLibrary({ message }: Error): string | undefined {
  return /version [`']((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)' not found/.exec(message)?.[1];
}

/**
 * How to get an SQLite for this Node: in a clone, in a project that depends on remit, or where remit was installed
 * globally.
 *
 * @param folder a folder of remit's own code
 * @param problem `isInstalled` is false when a package is missing altogether
 */
export function rebuildHint(folder: string, { isInstalled }: { readonly isInstalled: boolean }): string {
  const [owner = folder, ...inside] = folder.split(`${path.sep}node_modules${path.sep}`);
  if (inside.length === 0) {
    const clone = nearestPackage(folder);
    const command = isInstalled ? 'node src/build-sqlite.mjs' : 'npm ci';
    return `Run \`${command}\` in ${clone} with this Node.js (on Node.js 20 it needs python3, make and a C++ compiler), ${OTHERWISE}.`;
  }
  const isGlobal = !existsSync(path.join(owner, 'package.json'));
  const where = isGlobal ? '' : ` in ${owner}`;
  const install = `\`npm install ${isGlobal ? '--global ' : ''}${isNode20 ? NODE20_SPEC : 'better-sqlite3'}\`${where}`;
  return isNode20
    ? `Install python3, make and a C++ compiler and run ${install}, ${OTHERWISE}.`
    : `Run ${install} with this Node.js, ${OTHERWISE}.`;
}

const NODE20_SPEC = 'better-sqlite3-node20@npm:better-sqlite3@12.11.1';

const OTHERWISE = 'or use Node.js 22.16 or later, which has an SQLite of its own';

/** The clone's folder. It has the lock file; the folder of the build has a package.json too. */
function nearestPackage(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, 'npm-shrinkwrap.json')) || parent === folder ? folder : nearestPackage(parent);
}
