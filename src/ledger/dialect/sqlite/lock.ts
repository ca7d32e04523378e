import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { LedgerBusyError } from '../../../errors.ts';
import { openDatabase } from '../../../sqlite.ts';

/** The side lock's file beside a ledger: `ledger.db` → `ledger.lock`. Whoever comes by another name, through a link, meets the same. */
export function lockFile(ledgerFile: string): string {
  const { dir, name } = path.parse(existsSync(ledgerFile) ? realpathSync(ledgerFile) : ledgerFile);
  return path.join(dir, `${name}.lock`);
}

/**
 * Takes the ledger's side lock: an exclusive transaction on a small database of its own. The operating system frees it when the
 * process ends in whatever way, `kill -9` included, so it can never be left behind.
 *
 * @param waitMs how long to wait for another holder; 0 gives up at once
 * @returns releases the lock
 * @throws LedgerBusyError while another process holds it
 */
export function takeLock(ledgerFile: string, waitMs = 0): () => void {
  const file = lockFile(ledgerFile);
  const handle = openDatabase(file, { timeout: waitMs });
  try {
    handle.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    handle.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) {
      throw new LedgerBusyError(
        `another sync is at work on ${ledgerFile}`,
        'Wait until it has finished, or stop it; what it has fetched so far is kept.',
      );
    }
    throw error;
  }
  return () => handle.close();
}
