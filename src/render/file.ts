import { constants } from 'node:fs';
import { access, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError, RemitError } from '../errors.ts';
import { batched, type Pieces } from './output.ts';

/**
 * Writes a file so that it appears whole or not at all: a new file beside the target, flushed to disk, then renamed
 * over it. Whatever fails, the target is as it was and nothing else is left behind.
 *
 * @param make makes the content; called when the target has been found writable
 * @throws FileError when the target is open in a spreadsheet program, its folder is missing or read-only, the disk is full
 */
export async function replaceFile(target: string, make: () => Promise<Pieces>): Promise<void> {
  const path = await resolveTarget(target);
  await refuseIfOpenElsewhere(path);
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const handle = await open(temporary, 'w');
    try {
      for await (const piece of batched(await make())) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw explainFileFault(error, path);
  }
}

/** The file that a symbolic link stands for, so that the link survives; checks what can be known beforehand. */
async function resolveTarget(target: string): Promise<string> {
  const path = await realpath(target).catch(() => resolve(target));
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) {
    throw new FileError(
      `${path} cannot be written: there is no folder ${dirname(path)}`,
      'Make the folder, or name another file with --out.',
    );
  }
  const present = await stat(path).catch(() => null);
  if (present?.isDirectory()) {
    throw new FileError(`${path} is a folder`, 'Name a file with --out.');
  }
  if (present) {
    await access(path, constants.W_OK).catch((error: unknown) => {
      throw explainFileFault(error, path);
    });
  }
  return path;
}

/** LibreOffice and Excel leave a small owner file beside a document for as long as it is open. */
async function refuseIfOpenElsewhere(path: string): Promise<void> {
  const owners = { LibreOffice: `.~lock.${basename(path)}#`, Excel: `~$${basename(path)}` };
  for (const [program, name] of Object.entries(owners)) {
    const owner = join(dirname(path), name);
    if (!(await stat(owner).catch(() => null))) continue;
    throw new FileError(
      `${path} is open in ${program}`,
      `Close it there and run the command again; if it is not open anywhere, delete ${owner}.`,
    );
  }
}

function explainFileFault(error: unknown, path: string): unknown {
  if (error instanceof RemitError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const fault = (what: string, hint: string) =>
    new FileError(`${path} cannot be written: ${what}`, hint, { cause: error });
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return fault('the disk is full', 'Free some space, or name a file on another disk with --out.');
    case 'EBUSY':
    case 'EPERM':
    case 'ETXTBSY':
      return fault('it is open in another program', 'Close it there and run the command again.');
    case 'EACCES':
    case 'EROFS':
      return fault(
        'it or its folder is read-only',
        'Ask for the right to write there, or name another file with --out.',
      );
    case 'ENAMETOOLONG':
      return fault('its name is too long', 'Name a shorter file with --out.');
    case undefined:
      return error;
    default:
      return fault(message, 'Look at the disk, or name another file with --out.');
  }
}
