import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../base/sqlite.ts';
import { busy, describeHolder, type Work } from '../lock-holder.ts';

/** The side lock's file beside a ledger: `ledger.db` → `ledger.lock`. The same through a link. */
export function lockFile(ledgerFile: string): string {
  const { dir, name } = path.parse(existsSync(ledgerFile) ? realpathSync(ledgerFile) : ledgerFile);
  return path.join(dir, `${name}.lock`);
}

/** The lock of one courier: `ledger.courier-swift.lock`. A ledger `ledger.swift.db` in the same folder has another. */
const courierLockFile = (whole: string, courier: string) => whole.replace(/lock$/, `courier-${courier}.lock`);

/** The locks of couriers that were ever taken. */
export function courierLockFiles(whole: string): string[] {
  const { dir, name } = path.parse(whole);
  const files = existsSync(dir) ? readdirSync(dir) : [];
  return files
    .filter((file) => file.startsWith(`${name}.courier-`) && file.endsWith('.lock'))
    .map((file) => path.join(dir, file));
}

/**
 * Takes the ledger's side lock: a writing transaction on a small database of its own, which also says what its holder does. The operating
 * system frees it when the process ends in whatever way, `kill -9` included, so it can never be left behind.
 *
 * @param work what for, as those are told who find it taken
 * @param waitMs how long to wait for another holder; 0 gives up at once
 * @param courier the key of the one courier that the work is of: others' work goes on, that of the whole ledger does not
 * @returns releases the lock
 * @throws LedgerBusyError while another process holds it
 */
export function takeLock(ledgerFile: string, work: Work, waitMs = 0, courier?: string): () => void {
  const whole = lockFile(ledgerFile);
  const take = (file: string) => takeFile(file, { ledgerFile, work, waitMs });
  // A connection that waits for another one's transaction stops its process, and so the other one too.
  if (courier !== undefined && COURIERS_HERE.has(whole)) throw busy(ledgerFile, describeHolder(work));
  const release = take(courier === undefined ? whole : courierLockFile(whole, courier));
  try {
    // Each takes its lock first and looks at the other kind then, so that of two at least one sees the other.
    if (courier !== undefined) takeWholeFile(ledgerFile, work, Math.max(waitMs, GLANCE_MS))();
    else for (const file of courierLockFiles(whole)) take(file)();
  } catch (error) {
    release();
    throw error;
  }
  if (courier === undefined) return release;
  COURIERS_HERE.add(whole);
  return () => {
    COURIERS_HERE.delete(whole);
    release();
  };
}

/** The ledgers, by their locks, of which this process holds a courier's lock. */
const COURIERS_HERE = new Set<string>();

/** Longer than another courier's look at the whole ledger's lock. */
const GLANCE_MS = 1_000;

/** Takes the whole ledger's lock whatever the locks of couriers are. @returns releases it @throws LedgerBusyError while another process holds it */
export function takeWholeFile(ledgerFile: string, work: Work, waitMs: number): () => void {
  return takeFile(lockFile(ledgerFile), { ledgerFile, work, waitMs });
}

function takeFile(
  file: string,
  { ledgerFile, work, waitMs }: { readonly ledgerFile: string; readonly work: Work; readonly waitMs: number },
): () => void {
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
