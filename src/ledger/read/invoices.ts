import { amountOfUnits, ExactDecimal } from '../../money/index.ts';
import { unitsText } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';
import { invoicePages } from './windows.ts';

/** An invoice in one currency, as its detail states it. An invoice without any amount has one line without a currency. */
export interface InvoiceLine {
  readonly number: number;
  readonly period: string;
  readonly status: string;
  readonly issued_at: string;
  /** How many rows the invoice holds, of all currencies. */
  readonly orders: number;
  readonly currency: string | null;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
  readonly net_due_to_merchant: ExactDecimal;
}

/** The invoices of some months, by month, number and currency; vanished ones are left out. */
export async function* readInvoices(db: LedgerReader, periods: readonly string[]): AsyncGenerator<InvoiceLine> {
  for (const period of periods) {
    for await (const page of invoicePages(db, period)) {
      const lines = await db
        .selectFrom('invoice as i')
        .leftJoin('invoice_amount as a', 'a.invoice_number', 'i.number')
        .select(['i.number', 'i.period', 'i.status', 'i.issued_at', 'i.row_count as orders', 'a.currency'])
        .select([
          unitsText('a.cod').as('cod'),
          unitsText('a.delivery_fee').as('delivery_fee'),
          unitsText('a.net_due_to_merchant').as('net'),
        ])
        .where('i.period', '=', period)
        .where('i.vanished_at', 'is', null)
        .where('i.number', '>=', page[0]!.number)
        .where('i.number', '<=', page.at(-1)!.number)
        .orderBy('i.number')
        .orderBy('a.currency')
        .execute();
      for (const { net, ...line } of lines) {
        yield {
          ...line,
          cod: amountOrZero(line.cod),
          delivery_fee: amountOrZero(line.delivery_fee),
          net_due_to_merchant: amountOrZero(net),
        };
      }
    }
  }
}

/** A money column of an outer join: nothing there is nothing owed. */
export function amountOrZero(units: string | null): ExactDecimal {
  return units === null ? new ExactDecimal(0) : amountOfUnits(units);
}
