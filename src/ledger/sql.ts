/** SQL that every database understands, in forms that the readers and checks share. */
import { ExpressionWrapper, PrimitiveValueListNode, type RawBuilder, sql } from 'kysely';

/** The most bound variables that one statement may hold, in the database that takes fewest. */
export const MAX_VARIABLES = 32_766;

/** A money column or sum as text: as a number, units above 2^53 would be read wrong. */
export function unitsText(expression: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`cast(${typeof expression === 'string' ? sql.ref(expression) : expression} as text)`;
}

/** `column in (...)`, and false for an empty list, which not every database takes. */
export function isOneOf(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  if (values.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${sql.ref(column)} in ${listOf(values)}`;
}

/** `(?, ?, ...)` as one node: `sql.join` makes one a value, and of hundreds that takes longer than the statement. */
export function listOf(values: readonly (string | number)[]) {
  return new ExpressionWrapper(PrimitiveValueListNode.create(values));
}
