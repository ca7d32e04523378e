import path from 'node:path';
import { FileError } from '../errors.ts';
import { openStore } from '../sandbox/store/open.ts';
import type { Store } from '../sandbox/store/store.ts';
import type { Session } from './session.ts';

/**
 * Opens the service file that `--data` names, relative to the current folder, and closes it after the work.
 *
 * @throws FileError when it cannot be opened or written, or with `mustExist` is not there
 */
export function usingStore<T>(
  session: Session,
  data: string,
  options: { mustExist?: boolean },
  work: (store: Store) => T,
): T {
  const store = openStore(path.resolve(session.io.cwd, data), options);
  try {
    return work(store);
  } catch (error) {
    throw explain(error, data);
  } finally {
    store.close();
  }
}

/** What kept SQLite from reading or writing the file, in words. */
function explain(error: unknown, data: string): unknown {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_'))) return error;
  if (String(error.code).startsWith('SQLITE_BUSY')) {
    return new FileError(`${data} is being written by another process`, 'Try again when it has finished.', {
      cause: error,
    });
  }
  return new FileError(
    `${data} cannot be read or written: ${error.message}`,
    'Check the file, its folder and the disk; what was done before is kept.',
    { cause: error },
  );
}
