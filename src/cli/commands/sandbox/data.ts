import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Store } from '../../../sandbox/store/store.ts';
import type { Session } from '../../session.ts';

/** For every command of the service. */
export const dataOption = () => new Option('--data <file>', "the service's file").makeOptionMandatory();

/**
 * Opens the service file that `--data` names, and closes it after the work.
 *
 * @throws FileError if it cannot be opened or written, or with `mustExist` does not exist
 */
export async function usingStore<T>(
  session: Session,
  data: string,
  options: { mustExist?: boolean },
  work: (store: Store) => T,
): Promise<T> {
  const [{ openStore }, { explainStoreFault }] = await Promise.all([
    import('../../../sandbox/store/open.ts'),
    import('../../../sandbox/store/sqlite-errors.ts'),
  ]);
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
