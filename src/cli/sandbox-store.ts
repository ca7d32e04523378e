import path from 'node:path';
import { explainStoreFault } from '../sandbox/store/faults.ts';
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
  const file = path.resolve(session.io.cwd, data);
  const store = openStore(file, options);
  try {
    return work(store);
  } catch (error) {
    throw explainStoreFault(error, file);
  } finally {
    store.close();
  }
}
