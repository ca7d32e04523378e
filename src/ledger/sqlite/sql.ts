import { type RawBuilder, sql } from 'kysely';

/** Begins a transaction that only reads: it sees one state of the ledger until it ends, and keeps no writer waiting. */
export const beginSnapshot = sql`begin deferred`;

/** The most bound variables that one statement may hold. */
export const MAX_VARIABLES = 32_766;

/** A money column or sum as text: as a number, units above 2^53 would be read wrong. */
export function unitsText(expression: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`cast(${typeof expression === 'string' ? sql.ref(expression) : expression} as text)`;
}
