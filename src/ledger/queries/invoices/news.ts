/** What became known of a month's invoices and their orders after a row of evidence. */
import { sql } from 'kysely';
import type { LedgerReader } from '../snapshot.ts';

/** Numbers of invoices by what changed, each list ascending. */
export interface InvoiceNews {
  /** Read for the first time. */
  readonly added: readonly number[];
  /** Stated with other figures than before. */
  readonly restated: readonly number[];
  /** No longer listed, and listed again. */
  readonly vanished: readonly number[];
  readonly back: readonly number[];
  /** With another status, mostly `PAID`. */
  readonly status: readonly number[];
}

/** Only invoices with an amount in this currency; null for all. */
type Currency = string | null;

/** What changed of a month's invoices after a row of evidence. */
export async function readInvoiceNews(
  db: LedgerReader,
  month: string,
  evidenceId: number,
  currency: Currency,
): Promise<InvoiceNews> {
  const own =
    currency === null
      ? sql``
      : sql`and exists (
          select 1 from invoice_version_amount a where a.invoice_number = i.number and a.currency = ${currency})`;
  const numbers = async (query: ReturnType<typeof sql<{ number: number }>>) =>
    (await query.execute(db)).rows.map(({ number }) => number);
  const versions = (test: ReturnType<typeof sql>) =>
    numbers(sql`
      select distinct i.number from invoice i join invoice_version v on v.invoice_number = i.number
      where i.period = ${month} and v.evidence_id > ${evidenceId} and ${test} ${own} order by i.number`);
  // An invoice that left and came back meanwhile is unchanged.
  const presence = (present: 0 | 1) =>
    numbers(sql`
      select i.number from invoice i
      where i.period = ${month} ${own} and ${present} = (
        select p.present from invoice_presence p
        where p.invoice_number = i.number and p.evidence_id > ${evidenceId} order by p.evidence_id desc limit 1)
      and ${present} <> coalesce((
        select p.present from invoice_presence p
        where p.invoice_number = i.number and p.evidence_id <= ${evidenceId} order by p.evidence_id desc limit 1), 1)
      order by i.number`);
  const status = () =>
    numbers(sql`
    select i.number from invoice i
    where i.period = ${month} ${own} and (
      select s.status from invoice_status s
      where s.invoice_number = i.number and s.evidence_id > ${evidenceId} order by s.evidence_id desc limit 1
    ) <> (
      select s.status from invoice_status s
      where s.invoice_number = i.number and s.evidence_id <= ${evidenceId} order by s.evidence_id desc limit 1
    ) order by i.number`);
  const isFirst = sql`v.version = 1`;
  const [added, restated] = [await versions(isFirst), await versions(sql`v.version > 1`)];
  const [vanished, back] = [await presence(0), await presence(1)];
  const isNew = new Set(added);
  return { added, restated: restated.filter((number) => !isNew.has(number)), vanished, back, status: await status() };
}

/**
 * How many of the orders on a month's listed invoices have other amounts since, or left or came back into the order book. In a currency:
 * those that have an amount of it by their record, now or when it was first seen delivered, or by the invoice's row, which may be all that
 * still has it.
 */
export async function countOrderNews(
  db: LedgerReader,
  month: string,
  evidenceId: number,
  currency: Currency,
): Promise<number> {
  const own =
    currency === null
      ? sql``
      : sql`and (
          exists (select 1 from courier_order_amount a where a.order_id = c.order_id and a.currency = ${currency})
          or exists (
            select 1 from courier_order_delivered_amount d where d.order_id = c.order_id and d.currency = ${currency})
          or exists (
            select 1 from invoice_order_amount r
            where r.invoice_number = o.invoice_number and r.position = o.position and r.currency = ${currency}))`;
  const { rows } = await sql<{ count: number | string }>`
    select count(distinct c.order_id) as count from order_change c
    join invoice_order o on o.order_id = c.order_id
    join invoice i on i.number = o.invoice_number
    where c.evidence_id > ${evidenceId} and (c.amounts_changed = 1 or c.what <> 'changed')
      and i.period = ${month} and i.vanished_at is null ${own}`.execute(db);
  return Number(rows[0]!.count);
}
