import type { Kysely } from 'kysely';
import { LedgerError } from '../base/errors.ts';
import { because } from '../words/errors/ledger.ts';
import { dumpHash, readColumns, readTable } from './dump.ts';
import { readHead } from './evidence/append.ts';
import type { LedgerSchema } from './schema.ts';
import { ALL_TABLES, type TableShape } from './tables.ts';
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
 * Copies every row of a ledger into an empty one of the same schema, then reads both again and compares.
 *
 * @param name of the copy, for the error
 * @param tables the tables of an earlier schema; those of this program's when absent
 * @throws LedgerError when the copy does not come out equal
 */
export async function copyRows(
  from: Kysely<LedgerSchema>,
  to: Kysely<LedgerSchema>,
  name: string,
  tables: Readonly<Record<string, TableShape>> = ALL_TABLES,
): Promise<Copied> {
  const rows = await insertAll(from, to, tables);
  const [hash, copied] = [await dumpHash(from, tables), await dumpHash(to, tables)];
  const [head, copiedHead] = [await readHead(from), await readHead(to)];
  if (hash === copied && head === copiedHead) return { rows, head, hash };
  throw new LedgerError(because({ id: 'copy-not-equal', ledger: name }));
}

/** Inserts every row of another ledger's tables. @returns how many there were */
export async function insertAll(
  from: Kysely<LedgerSchema>,
  to: Kysely<LedgerSchema>,
  tables: Readonly<Record<string, TableShape>>,
): Promise<number> {
  let rows = 0;
  const columns = await readColumns(from);
  for (const [table, shape] of Object.entries(tables)) {
    for await (const page of readTable(from, columns, table, shape)) {
      await insertRows(to, table as keyof LedgerSchema, page as never);
      rows += page.length;
    }
  }
  return rows;
}
