import { createHash, randomBytes } from 'node:crypto';
import { constants, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { PRIVATE_FILE } from '../private.ts';

/** `.remit-MACHINE-PROCESS-RANDOM.tmp`, which cannot be foretold; also a lock, or SQLite's files beside them. */
const TEMPORARY_NAME =
  /^\.remit-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{32}\.(?:tmp(?:-wal|-shm|-journal)?|lock(?:-journal)?)$/;
/** This machine's name in file names: machines may share a folder. */
export const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** A process of another machine cannot be asked whether it lives: after this time its file is taken for left behind. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Makes a new file in the folder of the file that it will replace, of a name that nobody can foretell, readable by its
 * owner alone. Never opens one that is there, nor follows a link. Files that killed runs left in the folder are removed
 * first.
 */
export async function openTemporary(folder: string) {
  await removeAbandoned(folder);
  const name = `.remit-${MACHINE}-${process.pid}-${randomBytes(16).toString('hex')}.tmp`;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const target = path.join(folder, name);
  return { path: target, handle: await open(target, flags, PRIVATE_FILE) };
}

/** Removes what runs that were killed left in a folder. A file that cannot be removed is no reason to fail. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, machine, pid] = TEMPORARY_NAME.exec(name) ?? [];
    if (machine === undefined) continue;
    const file = path.join(folder, name);
    const abandoned = machine === MACHINE ? !isProcessAlive(Number(pid)) : await isOld(file);
    if (abandoned) await rm(file, { force: true }).catch(() => {});
  }
}

/** A process of this machine is running, under any user. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and another user's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function isOld(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => null);
  return status !== null && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS;
}

const PREFIX = `remit-${MACHINE}-`;
/** After the prefix: the process, and what mkdtemp puts behind it. */
const AFTER_PREFIX = /^(\d{1,10})-[A-Za-z0-9]{6}$/;

/**
 * Makes a folder for what is thrown away, under the system's folder for temporary files: its owner's alone, of a name
 * that nobody can foretell. Those that killed runs left there are removed first.
 */
export function makeTemporaryFolder(): string {
  return makeFolderIn(tmpdir(), PREFIX);
}

/**
 * Makes a folder beside the one that it will become, hidden until then and its owner's alone. Those that killed runs
 * left there are removed first: they hold money and names.
 *
 * @param folder absolute; the one above it is there
 */
export function makeFolderBeside(folder: string): string {
  return makeFolderIn(path.dirname(folder), `.${PREFIX}`);
}

/** Makes a folder whose name begins with a prefix, and removes those of that prefix that killed runs left. */
function makeFolderIn(parent: string, prefix: string): string {
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(prefix) ? (AFTER_PREFIX.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) removeOwn(path.join(parent, name));
  }
  return mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
}

/**
 * The folder for temporary files is everybody's: another user's folder is left alone, and so is one that cannot be
 * removed.
 */
function removeOwn(folder: string): void {
  try {
    const status = lstatSync(folder);
    const isOwn = process.getuid === undefined || status.uid === process.getuid();
    if (isOwn && status.isDirectory()) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another run removed it first.
  }
}
