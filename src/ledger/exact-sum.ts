/**
 * Sums of money columns that cannot overflow. A sum of 64-bit units is taken in two halves, each far within the range of any
 * database's integers; whoever reads it puts them together as a bigint.
 */
import { type RawBuilder, sql } from 'kysely';

const HALF = 2n ** 32n;

/** The upper half of a 64-bit integer (signed) and its lower one (never negative). */
export function halves(expression: RawBuilder<unknown>): { high: RawBuilder<unknown>; low: RawBuilder<unknown> } {
  return { high: sql`(${expression} >> 32)`, low: sql`(${expression} & 4294967295)` };
}

/** The two halves of `sum(expression)` as text, under the names `<name>_high` and `<name>_low`; {@link exactSum} puts them together. */
export function sumHalves(expression: RawBuilder<unknown>, name: string): RawBuilder<unknown> {
  const { high, low } = halves(expression);
  return sql`cast(sum(${high}) as text) as ${sql.ref(`${name}_high`)}, cast(sum(${low}) as text) as ${sql.ref(`${name}_low`)}`;
}

/** The same for a query builder's `select`. @param column a column of money */
export function sumParts<N extends string>(column: string, name: N) {
  const { high, low } = halves(sql.ref(column));
  return [
    sql<string | null>`cast(sum(${high}) as text)`.as(`${name}_high` as const),
    sql<string | null>`cast(sum(${low}) as text)`.as(`${name}_low` as const),
  ] as const;
}

/** A sum of units, from its two halves; nothing summed is zero. */
export function exactSum(high: string | null, low: string | null): bigint {
  return BigInt(high ?? 0) * HALF + BigInt(low ?? 0);
}

/** Whether `plus - minus - ...` is not zero, of columns whose difference may be beyond the ledger's range. */
export function differs(plus: RawBuilder<unknown>, ...minus: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const [first, ...rest] = [plus, ...minus].map(halves);
  const high = sql.join([first!.high, ...rest.map(({ high }) => high)], sql` - `);
  const low = sql.join([first!.low, ...rest.map(({ low }) => low)], sql` - `);
  return isNotZero(sql`(${high})`, sql`(${low})`);
}

/** Whether `sum(expression)` is not zero: a condition for `having`. */
export function sumIsNotZero(expression: RawBuilder<unknown>): RawBuilder<boolean> {
  const { high, low } = halves(expression);
  return isNotZero(sql`sum(${high})`, sql`sum(${low})`);
}

function isNotZero(high: RawBuilder<unknown>, low: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${low} % 4294967296 <> 0 or ${high} + ${low} / 4294967296 <> 0)`;
}
