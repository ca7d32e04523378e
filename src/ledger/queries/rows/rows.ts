/** Reads the invoice rows of a month with bounded memory. */
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import type { Units } from '../../../money/units.ts';
import { wholeLedger } from '../../courier.ts';
import type { InvoiceOrderTable } from '../../schema.ts';
import { unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';
import { rowWindows, within } from './month-windows.ts';

/** An invoice's row in one currency. A row without any amount has one line without a currency. */
export interface RowLine extends InvoiceOrderTable, Readonly<Record<OrderMoneyField, Units>> {
  readonly currency: string | null;
}

/**
 * The invoice rows of a month, by invoice, position and currency, a page at a time; those of vanished invoices are left
 * out.
 *
 * @param from the invoice at which they begin; absent: the first
 */
export async function* readRowPages(db: LedgerReader, period: string, from?: number) {
  for await (const window of rowWindows(db, period, undefined, from)) {
    const lines = await db
      .selectFrom('invoice as i')
      .innerJoin('invoice_order as o', 'o.invoice_number', 'i.number')
      .leftJoin('invoice_order_amount as a', (join) =>
        join.onRef('a.invoice_number', '=', 'o.invoice_number').onRef('a.position', '=', 'o.position'),
      )
      .select(['o.invoice_number', 'o.position', 'o.order_id', 'o.reference_id', 'o.workflow'])
      .select(['o.delivery_state', 'o.payment_state', 'a.currency'])
      .select(ORDER_MONEY_FIELDS.map((field) => unitsText(`a.${field}`).as(field)))
      .where(within(window))
      .orderBy('i.number')
      .orderBy('o.position')
      .orderBy('a.currency')
      .execute();
    yield { window, lines: inUnits(lines, ORDER_MONEY_FIELDS) };
  }
}

/** Whether the ledger has more than `limit` invoice rows, of all couriers: so large books are told from small. */
export async function hasMoreRows(db: LedgerReader, limit: number): Promise<boolean> {
  const beyond = wholeLedger(db).selectFrom('invoice_order').select('position').limit(1).offset(limit);
  return (await beyond.executeTakeFirst()) !== undefined;
}

/** The month in which an invoice counts; null for one that the ledger lacks. */
export async function readInvoicePeriod(db: LedgerReader, number: number): Promise<string | null> {
  const header = await db.selectFrom('invoice').select('period').where('number', '=', number).executeTakeFirst();
  return header?.period ?? null;
}

/** Turns the amounts of lines from text into integers, in place; null becomes zero. */
function inUnits<F extends string, L extends Record<F, string | null>>(
  lines: readonly L[],
  fields: readonly F[],
): readonly (Omit<L, F> & Record<F, Units>)[] {
  for (const line of lines as readonly Record<F, string | null | Units>[]) {
    for (const field of fields) line[field] = BigInt(line[field] ?? 0);
  }
  return lines as never;
}
