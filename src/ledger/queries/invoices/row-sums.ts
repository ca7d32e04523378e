/** What the rows of invoices come to. */
import {
  amountOfUnits,
  type ExactDecimal,
  eachField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  readSum,
} from '../../../money/index.ts';
import { sumText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** What an invoice's rows come to in one currency. */
export interface RowSums extends Readonly<Record<OrderMoneyField, ExactDecimal>> {
  readonly invoice_number: number;
  readonly currency: string;
}

/** The sums of the rows of each of a month's live invoices, by invoice and currency: integers, which the database adds exactly. */
export async function readRowSums(db: LedgerReader, period: string): Promise<RowSums[]> {
  const rows = await db
    .selectFrom('invoice as i')
    .innerJoin('invoice_order_amount as a', 'a.invoice_number', 'i.number')
    .select(['a.invoice_number', 'a.currency'])
    .select(ORDER_MONEY_FIELDS.map((field) => sumText(`a.${field}`).as(field)))
    .where('i.period', '=', period)
    .where('i.vanished_at', 'is', null)
    .groupBy(['a.invoice_number', 'a.currency'])
    .orderBy('a.invoice_number')
    .orderBy('a.currency')
    .execute();
  return rows.map(({ invoice_number, currency, ...sum }) => ({
    invoice_number,
    currency,
    ...eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(readSum(sum[field], currency))),
  }));
}
