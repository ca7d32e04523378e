import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../base/sqlite.ts';
import { busy, describeHolder, type Work } from '../lock-holder.ts';

/** The side lock's file beside a ledger: `ledger.db` → `ledger.lock`. The same through a link. */
export function lockFile(ledgerFile: string): string {
  const { dir, name } = path.parse(existsSync(ledgerFile) ? realpathSync(ledgerFile) : ledgerFile);
  return path.join(dir, `${name}.lock`);
}

/**
 * Takes the ledger's side lock: a writing transaction on a small database of its own, which also says what its holder does. The operating
 * system frees it when the process ends in whatever way, `kill -9` included, so it can never be left behind.
 *
 * @param work what for, as those are told who find it taken
 * @param waitMs how long to wait for another holder; 0 gives up at once
 * @returns releases the lock
 * @throws LedgerBusyError while another process holds it
 */
export function takeLock(ledgerFile: string, work: Work, waitMs = 0): () => void {
  const file = lockFile(ledgerFile);
  const handle = openDatabase(file, { timeout: waitMs });
  try {
    handle.exec('begin immediate');
    handle.pragma(`busy_timeout = ${COMMIT_MS}`);
    handle.exec('create table if not exists holder (text text not null); delete from holder');
    handle.prepare('insert into holder values (?)').run(describeHolder(work));
    // Others can read only what is committed, so the lock is taken a second time.
    handle.exec('commit; begin immediate');
  } catch (error) {
    handle.close();
    if (isBusy(error)) throw busy(ledgerFile, holderIn(file));
    throw error;
  }
  return () => handle.close();
}

/** Longer than anybody reads who holds the lock. */
const COMMIT_MS = 1_000;

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
}

/** Null where the holder cannot be read just now. */
function holderIn(file: string): string | null {
  const handle = openDatabase(file, { readonly: true, timeout: 0 });
  try {
    return handle.prepare<[], { text: string }>('select text from holder').get()?.text ?? null;
  } catch {
    return null;
  } finally {
    handle.close();
  }
}
