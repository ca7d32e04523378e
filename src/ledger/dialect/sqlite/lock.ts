import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../base/sqlite.ts';
import type { Work } from '../../../words/errors/ledger.ts';
import { busyError, describeHolder } from '../dialect.ts';

/** The file of a ledger's lock: `ledger.lock` next to `ledger.db`, also if the ledger is reached through a link. */
export function lockFile(ledgerFile: string): string {
  const { dir, name } = path.parse(existsSync(ledgerFile) ? realpathSync(ledgerFile) : ledgerFile);
  return path.join(dir, `${name}.lock`);
}

/** The file of a courier's lock: `ledger.courier-swift.lock`. The ledger `ledger.swift.db` has `ledger.swift.lock`. */
const courierLockFile = (ledgerLock: string, courier: string) => ledgerLock.replace(/lock$/, `courier-${courier}.lock`);

/** The files of all couriers' locks that were ever taken. */
export function courierLockFiles(ledgerLock: string): string[] {
  const { dir, name } = path.parse(ledgerLock);
  const files = existsSync(dir) ? readdirSync(dir) : [];
  return files
    .filter((file) => file.startsWith(`${name}.courier-`) && file.endsWith('.lock'))
    .map((file) => path.join(dir, file));
}

/**
 * Takes the lock of a ledger or of one courier: a writing transaction on a small SQLite file of its own, which also
 * names the holder's work. The operating system ends it however the process ends, `kill -9` included, so it is never
 * left behind.
 *
 * @param work the work to name to others who find the lock taken
 * @param waitMs how long to wait for another holder; 0 gives up at once
 * @param courier the key of the courier that the work is for: work for other couriers may go on
 * @returns a function that releases the lock
 * @throws LedgerBusyError while another process holds it
 */
export function takeLock(ledgerFile: string, work: Work, waitMs = 0, courier?: string): () => void {
  const ledgerLock = lockFile(ledgerFile);
  const takeFor = (file: string) => lockByFile(file, { ledgerFile, work, waitMs });
  // One courier's work at a time in this process: a connection that waits for another one's write blocks the process,
  // and so that write too.
  if (courier !== undefined && COURIER_LOCKS_HERE.has(ledgerLock)) throw busyError(ledgerFile, describeHolder(work));
  const release = takeFor(courier === undefined ? ledgerLock : courierLockFile(ledgerLock, courier));
  try {
    // Each takes its lock first, then tries the other kind and gives it back at once: so of two processes at least one
    // sees the other.
    if (courier === undefined) for (const file of courierLockFiles(ledgerLock)) takeFor(file)();
    else takeWholeLock(ledgerFile, work, Math.max(waitMs, GLANCE_MS))();
  } catch (error) {
    release();
    throw error;
  }
  if (courier === undefined) return release;
  COURIER_LOCKS_HERE.add(ledgerLock);
  return () => {
    COURIER_LOCKS_HERE.delete(ledgerLock);
    release();
  };
}

/** The lock files of the ledgers for which this process holds a courier's lock. */
const COURIER_LOCKS_HERE = new Set<string>();

/** Longer than another courier's process holds the whole ledger's lock when it tries it. */
const GLANCE_MS = 1_000;

/** {@link takeLock} for the whole ledger, whatever locks of couriers there are. */
export function takeWholeLock(ledgerFile: string, work: Work, waitMs: number): () => void {
  return lockByFile(lockFile(ledgerFile), { ledgerFile, work, waitMs });
}

function lockByFile(
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
    if (isBusy(error)) throw busyError(ledgerFile, readHolder(file));
    throw error;
  }
  return () => handle.close();
}

/** Longer than anybody takes to read the holder. */
const COMMIT_MS = 1_000;

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
}

/** The holder's text in a lock file; null if it cannot be read just now. */
function readHolder(file: string): string | null {
  const handle = openDatabase(file, { readonly: true, timeout: 0 });
  try {
    return handle.prepare<[], { text: string }>('select text from holder').get()?.text ?? null;
  } catch {
    return null;
  } finally {
    handle.close();
  }
}
