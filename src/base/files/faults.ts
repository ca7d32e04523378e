import { because, type Choice, type Unwritable } from '../../words/errors/files.ts';
import { FileError, RemitError } from '../errors.ts';

/** A failed write in the words of the person who asked for the file; anything that is no such failure as it is. */
export function explainWriteFault(error: unknown, file: string, choice: Choice): unknown {
  if (error instanceof RemitError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const why = whyNot(code) ?? { id: 'other', says: message };
  return new FileError(because({ id: 'cannot-be-written', file, why, choice }), { cause: error });
}

function whyNot(code: string): Unwritable | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return { id: 'disk-full' };
    case 'EFBIG':
      return { id: 'too-large' };
    case 'EBUSY':
    case 'EPERM':
    case 'ETXTBSY':
      return { id: 'open-elsewhere' };
    case 'EACCES':
      // Windows says so of a file that is open, too.
      return { id: process.platform === 'win32' ? 'open-or-read-only' : 'read-only' };
    case 'EROFS':
      return { id: 'read-only' };
    case 'ENAMETOOLONG':
      return { id: 'name-too-long' };
    default:
      return undefined;
  }
}
