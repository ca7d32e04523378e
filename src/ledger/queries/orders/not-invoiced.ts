/** Orders that were delivered and not yet invoiced at the end of a period. */
import { sql } from 'kysely';
import { compareText } from '../../../base/text.ts';
import { chunks } from '../../chunks.ts';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A delivered order without an invoice. */
export interface NotInvoicedOrder {
  readonly order_id: string;
  readonly reference_id: string;
  readonly workflow: string;
  /** As received; when it was first seen delivered where no statestamp says so. */
  readonly delivered_at: string;
  readonly district: string | null;
  readonly delivery_state: string;
  /** The first invoice of a later month that lists it; null while none does. */
  readonly invoice_number: number | null;
}

/** Some delivered orders, by delivery. @param ids those that no invoice listed at the end of a day */
export async function readNotInvoiced(db: LedgerReader, ids: readonly string[]): Promise<NotInvoicedOrder[]> {
  const orders: NotInvoicedOrder[] = [];
  for (const page of chunks(ids)) {
    const { rows } = await sql<NotInvoicedOrder>`
      select b.order_id, b.reference_id, b.workflow, b.district, b.delivery_state,
        coalesce(b.first_delivered_at, b.delivered_seen_at) as delivered_at, (
          select min(i.number) from invoice_order o join invoice i on i.number = o.invoice_number
          where o.order_id = b.order_id and i.vanished_at is null
        ) as invoice_number
      from courier_order b where ${isOneOf('b.order_id', page)}`.execute(db);
    orders.push(...rows);
  }
  return orders.sort((a, b) => compareText(a.delivered_at, b.delivered_at) || compareText(a.order_id, b.order_id));
}
