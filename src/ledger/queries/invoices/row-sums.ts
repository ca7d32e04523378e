/** What the rows of invoices come to. */
import {
  amountOfUnits,
  type ExactDecimal,
  eachField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  readSum,
} from '../../../money/index.ts';
import { isOneOf, sumText } from '../../sql.ts';
import { invoicePages } from '../rows/month-windows.ts';
import type { LedgerReader } from '../snapshot.ts';

/** What an invoice's rows come to in one currency. */
export interface RowSums extends Readonly<Record<OrderMoneyField, ExactDecimal>> {
  readonly invoice_number: number;
  readonly currency: string;
}

/** How many invoices one statement adds up: SQLite sorts their rows in memory. */
const INVOICES = 20;

/** The sums of the rows of each of a month's live invoices, by invoice and currency: integers, which the database adds exactly. */
export async function readRowSums(db: LedgerReader, period: string): Promise<RowSums[]> {
  const sums: RowSums[] = [];
  for await (const page of invoicePages(db, period)) {
    for (let from = 0; from < page.length; from += INVOICES) {
      const some = page.slice(from, from + INVOICES).map(({ number }) => number);
      const rows = await db
        .selectFrom('invoice_order_amount as a')
        .select(['a.invoice_number', 'a.currency'])
        .select(ORDER_MONEY_FIELDS.map((field) => sumText(`a.${field}`).as(field)))
        .where(isOneOf('a.invoice_number', some))
        .groupBy(['a.invoice_number', 'a.currency'])
        .orderBy('a.invoice_number')
        .orderBy('a.currency')
        .execute();
      for (const { invoice_number, currency, ...sum } of rows) {
        const of = eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(readSum(sum[field], currency)));
        sums.push({ invoice_number, currency, ...of });
      }
    }
  }
  return sums;
}
