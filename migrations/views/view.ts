import { type RawBuilder, sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';

/** Name to query. */
export type Views = Readonly<Record<string, RawBuilder<unknown>>>;

/** An amount as people read it, and beside it as an integer of 1/10,000 of the currency's unit, which any tool can sum: `cod, cod_units`. */
export function both({ decimal }: MigrationDialect, column: string, name = column.slice(2)): RawBuilder<unknown> {
  return sql`${decimal(column)} as ${sql.ref(name)}, ${sql.raw(column)} as ${sql.ref(`${name}_units`)}`;
}

/** Several amounts of one table. */
export function bothOf(dialect: MigrationDialect, alias: string, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => both(dialect, `${alias}.${name}`, name)));
}
