import type { Place } from '../../base/place.ts';
import { insertAll } from '../copy-rows.ts';
import { dialectOf } from '../dialect/index.ts';
import { compareDerived } from '../dump.ts';
import type { LedgerDb } from '../schema.ts';
import { DERIVED_TABLES, type DerivedTable } from '../tables.ts';

/**
 * Replaces a ledger's derived rows with those of another ledger, in append-only tables too. Call it in a transaction
 * that holds the chain's head, so that no evidence comes in between.
 *
 * @param expected the ledger with the right rows, derived anew
 * @returns how many rows there are, and how many of them differed, were missing or did not belong there
 */
export async function replaceDerived(
  { db, place }: { readonly db: LedgerDb; readonly place: Place },
  expected: LedgerDb,
): Promise<{ rows: number; changed: number }> {
  const wrongRows = new Set<string>();
  const rows = await compareDerived(db, expected, ({ table, key }) => wrongRows.add(`${table} ${key}`));
  if (wrongRows.size === 0) return { rows, changed: 0 };
  const tables = Object.keys(DERIVED_TABLES) as DerivedTable[];
  const dialect = await dialectOf(place);
  return dialect.withoutTriggers(db, tables, async () => {
    for (const table of tables.toReversed()) await db.deleteFrom(table).execute();
    return { rows: await insertAll(expected, db, DERIVED_TABLES), changed: wrongRows.size };
  });
}
