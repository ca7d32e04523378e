/** Documents whose newest form was received and cannot be read. */
import { sql } from 'kysely';
import type { UnreadableTable } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An unreadable document. */
export interface UnreadableDocument extends UnreadableTable {
  /** Of an invoice, the month in which it counts; null where no list holds it. */
  readonly counts_in: string | null;
}

/** The invoices, rows of lists, orders and pages that cannot be read, by kind and subject. */
export async function readUnreadable(db: LedgerReader): Promise<UnreadableDocument[]> {
  const { rows } = await sql<UnreadableDocument>`
    select u.kind, u.subject, u.period, u.evidence_id, u.at, u.sha256, u.why, l.period as counts_in
    from unreadable u
    left join invoice_listed l on u.kind = 'invoice' and cast(l.invoice_number as text) = u.subject and l.counts_here = 1
    where u.kind in ('invoice', 'listed', 'order', 'page')
    order by u.kind, u.subject`.execute(db);
  return rows;
}

/** The month of the latest live invoice that lists each order whose record cannot be read, by order. */
export async function readMonthsOfUnreadable(db: LedgerReader): Promise<Map<string, string>> {
  const { rows } = await sql<{ order_id: string; period: string }>`
    select u.subject as order_id, max(i.period) as period
    from unreadable u
    join invoice_order o on o.order_id = u.subject
    join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where u.kind = 'order'
    group by u.subject`.execute(db);
  return new Map(rows.map(({ order_id, period }) => [order_id, period]));
}
