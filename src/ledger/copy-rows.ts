import { LedgerError } from '../base/errors.ts';
import { ledgerError } from '../words/errors/ledger.ts';
import { insertWritten } from './dialect/bulk-queries.ts';
import { DumpHash, dumpHash, writtenParts } from './dump.ts';
import { readHead } from './evidence/append.ts';
import type { LedgerDb } from './schema.ts';
import { ALL_TABLES, type TableShapes } from './tables.ts';

/** A finished copy, proven equal to what it was made from. */
export interface Copied {
  readonly rows: number;
  /** The head of the chain; null for a ledger that holds nothing. */
  readonly head: string | null;
  /** SHA-256 of the canonical dump of both. */
  readonly hash: string;
}

/**
 * Copies every row of a ledger into an empty one of the same schema, as the lines of JSON in which one database writes
 * rows and the other takes them (`bulk-queries.ts`). Then reads the copy, and compares its hash with theirs.
 *
 * @param name of the copy, for the error
 * @param tables the tables of an earlier schema; those of this program's when absent
 * @throws LedgerError when the copy does not come out equal
 */
export async function copyRows(
  from: LedgerDb,
  to: LedgerDb,
  name: string,
  tables: TableShapes = ALL_TABLES,
): Promise<Copied> {
  const hash = new DumpHash();
  const rows = await insertAll(from, to, tables, hash);
  const [read, copied] = [hash.digest(), await dumpHash(to, tables)];
  const [head, copiedHead] = [await readHead(from), await readHead(to)];
  if (read === copied && head === copiedHead) return { rows, head, hash: read };
  throw new LedgerError(ledgerError({ id: 'copy-not-equal', ledger: name }));
}

/**
 * Inserts every row of another ledger's tables.
 *
 * @param hash becomes that of what was read
 * @returns how many there were
 */
export async function insertAll(from: LedgerDb, to: LedgerDb, tables: TableShapes, hash?: DumpHash): Promise<number> {
  let count = 0;
  for await (const part of writtenParts(from, tables)) {
    hash?.add(part);
    // The part that only names a table.
    if (part.rows.length === 0) continue;
    const { numAffectedRows = 0n } = await to.executeQuery(insertWritten(part.table, part.rows));
    count += Number(numAffectedRows);
  }
  return count;
}
