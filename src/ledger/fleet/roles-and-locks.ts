import { rm } from 'node:fs/promises';
import type { Place } from '../../base/place.ts';
import { dialectOf, filesOf } from '../dialect/index.ts';
import { quotedName, usingConnection } from '../dialect/postgres/client.ts';
import { takeLock } from '../dialect/sqlite/lock.ts';
import { grantsOf } from '../open.ts';

/** Makes a ledger's roles with their rights. @returns null, or the server's message if this user may not make roles */
export async function makeRoles(place: Place): Promise<string | null> {
  const sql = await grantsOf(place);
  if (sql === null || place.kind === 'file') return null;
  try {
    await usingConnection(place, 'writer', (client) => client.query(sql));
    return null;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return (error as Error).message;
    throw (await dialectOf(place)).explain(error, place);
  }
}

/** Deletes a ledger's schema or files. @throws LedgerBusyError while a command is at work on it */
export async function removeLedger(place: Place): Promise<void> {
  const dialect = await dialectOf(place);
  const lock = await dialect.lock(place, 'fleet', 0);
  try {
    if (place.kind === 'server') {
      const dropping = `drop schema ${quotedName(place.schema)} cascade`;
      await usingConnection(place, 'writer', (client) => client.query(dropping));
      return;
    }
  } catch (error) {
    throw dialect.explain(error, place);
  } finally {
    await lock.release();
  }
  for (const file of filesOf(place)) await rm(file, { force: true });
}

/** Runs `use` with the lock of a file in a fleet's folder. @throws LedgerBusyError if held longer than `waitMs` */
export async function usingFleetLock<T>(file: string, use: () => Promise<T>, waitMs = 0): Promise<T> {
  const release = takeLock(file, 'fleet', waitMs);
  try {
    return await use();
  } finally {
    release();
  }
}
