import { constants, realpathSync, type Stats, statSync } from 'node:fs';
import { access, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesError, type NamedTarget, type PartOfBooks } from '../../words/errors/files.ts';
import { FileError } from '../errors.ts';
import { explainWriteFault } from './read.ts';
import { openTemporary } from './temporary.ts';

/** Windows answers so while a virus scanner or an indexer has one of the files open: mostly for some milliseconds. */
const HELD_FOR_A_MOMENT = ['EACCES', 'EBUSY', 'EPERM'];
/** Milliseconds to wait before each further attempt: some three seconds in all. */
const WAITS = [10, 25, 50, 100, 200, 400, 800, 1_500];

/**
 * Renames a file or folder, and replaces a file that has the new name. On Windows it is tried for some three seconds,
 * because other programs hold files open there for a moment.
 *
 * @throws the system's error, such as EPERM when another program keeps the file open
 */
export async function renameOver(
  from: string,
  to: string,
  { platform, move, wait }: RenameBy = { platform: process.platform, move: rename, wait: sleep },
): Promise<void> {
  for (const delay of platform === 'win32' ? WAITS : []) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!HELD_FOR_A_MOMENT.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await wait(delay);
    }
  }
  await move(from, to);
}

/** The system's functions with which a file is renamed; tests pass others. */
interface RenameBy {
  readonly platform: NodeJS.Platform;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const BY_FLAG: NamedTarget = { noun: 'file', flag: '--out' };

/**
 * Writes a file so that it appears whole or not at all: a new file beside the target, readable by its owner alone,
 * flushed to disk, then renamed over it. Whatever fails, the target is as it was and nothing else is left behind.
 *
 * @param choice how the target was chosen, for the hints
 * @param write writes the content; called with the target's folder, once the target has been found writable
 * @throws FileError when the target is open in a spreadsheet program or no regular file, its folder is missing or
 * read-only, the disk is full
 */
export async function replaceFile(
  target: string,
  write: (handle: FileHandle, folder: string) => Promise<void>,
  choice: NamedTarget = BY_FLAG,
): Promise<void> {
  const file = await resolveTarget(target, choice);
  await refuseIfOpenElsewhere(file);
  try {
    const temporary = await openTemporary(path.dirname(file));
    try {
      try {
        await write(temporary.handle, path.dirname(file));
        await temporary.handle.sync();
      } finally {
        await temporary.handle.close();
      }
      await renameOver(temporary.path, file);
    } catch (error) {
      await rm(temporary.path, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolder(path.dirname(file));
  } catch (error) {
    throw explainWriteFault(error, file, choice);
  }
}

/** The file that a symbolic link points to, so that the link survives. Checks beforehand what can be checked. */
async function resolveTarget(target: string, choice: NamedTarget): Promise<string> {
  const file = await realpath(target).catch(() => path.resolve(target));
  const folder = await stat(path.dirname(file)).catch(() => null);
  if (!folder?.isDirectory()) {
    const why = { id: 'no-folder', folder: path.dirname(file) } as const;
    throw new FileError(filesError({ id: 'cannot-be-written', file, why, choice }));
  }
  const present = await stat(file).catch(() => null);
  if (present === null) return file;
  if (present.isDirectory()) throw new FileError(filesError({ id: 'no-file', file, is: 'folder', choice }));
  // A rename would put a file in the place of a pipe or a device.
  if (!present.isFile()) throw new FileError(filesError({ id: 'no-file', file, is: 'not-regular', choice }));
  await access(file, constants.W_OK).catch((error: unknown) => {
    throw explainWriteFault(error, file, choice);
  });
  return file;
}

/** LibreOffice and Excel leave a small owner file beside a document for as long as it is open. */
async function refuseIfOpenElsewhere(file: string): Promise<void> {
  const owners = { LibreOffice: `.~lock.${path.basename(file)}#`, Excel: `~$${path.basename(file)}` };
  for (const [program, name] of Object.entries(owners)) {
    const owner = path.join(path.dirname(file), name);
    if (!(await stat(owner).catch(() => null))) continue;
    throw new FileError(filesError({ id: 'open-in', file, program, owner }));
  }
}

/** Flushes the folder, so that the new name survives a power cut. Windows cannot open a folder: nothing to do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  try {
    await handle?.sync();
  } catch {
    // Some file systems refuse it; the file itself is on disk.
  } finally {
    await handle?.close();
  }
}

export interface ProtectedFile {
  readonly path: string;
  readonly is: PartOfBooks;
}

/**
 * Refuses a target that is one of the protected files, under whatever name: through links, symbolic or hard, and by
 * another spelling of its path. To be asked before anything is written.
 *
 * @throws FileError
 */
export function refuseProtected(target: string, files: readonly ProtectedFile[]): void {
  const targetStatus = status(target);
  for (const file of files) {
    const isSame = canonical(target) === canonical(file.path) || isOneFile(targetStatus, status(file.path));
    if (isSame) throw new FileError(filesError({ id: 'own-file', file: target, is: file.is }));
  }
}

function status(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: false });
}

/** 0 is no number of a file: some file systems give none. */
function isOneFile(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino !== 0 && a.ino === b.ino && a.dev === b.dev;
}

/** The path with the links of its folder resolved: the file itself need not be there. */
function canonical(file: string): string {
  const absolute = path.resolve(file);
  const folder = path.dirname(absolute);
  let resolved = folder;
  try {
    resolved = realpathSync(folder);
  } catch {
    // A folder that is not there holds no file to protect.
  }
  const full = path.join(resolved, path.basename(absolute));
  // Their file systems take both spellings for one file.
  return process.platform === 'win32' || process.platform === 'darwin' ? full.toLowerCase() : full;
}
