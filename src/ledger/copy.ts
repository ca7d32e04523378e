import { rm } from 'node:fs/promises';
import path from 'node:path';
import { FileError, LedgerError } from '../base/errors.ts';
import { makeTemporaryFolder } from '../base/files/temporary.ts';
import { describePlace, type Place, placeOf } from '../base/place.ts';
import { ledgerError } from '../words/errors/ledger.ts';
import { type Copied, copyRows, insertAll } from './copy-rows.ts';
import type { DamageDepth } from './dialect/dialect.ts';
import { dialectOf, fillTables } from './dialect/index.ts';
import { findDamage, type Ledger, type LedgerTransaction, ledgerExists, usingLedger } from './open.ts';
import { type LedgerReader, usingSnapshot } from './queries/snapshot.ts';
import { replaceLedgerFile } from './replace-file.ts';
import type { LedgerSchema } from './schema.ts';
import { tableNames } from './schema-state.ts';
import { ALL_TABLES } from './tables.ts';
import { migrateWith, type Upgrading } from './upgrade.ts';

/**
 * Copies a ledger between any two places, even while a sync writes to it. The copy is read again and compared before it
 * is kept. It is whole, or it is not there: even if this process is killed.
 *
 * @param to holds no ledger yet, or an empty one
 * @param upgrading how either ledger is upgraded if an earlier remit made it
 * @throws LedgerError when `to` holds rows, or the copy does not equal its original
 */
export function copyLedger(from: Place, to: Place, upgrading: Upgrading = {}): Promise<Copied> {
  return usingLedger(from, { ...upgrading, readOnly: true }, async (source) => {
    if (to.kind === 'server') return fillServer(source, to, upgrading);
    if (await ledgerExists(to)) await usingLedger(to, upgrading, requireEmpty);
    // Without waiting: if another command works on `to`, the copy is refused.
    const lock = await (await dialectOf(to)).lock(to, 'copy', 0);
    try {
      return await replaceLedgerFile(to.file, async (file) => {
        const copied = await fillFile(source, file, copyRows);
        await requireSound(file, source.name, 'pages');
        return copied;
      });
    } finally {
      await lock.release();
    }
  });
}

/**
 * Copies a ledger to a new file: with the backup command of its database if it has one, else row by row. The rows are
 * not compared with the original's: only `copyRows` does that.
 *
 * @returns how deep to look for damage in the copy: pages of the database's backup may be those of a damaged original,
 * while rows filled in are whole, and only a row to which another refers may be missing
 */
async function copyToFile(from: Ledger, file: string): Promise<DamageDepth> {
  const { copyToFile: copy } = await dialectOf(from.place);
  if (copy) {
    await copy(from.place, file);
    return 'pages';
  }
  await fillFile(from, file, (read, write) => insertAll(read, write, ALL_TABLES));
  return 'references';
}

/** Makes a ledger in an empty file, and fills it from a snapshot of another one. */
function fillFile<T>(
  source: Ledger,
  file: string,
  fill: (from: LedgerReader, to: LedgerTransaction, name: string) => Promise<T>,
): Promise<T> {
  return usingLedger(file, { create: true }, (target) =>
    usingSnapshot(source, (db) => fillTables(target.db, (transaction) => fill(db, transaction, target.name))),
  );
}

async function requireSound(file: string, name: string, depth: DamageDepth): Promise<void> {
  const [why] = await usingLedger(file, {}, (copy) => findDamage(copy, depth));
  if (why !== undefined) throw new LedgerError(ledgerError({ id: 'copy-not-sound', ledger: name, why }));
}

/** Makes the schema and the rows in one transaction: until it commits, the server holds no ledger. */
function fillServer(source: Ledger, to: Place, upgrading: Upgrading): Promise<Copied> {
  return usingLedger(to, { ...upgrading, create: true, exclusive: 'copy', leavesSchemaToUse: true }, async (target) => {
    if ((await tableNames(await dialectOf(to), target.connection)).length > 0) await requireEmpty(target);
    return usingSnapshot(source, (db) => migrateWith(target, (connection) => copyRows(db, connection, target.name)));
  });
}

async function requireEmpty({ db, name }: Ledger): Promise<void> {
  for (const table of Object.keys(ALL_TABLES) as (keyof LedgerSchema)[]) {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row) throw new LedgerError(ledgerError({ id: 'holds-ledger', ledger: name }));
  }
}

/**
 * Writes a complete copy of a ledger to a file, even while a sync writes to it. The copy is checked before it appears
 * under its name. A file of that name is replaced: the caller asks the user first.
 *
 * @throws LedgerError when the ledger cannot be read or the copy is not sound, FileError when the copy cannot be
 * written
 */
export async function backupLedger(place: Place, target: string, upgrading: Upgrading = {}): Promise<void> {
  const name = describePlace(place);
  if (path.resolve(target) === name) {
    throw new FileError(ledgerError({ id: 'copy-is-ledger', file: target }));
  }
  await usingLedger(place, { ...upgrading, readOnly: true }, async (ledger) => {
    try {
      await replaceLedgerFile(target, async (copy) => {
        await requireSound(copy, name, await copyToFile(ledger, copy));
      });
    } catch (error) {
      const file = placeOf(target);
      throw (await dialectOf(file)).explain(error, file);
    }
  });
}

/** Lends an empty ledger in a temporary folder, and deletes it when `use` has ended. */
export async function usingScratchLedger<T>(use: (ledger: Ledger) => Promise<T>): Promise<T> {
  return usingScratchFile((file) => usingLedger(file, { create: true, scratch: true }, use));
}

/** Lends a copy of a ledger in a temporary folder, and deletes it when `use` has ended. */
export async function usingScratchCopy<T>(ledger: Ledger, use: (copy: Ledger) => Promise<T>): Promise<T> {
  return usingScratchFile(async (file) => {
    await copyToFile(ledger, file);
    return usingLedger(file, { scratch: true }, use);
  });
}

async function usingScratchFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = makeTemporaryFolder();
  try {
    return await use(path.join(folder, 'ledger.db'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
