/** When invoices were issued and paid, and their orders delivered. */
import { sql } from 'kysely';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

export interface InvoiceTimes {
  readonly number: number;
  readonly period: string;
  readonly issued_at: string;
  /** When it was first seen paid; null if it is not paid, or was paid already when first seen. */
  readonly paid_seen_at: string | null;
}

/** The live invoices of these months, by number. */
export async function readInvoiceTimes(db: LedgerReader, periods: readonly string[]): Promise<InvoiceTimes[]> {
  const { rows } = await sql<InvoiceTimes>`
    select i.number, i.period, i.issued_at, (
        select min(s.seen_at) from invoice_status s
        where s.invoice_number = i.number and s.status = 'PAID' and exists (
          select 1 from invoice_status earlier
          where earlier.invoice_number = i.number and earlier.evidence_id < s.evidence_id and earlier.status <> 'PAID'
        )
      ) as paid_seen_at
    from invoice i where ${isOneOf('i.period', periods)} and i.vanished_at is null
    order by i.number`.execute(db);
  return rows;
}

export interface DeliveryTime {
  readonly order_id: string;
  readonly first_delivered_at: string;
}

/** How many invoices one query reads. */
const INVOICES = 20;

/**
 * When the orders on these invoices were delivered, as far as their own records say. Yields a list for each invoice.
 *
 * @param numbers ascending
 */
export async function* readDeliveryTimes(
  db: LedgerReader,
  numbers: readonly number[],
): AsyncGenerator<readonly DeliveryTime[]> {
  for (let from = 0; from < numbers.length; from += INVOICES) {
    const window = numbers.slice(from, from + INVOICES);
    const { rows } = await sql<DeliveryTime & { number: number }>`
      select o.invoice_number as number, o.order_id, b.first_delivered_at
      from invoice_order o join courier_order b on b.order_id = o.order_id
      where ${isOneOf('o.invoice_number', window)} and b.first_delivered_at is not null
      order by o.invoice_number, b.first_delivered_at, o.order_id`.execute(db);
    let at = 0;
    for (const number of window) {
      const first = at;
      while (rows[at]?.number === number) at += 1;
      yield rows.slice(first, at);
    }
  }
}
