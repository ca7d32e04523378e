import path from 'node:path';
import { FileError, LedgerError } from '../base/errors.ts';
import { describePlace, type Place, placeOf } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import { type Copied, copyRows, insertAll } from './copy-rows.ts';
import { dialectOf, fillTables } from './dialect/index.ts';
import { migrateWith } from './migrate.ts';
import { findDamage, type Ledger, type LedgerTransaction, ledgerExists, usingLedger } from './open.ts';
import { type LedgerReader, usingSnapshot } from './queries/snapshot.ts';
import { replaceLedgerFile } from './replace-file.ts';
import type { LedgerSchema } from './schema.ts';
import { tableNames } from './schema-state.ts';
import { ALL_TABLES } from './tables.ts';
import type { Upgrading } from './upgrade.ts';

/**
 * Copies a ledger between any two places, also while a sync is at work: whole or not at all, also when this process is killed. The
 * copy is read again and compared before it is kept.
 *
 * @param to holds no ledger yet, or an empty one
 * @throws LedgerError when it holds anything, or the copy does not come out equal
 */
export function copyLedger(from: Place, to: Place, upgrading: Upgrading = {}): Promise<Copied> {
  return usingLedger(from, { ...upgrading, readOnly: true }, async (source) => {
    if (to.kind === 'server') return fillServer(source, to, upgrading);
    if (await ledgerExists(to)) await usingLedger(to, upgrading, requireEmpty);
    const lock = await (await dialectOf(to)).lock(to, 'copy', 0);
    try {
      return await replaceLedgerFile(to.file, async (file) => {
        const copied = await fillFile(source, file, copyRows);
        await requireSound(file, source.name);
        return copied;
      });
    } finally {
      await lock.release();
    }
  });
}

/** Copies a ledger to a new file: by its database's own means where it has some, else its rows. */
export async function copyToFile(from: Place, file: string): Promise<void> {
  const { copyToFile: copy } = await dialectOf(from);
  if (copy) await copy(from, file);
  else
    await usingLedger(from, { readOnly: true }, (source) =>
      fillFile(source, file, (from, to) => insertAll(from, to, ALL_TABLES)),
    );
}

function fillFile<T>(
  source: Ledger,
  file: string,
  fill: (from: LedgerReader, to: LedgerTransaction, name: string) => Promise<T>,
): Promise<T> {
  return usingLedger(file, { create: true }, (target) =>
    usingSnapshot(source, (db) => fillTables(target.db, (transaction) => fill(db, transaction, target.name))),
  );
}

async function requireSound(file: string, name: string): Promise<void> {
  const [why] = await usingLedger(file, {}, (copy) => findDamage(copy));
  if (why !== undefined) throw new LedgerError(because({ id: 'copy-not-sound', ledger: name, why }));
}

/** Makes the schema and the rows in one transaction: until it ends there is no ledger. */
function fillServer(source: Ledger, to: Place, upgrading: Upgrading): Promise<Copied> {
  return usingLedger(to, { ...upgrading, create: true, exclusive: 'copy', isFilledFirst: true }, async (target) => {
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
    if (row) throw new LedgerError(because({ id: 'holds-ledger', ledger: name }));
  }
}

/**
 * Writes a complete copy of a ledger as a file, also while a sync is writing to it. The copy is checked, and appears under its name
 * whole or not at all. It replaces a file of that name: ask before.
 *
 * @throws LedgerError when the ledger cannot be read or the copy is not sound, FileError when the copy cannot be written
 */
export async function backupLedger(where: Place | string, target: string, upgrading: Upgrading = {}): Promise<void> {
  const place = typeof where === 'string' ? placeOf(where) : where;
  const name = describePlace(place);
  if (path.resolve(target) === name) {
    throw new FileError(because({ id: 'copy-is-ledger', file: target }));
  }
  // A file that is no ledger, or a newer one, is refused with its own error.
  await usingLedger(place, { ...upgrading, readOnly: true }, async () => {});
  try {
    await replaceLedgerFile(target, async (copy) => {
      await copyToFile(place, copy);
      await requireSound(copy, name);
    });
  } catch (error) {
    const file = placeOf(target);
    throw (await dialectOf(file)).explain(error, file);
  }
}
