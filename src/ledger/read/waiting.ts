/** What waits at the end of a period for its invoice. */
import { sql } from 'kysely';
import { amountOfUnits, type ExactDecimal } from '../../money/index.ts';
import type { LedgerReader } from './snapshot.ts';

/** A delivered order without an invoice, in one currency; one line without a currency where its record has no amount. */
export interface NotInvoicedLine {
  readonly order_id: string;
  readonly reference_id: string;
  /** As received; when it was first seen delivered where no statestamp says so. */
  readonly delivered_at: string;
  readonly district: string | null;
  readonly delivery_state: string;
  /** The first invoice of a later month that lists it; null while none does. */
  readonly invoice_number: number | null;
  readonly currency: string | null;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
}

/** The orders delivered by a day that no invoice of its month or an earlier one lists, by delivery. */
export async function readNotInvoiced(db: LedgerReader, day: string): Promise<NotInvoicedLine[]> {
  const delivered = sql`coalesce(b.first_delivered_at, b.delivered_seen_at)`;
  const { rows } = await sql<
    Omit<NotInvoicedLine, 'cod' | 'delivery_fee'> & { cod: string | null; fee: string | null }
  >`
    with waiting(order_id) as materialized (
      select b.order_id from courier_order b
      where b.delivered_seen_at is not null and substr(${delivered}, 1, 10) <= ${day} and not exists (
        select 1 from invoice_order o join invoice i on i.number = o.invoice_number
        where o.order_id = b.order_id and i.vanished_at is null and i.period <= ${day.slice(0, 7)}
      )
    ), own(order_id, currency, cod, fee) as (
      select d.order_id, d.currency, d.cod, d.delivery_fee
      from waiting w join courier_order_delivered_amount d on d.order_id = w.order_id
      union all
      select a.order_id, a.currency, a.cod, a.delivery_fee
      from waiting w join courier_order_amount a on a.order_id = w.order_id
      where not exists (select 1 from courier_order_delivered_amount d where d.order_id = w.order_id)
    )
    select b.order_id, b.reference_id, ${delivered} as delivered_at, b.district, b.delivery_state, (
        select min(i.number) from invoice_order o join invoice i on i.number = o.invoice_number
        where o.order_id = b.order_id and i.vanished_at is null
      ) as invoice_number, own.currency, cast(own.cod as text) as cod, cast(own.fee as text) as fee
    from waiting w join courier_order b on b.order_id = w.order_id
    left join own on own.order_id = w.order_id
    order by ${delivered}, b.order_id, own.currency`.execute(db);
  return rows.map(({ cod, fee, ...line }) => ({
    ...line,
    cod: amountOfUnits(cod ?? '0'),
    delivery_fee: amountOfUnits(fee ?? '0'),
  }));
}
