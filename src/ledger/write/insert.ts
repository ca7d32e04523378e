import { type Insertable, sql } from 'kysely';
import { courierOf } from '../courier.ts';
import { bulkQuery } from '../dialect/bulk-queries.ts';
import type { EvidenceTable, LedgerDb, LedgerSchema } from '../schema.ts';
import { COURIER_TABLES } from '../tables.ts';

/**
 * An open transaction, or the handle of one courier within it. Two couriers may use the same number: so that handle
 * adds `courier` to every condition, row and conflict (`ledger/courier.ts`).
 */
export type Trx = LedgerDb;

/** A row of a table, as it is inserted. */
export type Row<T extends keyof LedgerSchema> = Insertable<LedgerSchema[T]>;

/** The evidence from which rows are written: the fields that the rows name. */
export type Evidence = Pick<EvidenceTable, 'id' | 'at'>;

/** Inserts rows, all with the same columns, in the fastest way. Couriers' rows get the key of the handle's courier. */
export async function insertRows<T extends keyof LedgerSchema>(
  trx: Trx,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  for (const row of rows) {
    // A column that the first row lacks would silently be left out, and one that this row lacks would be null.
    if (!hasColumns(row, columns)) throw new Error(`rows of ${table} have different columns`);
  }
  const isOfCourier = COURIER_TABLES.has(table) && !columns.includes('courier');
  const shared = isOfCourier ? { courier: courierOf(trx) } : {};
  await trx.executeQuery(bulkQuery({ table, shared, columns, rows: rows as readonly Record<string, unknown>[] }));
}

/** The highest number in a column of a table; 0 without any. */
export async function highest(trx: Trx, table: keyof LedgerSchema, column: string): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(${sql.ref(column)}) as last from ${sql.table(table)}`.execute(trx);
  return Number(rows[0]?.last ?? 0);
}

/** Fast for rows whose columns come in the same order, as they nearly always do: then no column is looked up. */
function hasColumns(row: object, columns: readonly string[]): boolean {
  let at = 0;
  for (const column in row) {
    if (column !== columns[at])
      return Object.keys(row).length === columns.length && columns.every((each) => each in row);
    at += 1;
  }
  return at === columns.length;
}
