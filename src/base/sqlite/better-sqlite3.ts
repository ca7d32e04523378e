import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { InstallationError } from '../errors.ts';
import type { Binding, SqliteDatabase, SqliteOptions } from './database.ts';

/**
 * The package that fits this Node: better-sqlite3 13 and later aborts on Node 20, and up to 12 on Node 24, so both are installed
 * (build-sqlite.mjs makes the same choice).
 */
const PACKAGE = Number.parseInt(process.versions.node, 10) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

const require = createRequire(import.meta.url);

/** @throws InstallationError when it is missing, or was built for another Node or system */
export function loadBetterSqlite3(): Binding {
  try {
    const Database: typeof BetterSqlite3 = require(PACKAGE);
    // Only the first open loads the binary; of a database in memory nothing else can fail.
    new Database(':memory:').close();
    return { name: 'better-sqlite3', open: (file, options) => open(Database, file, options) };
  } catch (cause) {
    const isSystemOld = missingLibrary(cause as Error) !== undefined;
    const hint = rebuildHint(import.meta.dirname, { isInstalled: isInstalled(), isSystemOld });
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

/** Whether the package is there, built or not. */
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
  // `tries` is what `bindings` leaves, with which better-sqlite3 12 looks for its binary.
  if (code === 'MODULE_NOT_FOUND' || 'tries' in cause) return `SQLite was not built for ${node}`;
  return `${node} (${process.platform} ${process.arch}) cannot load SQLite: ${message.split('\n')[0]}`;
}

/** `GLIBC_2.34` of the loader's ``version `GLIBC_2.34' not found``: the binary was compiled on a newer system than this. */
function missingLibrary({ message }: Error): string | undefined {
  return /version [`']((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)' not found/.exec(message)?.[1];
}

/**
 * How to build what was installed for another Node.js or a newer system, or not at all: in a clone, in a project that depends on
 * remit, or where remit was installed globally.
 *
 * @param folder a folder of remit's own code
 * @param problem `isInstalled` is false when a package is missing altogether, so that there is nothing to build; `isSystemOld` is true
 *   when the ready-made binary needs newer system libraries
 */
export function rebuildHint(
  folder: string,
  { isInstalled, isSystemOld = false }: { readonly isInstalled: boolean; readonly isSystemOld?: boolean },
): string {
  const [owner = folder, ...inside] = folder.split(`${path.sep}node_modules${path.sep}`);
  const isClone = inside.length === 0;
  const project = isClone ? nearestPackage(folder) : owner;
  const isGlobal = !existsSync(path.join(project, 'package.json'));
  if (!isInstalled && !isClone) return `Install remit again with this Node.js, ${OTHERWISE}.`;
  const command = isGlobal ? '`npm rebuild --global`' : `\`npm ${isInstalled ? 'rebuild' : 'ci'}\` in ${project}`;
  return isSystemOld
    ? `Install python3, make and a C++ compiler and run ${command}, which compiles SQLite; ${OTHERWISE}.`
    : `Run ${command} with this Node.js (on Node.js 20 it needs python3, make and a C++ compiler), ${OTHERWISE}.`;
}

const OTHERWISE = 'or use Node.js 22.16 or later, which has an SQLite of its own';

/** By the lock file: the folder of the build has a package.json of its own. */
function nearestPackage(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, 'npm-shrinkwrap.json')) || parent === folder ? folder : nearestPackage(parent);
}
