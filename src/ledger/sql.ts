/** SQL that every database understands, and the rule of an invoice's month, in forms that readers and writers share. */
import { ExpressionWrapper, PrimitiveValueListNode, type RawBuilder, sql } from 'kysely';
import { parseInstant } from '../base/instant.ts';
import { type RowSigns, STANDARD_SIGNS } from '../money/returns.ts';

/** A money column or sum, in units of 1/10,000, as text: as a number, units above 2^53 would be read wrong. */
export function unitsText(expression: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`cast(${typeof expression === 'string' ? sql.ref(expression) : expression} as text)`;
}

/** `sum(expression)` as text, for `readSum`. SQLite refuses a sum beyond 64 bits, PostgreSQL gives it as numeric. */
export function sumText(expression: RawBuilder<unknown> | string): RawBuilder<string | null> {
  return unitsText(sql`sum(${typeof expression === 'string' ? sql.ref(expression) : expression})`);
}

/** `column in (...)`, and false for an empty list, which not every database takes. */
export function isOneOf(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  if (values.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${sql.ref(column)} in ${listOf(values)}`;
}

/**
 * `(?, ?, ...)` as one node: `sql.join` makes a node for each value, and for hundreds that takes longer than the
 * statement.
 */
export function listOf(values: readonly (string | number)[]) {
  return new ExpressionWrapper(PrimitiveValueListNode.create(values));
}

/** An order's COD less its fee: the fee's sign is negative, so both are added. @param amounts the table with both */
export function netSql(workflow: string, amounts: string, signs: RowSigns | null): RawBuilder<unknown> {
  return sql`${signedSql(workflow, 'cod', `${amounts}.cod`, signs)} + ${signedSql(workflow, 'delivery_fee', `${amounts}.delivery_fee`, signs)}`;
}

/**
 * What an amount of an order adds to the merchant's money: a COD of 10.00 adds 10.00, a fee of 3.00 adds -3.00.
 *
 * @param workflow the column with the order's workflow
 * @param signs how a RETURN order counts; null where nobody knows, and its amounts count as nothing
 */
export function signedSql(
  workflow: string,
  field: keyof RowSigns,
  amount: RawBuilder<unknown> | string,
  signs: RowSigns | null,
): RawBuilder<unknown> {
  const money = typeof amount === 'string' ? sql.ref(amount) : amount;
  const times = (sign: 1 | 0 | -1) => ({ '1': money, '0': sql`0`, '-1': sql`-(${money})` })[sign];
  // A RETURN order then counts like any other.
  const isStandard = signs !== null && signs[field] === STANDARD_SIGNS[field];
  if (isStandard) return times(STANDARD_SIGNS[field]);
  return sql`case when ${sql.ref(workflow)} = 'RETURN' then ${times(signs?.[field] ?? 0)} else ${times(STANDARD_SIGNS[field])} end`;
}

// The aliases of all queries in SQL, unless they say otherwise: `i` is an invoice, `o` its row, `b` the record of an
// order, and `a` the amounts of one of them.

/** The invoices `i` with their rows `o`. */
export const INVOICE_ROWS = sql`invoice i join invoice_order o on o.invoice_number = i.number`;

/** The invoices `i` with the amounts `a` of their headers, a line per currency. */
export const INVOICE_AMOUNTS = sql`invoice i join invoice_amount a on a.invoice_number = i.number`;

/** To join to a row `o`: its amounts `a`, a line per currency. */
export const ROW_AMOUNTS = sql`invoice_order_amount a
  on a.invoice_number = o.invoice_number and a.position = o.position`;

/** To join to a row `o`: the record `b` of its order. */
export const ROW_RECORD = sql`courier_order b on b.order_id = o.order_id`;

/** The currency, `cod` and `fee` of amounts `a`, in ledger units as text. */
export const COD_AND_FEE = sql`a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee`;

/** The columns of a `RowInMonth`. */
export const ROW_IN_MONTH = sql`i.number, i.period, i.vanished_at, o.position, o.order_id, o.reference_id as reference`;

/**
 * The invoice's columns for a sum over `lines`, grouped by `invoice_number`. Subqueries, because a database with old
 * statistics would compute every sum of a join again for each invoice.
 */
export const SUMMED_INVOICE = sql`lines.invoice_number as number,
      (select i.period from invoice i where i.number = lines.invoice_number) as period,
      (select i.vanished_at from invoice i where i.number = lines.invoice_number) as vanished_at`;

/**
 * The month in which an invoice counts: that of `issued_at` if it is among the months that list the invoice, else the
 * month that listed it first.
 *
 * @param listings at least one, the earliest first
 */
export function monthOf(listings: readonly { period: string }[], issuedAt: string): string {
  const months = listings.map(({ period }) => period);
  // In the invoice's own offset, as it is printed on it; some servers list by UTC.
  const issued = [issuedAt.trim().slice(0, 7), parseInstant(issuedAt)?.toISOString().slice(0, 7)];
  return issued.find((month) => month !== undefined && months.includes(month)) ?? months[0]!;
}

/** Of a vanished invoice's listings, those that vanished last: in one run, which may have lost several. */
export function vanishedLast<T extends { vanished_run: number | null }>(listings: readonly T[]): T[] {
  const last = Math.max(...listings.map(({ vanished_run }) => vanished_run ?? 0));
  return listings.filter(({ vanished_run }) => (vanished_run ?? 0) === last);
}
