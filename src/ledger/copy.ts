import type { Kysely } from 'kysely';
import { LedgerError } from '../errors.ts';
import type { Place } from '../place.ts';
import { dialectOf } from './dialect/index.ts';
import { dumpHash, readTable } from './dump.ts';
import { readHead } from './evidence/append.ts';
import { type Ledger, usingLedger } from './open.ts';
import { usingSnapshot } from './read/snapshot.ts';
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
 * Copies a ledger between any two places, also while a sync is at work: whole or not at all. The copy is dumped again and compared
 * before it is kept.
 *
 * @param to holds no ledger yet, or an empty one
 * @throws LedgerError when it holds anything, or the copy does not come out equal
 */
export function copyLedger(from: Place, to: Place): Promise<Copied> {
  return usingLedger(from, { readOnly: true }, (source) =>
    usingLedger(to, { create: true, exclusive: true }, async (target) => {
      await requireEmpty(target);
      return usingSnapshot(source, (db) => target.db.transaction().execute((trx) => copyRows(db, trx, target.name)));
    }),
  );
}

/** Copies a ledger to a new file: by its database's own means where it has some, else row by row. */
export async function copyToFile(from: Place, file: string): Promise<void> {
  const { copyToFile: copy } = dialectOf(from);
  if (copy) await copy(from, file);
  else await copyLedger(from, { kind: 'file', file });
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
