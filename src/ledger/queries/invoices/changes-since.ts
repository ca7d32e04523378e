/** What has changed of a month's invoices and their orders since a row of evidence, such as since the month's close. */
import { type RawBuilder, sql } from 'kysely';
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
  /** @param condition over `invoice i` */
  const numbersWhere = async (condition: RawBuilder<unknown>) => {
    const rows = await rowsOf<{ number: number }>(db)`
      select i.number from invoice i where i.period = ${month} and ${condition} ${inCurrency} order by i.number`;
    return rows.map(({ number }) => number);
  };
  const hasNewVersion = (which: RawBuilder<unknown>) => sql`exists (
    select 1 from invoice_version v where v.invoice_number = i.number and v.evidence_id > ${evidenceId} and ${which})`;
  /** The last presence or status that became known since that evidence, or by then. */
  const last = (column: 'present' | 'status', when: 'since' | 'by then') => sql`(
    select c.${sql.ref(column)} from ${sql.table(column === 'present' ? 'invoice_presence' : 'invoice_status')} c
    where c.invoice_number = i.number and c.evidence_id ${when === 'since' ? sql`>` : sql`<=`} ${evidenceId}
    order by c.evidence_id desc limit 1)`;
  // An invoice that vanished and came back in between has not changed. One without an entry by then was on a list (1).
  const isNow = (present: 0 | 1) =>
    sql`${present} = ${last('present', 'since')} and ${present} <> coalesce(${last('present', 'by then')}, 1)`;
  const added = await numbersWhere(hasNewVersion(sql`v.version = 1`));
  const laterVersions = await numbersWhere(hasNewVersion(sql`v.version > 1`));
  const addedNumbers = new Set(added);
  return {
    added,
    restated: laterVersions.filter((number) => !addedNumbers.has(number)),
    vanished: await numbersWhere(isNow(0)),
    back: await numbersWhere(isNow(1)),
    status: await numbersWhere(sql`${last('status', 'since')} <> ${last('status', 'by then')}`),
  };
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
