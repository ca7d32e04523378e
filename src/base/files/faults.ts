import { FileError, RemitError } from '../errors.ts';

/** How a person chooses where a file goes, for hints: `name another file with --out`, `name another folder`. */
export interface Choice {
  readonly noun: 'file' | 'folder';
  /** Such as ` with --out`. */
  readonly by: string;
}

/** A failed write in the words of the person who asked for the file; anything that is no such failure as it is. */
export function explainWriteFault(error: unknown, path: string, { noun, by }: Choice): unknown {
  if (error instanceof RemitError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const fault = (what: string, hint: string) =>
    new FileError(`${path} cannot be written: ${what}`, hint, { cause: error });
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return fault('the disk is full', `Free some space, or name a ${noun} on another disk${by}.`);
    case 'EFBIG':
      return fault('it grew beyond the size that is allowed', 'Raise the limit (ulimit -f), or choose another disk.');
    case 'EBUSY':
    case 'EPERM':
    case 'ETXTBSY':
      return fault('it is open in another program', 'Close it there and run the command again.');
    case 'EACCES':
      // Windows says so of a file that is open, too.
      if (process.platform === 'win32')
        return fault('it is open in another program, or read-only', 'Close it there and run the command again.');
      return fault('it or its folder is read-only', `Ask for the right to write there, or name another ${noun}${by}.`);
    case 'EROFS':
      return fault('it or its folder is read-only', `Ask for the right to write there, or name another ${noun}${by}.`);
    case 'ENAMETOOLONG':
      return fault('its name is too long', `Name a shorter ${noun}${by}.`);
    case undefined:
      return error;
    default:
      return fault(message, `Look at the disk, or name another ${noun}${by}.`);
  }
}
