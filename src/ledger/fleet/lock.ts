import { takeLock } from '../dialect/sqlite/lock.ts';

/** Does something to a file of a fleet's folder while nobody else does. @throws LedgerBusyError while another command holds it longer than `waitMs` */
export async function usingFleetLock<T>(file: string, use: () => Promise<T>, waitMs = 0): Promise<T> {
  const release = takeLock(file, 'fleet', waitMs);
  try {
    return await use();
  } finally {
    release();
  }
}
