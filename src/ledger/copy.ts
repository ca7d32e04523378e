import { LedgerError } from '../base/errors.ts';
import type { Place } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import { type Copied, copyRows } from './copy-rows.ts';
import { dialectOf } from './dialect/index.ts';
import { migrateWith } from './migrate.ts';
import { type Ledger, ledgerExists, usingLedger } from './open.ts';
import { usingSnapshot } from './queries/snapshot.ts';
import { replaceLedgerFile } from './replace-file.ts';
import type { LedgerSchema } from './schema.ts';
import { tableNames } from './standing.ts';
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
      return await replaceLedgerFile(to.file, (file) => fillFile(source, file));
    } finally {
      await lock.release();
    }
  });
}

/** Copies a ledger to a new file: by its database's own means where it has some, else row by row. */
export async function copyToFile(from: Place, file: string): Promise<void> {
  const { copyToFile: copy } = await dialectOf(from);
  if (copy) await copy(from, file);
  else await usingLedger(from, { readOnly: true }, (source) => fillFile(source, file));
}

function fillFile(source: Ledger, file: string): Promise<Copied> {
  return usingLedger(file, { create: true }, (target) =>
    usingSnapshot(source, (db) => target.db.transaction().execute((trx) => copyRows(db, trx, target.name))),
  );
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
