/** What the rows of invoices come to. */
import { sql } from 'kysely';
import { readSum } from '../../../money/add.ts';
import type { ExactDecimal } from '../../../money/decimal.ts';
import { eachField, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import { amountOfUnits } from '../../../money/units.ts';
import { isOneOf, SUMMED_INVOICE, sumText } from '../../sql.ts';
import { invoicePages } from '../rows/month-windows.ts';
import type { LedgerReader } from '../snapshot.ts';

/** What an invoice's rows come to in one currency. */
export interface RowSums extends Readonly<Record<OrderMoneyField, ExactDecimal>> {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
}

/** How many invoices one statement adds up: SQLite sorts their rows in memory. */
const INVOICES = 20;

/** The sums of the rows of each of some invoices, by invoice and currency: integers, which the database adds exactly. */
export async function readRowSums(db: LedgerReader, invoices: readonly number[]): Promise<RowSums[]> {
  const sums: RowSums[] = [];
  for (let from = 0; from < invoices.length; from += INVOICES) {
    const { rows } = await sql<Omit<RowSums, OrderMoneyField> & Record<OrderMoneyField, string | null>>`
      select ${SUMMED_INVOICE}, currency,
        ${sql.join(ORDER_MONEY_FIELDS.map((field) => sql`${sumText(field)} as ${sql.ref(field)}`))}
      from invoice_order_amount lines where ${isOneOf('invoice_number', invoices.slice(from, from + INVOICES))}
      group by invoice_number, currency
      order by invoice_number, currency`.execute(db);
    for (const { number, period, vanished_at, currency, ...sum } of rows) {
      const of = eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(readSum(sum[field], currency)));
      sums.push({ number, period, vanished_at, currency, ...of });
    }
  }
  return sums;
}

/** The same of a month's live invoices. */
export async function readRowSumsOfMonth(db: LedgerReader, period: string): Promise<RowSums[]> {
  const sums: RowSums[] = [];
  for await (const page of invoicePages(db, period)) {
    const numbers = page.map(({ number }) => number);
    sums.push(...(await readRowSums(db, numbers)));
  }
  return sums;
}
