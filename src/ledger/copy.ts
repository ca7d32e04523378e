import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { LedgerError } from '../base/errors.ts';
import { explainWriteFault, openTemporary } from '../base/files/index.ts';
import type { Place } from '../base/place.ts';
import { dialectOf } from './dialect/index.ts';
import { dumpHash, readTable } from './dump.ts';
import { readHead } from './evidence/append.ts';
import { type Ledger, ledgerExists, migrateToLatest, usingLedger } from './open.ts';
import { usingSnapshot } from './queries/snapshot.ts';
import type { LedgerSchema } from './schema.ts';
import { DERIVED_TABLES, EVIDENCE_TABLES, type TableShape } from './tables.ts';
import { insertRows } from './write/insert.ts';

/** A finished copy, proven equal to what it was made from. */
export interface Copied {
  readonly rows: number;
  /** The head of the chain; null for a ledger that holds nothing. */
  readonly head: string | null;
  /** SHA-256 of the canonical dump of both. */
  readonly hash: string;
}

/**
 * Copies a ledger between any two places, also while a sync is at work: whole or not at all, also when this process is killed. The
 * copy is read again and compared before it is kept.
 *
 * @param to holds no ledger yet, or an empty one
 * @throws LedgerError when it holds anything, or the copy does not come out equal
 */
export function copyLedger(from: Place, to: Place): Promise<Copied> {
  return usingLedger(from, { readOnly: true }, async (source) => {
    if (to.kind === 'server') return fillServer(source, to);
    if (await ledgerExists(to)) await usingLedger(to, {}, requireEmpty);
    const lock = await dialectOf(to).lock(to, 'copy', 0);
    try {
      return await replaceLedgerFile(to.file, (file) => fillFile(source, file));
    } finally {
      await lock.release();
    }
  });
}

/** Copies a ledger to a new file: by its database's own means where it has some, else row by row. */
export async function copyToFile(from: Place, file: string): Promise<void> {
  const { copyToFile: copy } = dialectOf(from);
  if (copy) await copy(from, file);
  else await usingLedger(from, { readOnly: true }, (source) => fillFile(source, file));
}

function fillFile(source: Ledger, file: string): Promise<Copied> {
  return usingLedger(file, { create: true }, (target) =>
    usingSnapshot(source, (db) => target.db.transaction().execute((trx) => copyRows(db, trx, target.name))),
  );
}

/** Makes the schema and the rows in one transaction: until it ends there is no ledger. */
function fillServer(source: Ledger, to: Place): Promise<Copied> {
  return usingLedger(to, { create: true, exclusive: 'copy', isFilledFirst: true }, async (target) => {
    if ((await dialectOf(to).tableNames(target.connection)).length > 0) await requireEmpty(target);
    return usingSnapshot(source, (db) =>
      target.db.connection().execute(async (connection) => {
        await sql`begin`.execute(connection);
        try {
          await migrateToLatest(target, connection);
          const copied = await copyRows(db, connection, target.name);
          await sql`commit`.execute(connection);
          return copied;
        } catch (error) {
          await sql`rollback`.execute(connection).catch(() => {});
          throw error;
        }
      }),
    );
  });
}

/**
 * Makes a ledger in a new file beside another, and puts it in that file's place once it is whole.
 *
 * @param make fills the new file, which is there and empty
 * @throws FileError when the file cannot be written
 */
export async function replaceLedgerFile<T>(target: string, make: (file: string) => Promise<T>): Promise<T> {
  const file = await emptyFileBeside(target);
  const leftBehind = dialectOf({ kind: 'file', file }).filesOf({ kind: 'file', file });
  try {
    const made = await make(file);
    await rename(file, target);
    return made;
  } finally {
    for (const each of leftBehind) await rm(each, { force: true });
  }
}

/** A copy grows in a file that is its owner's alone from the first byte; one that a killed run left is removed by the next. */
async function emptyFileBeside(target: string): Promise<string> {
  try {
    const { path: file, handle } = await openTemporary(path.dirname(target));
    await handle.close();
    return file;
  } catch (error) {
    throw explainWriteFault(error, target, { noun: 'file', by: '' });
  }
}

const TABLES = Object.entries({ ...EVIDENCE_TABLES, ...DERIVED_TABLES }) as [keyof LedgerSchema, TableShape][];

async function requireEmpty({ db, name }: Ledger): Promise<void> {
  for (const [table] of TABLES) {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row) throw new LedgerError(`${name} holds a ledger already`, 'Name a place that holds none.');
  }
}

async function copyRows(from: Kysely<LedgerSchema>, to: Kysely<LedgerSchema>, name: string): Promise<Copied> {
  let rows = 0;
  for (const [table, shape] of TABLES) {
    for await (const page of readTable(from, table, shape)) {
      await insertRows(to, table, page as never);
      rows += page.length;
    }
  }
  const [hash, copied] = [await dumpHash(from), await dumpHash(to)];
  const [head, copiedHead] = [await readHead(from), await readHead(to)];
  if (hash === copied && head === copiedHead) return { rows, head, hash };
  throw new LedgerError(
    `the copy in ${name} did not come out equal, and was not kept`,
    'Run `remit verify --deep` on the ledger, and report this.',
  );
}
