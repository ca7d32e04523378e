import { type RawBuilder, sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';

/** The query of each view, by the view's name. */
export type Views = Readonly<Record<string, RawBuilder<unknown>>>;

/**
 * Selects an amount twice: as the decimal that people read, and as an integer of 1/10,000 that any tool can sum: `cod,
 * cod_units`.
 *
 * @param name of the result; when absent the column's, without its table's alias of one letter: `r.cod` → `cod`
 */
export function decimalAndUnits(
  { decimal }: MigrationDialect,
  column: string,
  name = column.slice(2),
): RawBuilder<unknown> {
  return sql`${decimal(column)} as ${sql.ref(name)}, ${sql.raw(column)} as ${sql.ref(`${name}_units`)}`;
}

/** {@link decimalAndUnits} for several columns of one table. */
export function decimalsAndUnits(
  dialect: MigrationDialect,
  alias: string,
  names: readonly string[],
): RawBuilder<unknown> {
  return sql.join(names.map((name) => decimalAndUnits(dialect, `${alias}.${name}`, name)));
}

/** Selects the name of the courier to whom a table's row belongs. @param alias of the table */
export function courierName(alias: string): RawBuilder<unknown> {
  return sql`(select named.name from courier named where named.key = ${sql.ref(`${alias}.courier`)}) as courier`;
}

/** The convention for RETURN orders that the last check used, such as `as-stated`; null before the first check. */
const conventionOf = (alias: string) =>
  `(select r.convention from returns_adopted r where r.courier = ${alias}.courier order by r.id desc limit 1)`;

/**
 * The SQL of `netOfRow` (`src/money/returns.ts`): COD less fee, for a RETURN order by the convention of the last check;
 * null if there is none. A return whose amounts are zero is worth zero by any of them. With COD 10.00 and fee 3.00 a
 * RETURN order is worth 7.00 under `as-stated`, -13.00 where its fee counts (`+return-fees`), and -10.00 where not.
 *
 * @param workflow the column with the order's workflow, as `r.workflow`: the courier is that of its table
 */
export function worth(workflow: string, cod: string, fee: string): string {
  const convention = conventionOf(workflow.split('.')[0]!);
  return `case when ${workflow} <> 'RETURN' or (${cod} = 0 and ${fee} = 0) or ${convention} = 'as-stated' then ${cod} - ${fee}
    when ${convention} like '%+return-fees' then -${cod} - ${fee} when ${convention} is not null then -${cod} end`;
}
