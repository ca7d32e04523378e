import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Store } from '../../../sandbox/store/store.ts';
import type { Session } from '../../session.ts';

/** `--data`, which every command of `remit sandbox` on a service's file takes. */
export const dataOption = () => new Option('--data <file>', "the service's file").makeOptionMandatory();

/**
 * Opens the service file that `--data` names, and closes it after the work.
 *
 * @param work returns no promise: the file is closed when it returns
 * @throws FileError if it cannot be opened or written, or if it does not exist and `mustExist` is set
 */
export async function usingStore<T>(
  session: Session,
  data: string,
  options: { mustExist?: boolean },
  work: (store: Store) => T,
): Promise<T> {
  const { explainStoreFault, openStore } = await import('../../../sandbox/store/open.ts');
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
