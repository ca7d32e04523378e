import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';
import { MAX_VARIABLES } from '../sql.ts';

const ROWS_PER_STATEMENT = 250;

/** Inserts rows in statements of many rows each: one at a time would take several times as long. */
export async function insertRows<T extends keyof LedgerSchema>(
  trx: Kysely<LedgerSchema>,
  table: T,
  rows: readonly Insertable<LedgerSchema[T]>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const most = Math.min(ROWS_PER_STATEMENT, Math.floor(MAX_VARIABLES / Object.keys(first).length));
  for (let from = 0; from < rows.length; from += most) {
    await trx
      .insertInto(table)
      .values(rows.slice(from, from + most) as never)
      .execute();
  }
}
