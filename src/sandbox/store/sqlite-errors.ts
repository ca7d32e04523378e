import { FileError } from '../../base/errors.ts';

/** The message and hint for each kind of failure, given the file's name. */
const REMEDIES: Record<string, (file: string) => [message: string, hint: string]> = {
  SQLITE_NOTADB: (file) => [`${file} is not a database`, 'Name another file with --data; this one is left as it is.'],
  SQLITE_CORRUPT: (file) => [`${file} is damaged`, 'Restore a copy of it, or move it away and seed a new one.'],
  SQLITE_FULL: (file) => [
    `the disk that holds ${file} is full`,
    'Free some space and run the command again; what was done before is kept.',
  ],
  SQLITE_CANTOPEN: (file) => [
    `${file} cannot be opened or made`,
    'Check that its folder exists and that you may write there: a read-only disk will not do.',
  ],
  SQLITE_READONLY: (file) => [
    `${file} or its folder is read-only`,
    'Give yourself write permission on the folder (SQLite keeps its journal there), or name another file with --data.',
  ],
  SQLITE_PERM: (file) => [`${file} may not be accessed`, 'Check the permissions of the file and its folder.'],
  SQLITE_BUSY: (file) => [`${file} is being written by another process`, 'Wait until it has finished, then try again.'],
  SQLITE_IOERR: (file) => [
    `the disk failed while reading or writing ${file}`,
    'Check the disk (is it full, unplugged, or a network folder?) and run the command again.',
  ],
};

/** An error is SQLite's, of any kind or of one such as `SQLITE_BUSY`. */
export function isSqliteError(error: unknown, kind = 'SQLITE_'): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith(kind);
}

/** A failure of SQLite as an error that names the service's file and the remedy; any other error unchanged. */
export function explainStoreFault(error: unknown, file: string): unknown {
  const fileError = ([message, hint]: [string, string]) => new FileError(message, hint, { cause: error });
  if (!isSqliteError(error)) return error;
  const kind = Object.keys(REMEDIES).find((prefix) => error.code.startsWith(prefix));
  if (kind !== undefined) return fileError(REMEDIES[kind]!(file));
  return fileError([
    `${file} cannot be read or written: ${error.message}`,
    'Check the file, its folder and the disk; what was done before is kept.',
  ]);
}
