import type { Kysely } from 'kysely';
import type { Place } from '../../base/place.ts';
import { insertAll } from '../copy-rows.ts';
import { dialectOf } from '../dialect/index.ts';
import { compareDerived } from '../dump.ts';
import type { LedgerSchema } from '../schema.ts';
import { DERIVED_TABLES, type DerivedTable } from '../tables.ts';

/**
 * Puts the derived rows of another ledger in the place of a ledger's, those of append-only tables too. Call it inside a transaction, with
 * the head of the chain held.
 *
 * @returns how many rows there are, and how many were another, too many or missing
 */
export async function replaceDerived(
  { db, place }: { readonly db: Kysely<LedgerSchema>; readonly place: Place },
  right: Kysely<LedgerSchema>,
): Promise<{ rows: number; changed: number }> {
  const wrong = new Set<string>();
  const rows = await compareDerived(db, right, ({ table, key }) => wrong.add(`${table} ${key}`));
  if (wrong.size === 0) return { rows, changed: 0 };
  const tables = Object.keys(DERIVED_TABLES) as DerivedTable[];
  const dialect = await dialectOf(place);
  return dialect.withoutTriggers(db, tables, async () => {
    for (const table of tables.toReversed()) await db.deleteFrom(table).execute();
    return { rows: await insertAll(right, db, DERIVED_TABLES), changed: wrong.size };
  });
}
