/** What has changed of a month's invoices and their orders since a row of evidence, such as since the month's close. */
import { sql } from 'kysely';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The numbers of changed invoices, each list ascending. */
export interface InvoiceNews {
  /** Read for the first time. */
  readonly added: readonly number[];
  /** Stated with other figures than before. */
  readonly restated: readonly number[];
  /** No longer on any list. */
  readonly vanished: readonly number[];
  /** On a list again. */
  readonly back: readonly number[];
  /** With a new status, mostly `PAID`. */
  readonly status: readonly number[];
}

/** The currency of the question: only invoices with an amount in it count; null for all. */
type Currency = string | null;

/** How a month's invoices changed since a row of evidence. */
export async function readInvoiceNews(db: LedgerReader, month: string, evidenceId: number, currency: Currency) {
  const inCurrency =
    currency === null
      ? sql``
      : sql`and exists (
          select 1 from invoice_version_amount a where a.invoice_number = i.number and a.currency = ${currency})`;
  const numbers = async (query: ReturnType<typeof sql<{ number: number }>>) =>
    (await query.execute(db)).rows.map(({ number }) => number);
  const withNewVersion = (condition: ReturnType<typeof sql>) =>
    numbers(sql`
      select distinct i.number from invoice i join invoice_version v on v.invoice_number = i.number
      where i.period = ${month} and v.evidence_id > ${evidenceId} and ${condition} ${inCurrency} order by i.number`);
  // The last presence since then is another than the last one before: an invoice that vanished and came back in between
  // has not changed. If it has no entry before, it was on a list (1).
  const withNewPresence = (present: 0 | 1) =>
    numbers(sql`
      select i.number from invoice i
      where i.period = ${month} ${inCurrency} and ${present} = (
        select p.present from invoice_presence p
        where p.invoice_number = i.number and p.evidence_id > ${evidenceId} order by p.evidence_id desc limit 1)
      and ${present} <> coalesce((
        select p.present from invoice_presence p
        where p.invoice_number = i.number and p.evidence_id <= ${evidenceId} order by p.evidence_id desc limit 1), 1)
      order by i.number`);
  const status = await numbers(sql`
    select i.number from invoice i
    where i.period = ${month} ${inCurrency} and (
      select s.status from invoice_status s
      where s.invoice_number = i.number and s.evidence_id > ${evidenceId} order by s.evidence_id desc limit 1
    ) <> (
      select s.status from invoice_status s
      where s.invoice_number = i.number and s.evidence_id <= ${evidenceId} order by s.evidence_id desc limit 1
    ) order by i.number`);
  const added = await withNewVersion(sql`v.version = 1`);
  const addedNumbers = new Set(added);
  const restated = (await withNewVersion(sql`v.version > 1`)).filter((number) => !addedNumbers.has(number));
  const [vanished, back] = [await withNewPresence(0), await withNewPresence(1)];
  return { added, restated, vanished, back, status };
}

/**
 * Counts the orders on a month's listed invoices whose amounts have changed since, or which have left the order book or
 * come back. In a currency: those with an amount of it in their record, now or when first seen delivered, or in the
 * invoice's row, because that may be the only place that still has it.
 */
export async function countOrderNews(db: LedgerReader, month: string, evidenceId: number, currency: Currency) {
  const inCurrency =
    currency === null
      ? sql``
      : sql`and (
          exists (select 1 from courier_order_amount a where a.order_id = c.order_id and a.currency = ${currency})
          or exists (
            select 1 from courier_order_delivered_amount d where d.order_id = c.order_id and d.currency = ${currency})
          or exists (
            select 1 from invoice_order_amount r
            where r.invoice_number = o.invoice_number and r.position = o.position and r.currency = ${currency}))`;
  const rows = await rowsOf<{ count: number | string }>(db)`
    select count(distinct c.order_id) as count from order_change c
    join invoice_order o on o.order_id = c.order_id
    join invoice i on i.number = o.invoice_number
    where c.evidence_id > ${evidenceId} and (c.amounts_changed = 1 or c.what <> 'changed')
      and i.period = ${month} and i.vanished_at is null ${inCurrency}`;
  return Number(rows[0]!.count);
}
