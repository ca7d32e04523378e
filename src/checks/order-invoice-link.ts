import { sql } from 'kysely';
import { readListings } from '../ledger/reader/index.ts';
import { addMonths, monthOf } from '../period.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { finding, inPeriods, sayList, sayOrder, shown } from './finding.ts';
import { groupBy } from './lists.ts';

export const orderInvoiceLink: Check = {
  code: 'order-invoice-link',
  severity: 'error',
  needs: 'current-order-book',
  title: 'An order names the invoice that lists it.',
  async find(context) {
    return [
      ...(await findListedElsewhere(context)),
      ...(await findListedNowhere(context)),
      ...(await findInvoiceUnknown(context)),
    ];
  },
};

/** Orders that stand on one or more invoices and name none of them. */
async function findListedElsewhere({ db, periods }: CheckContext): Promise<Finding[]> {
  const wrong = await sql<{ order_id: string; reference: string; link: string | null; number: number; period: string }>`
    select b.order_id, b.reference_id as reference, b.merchant_invoice as link, j.number, j.period
    from (
      select distinct o.order_id
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join courier_order b on b.order_id = o.order_id
      where ${inPeriods(periods)} and b.vanished_at is null
        and (b.merchant_invoice is null or b.merchant_invoice <> cast(o.invoice_number as text))
    ) suspect
    join courier_order b on b.order_id = suspect.order_id
    join invoice_order lister on lister.order_id = b.order_id
    join invoice j on j.number = lister.invoice_number and j.vanished_at is null
    group by b.order_id, b.reference_id, b.merchant_invoice, j.number, j.period
    order by b.order_id, j.period, j.number`.execute(db);

  return [...groupBy(wrong.rows, ({ order_id }) => order_id)].flatMap(([order_id, listers]) => {
    const { link, reference, number, period } = listers.at(-1)!;
    if (listers.some((lister) => String(lister.number) === link)) return [];
    const named = link === null ? 'no invoice' : `invoice ${shown(link)}`;
    return finding({
      period,
      invoice_number: number,
      order_id,
      reference_id: reference,
      field: 'merchant_invoice',
      message: `The order book says ${named} for ${sayOrder(order_id, reference)}, but invoice ${sayList(listers.map((lister) => lister.number))} lists it: ask the delivery company which invoice bills the order.`,
    });
  });
}

/** Orders that name an invoice which the ledger holds and which does not list them, nor does any other. */
async function findListedNowhere({ db, periods }: CheckContext): Promise<Finding[]> {
  const wrong = await sql<{ order_id: string; reference: string; number: number; period: string }>`
    select b.order_id, b.reference_id as reference, i.number, i.period
    from invoice i join courier_order b on b.merchant_invoice = cast(i.number as text)
    where ${inPeriods(periods)} and b.vanished_at is null and not exists (
      select 1 from invoice_order lister join invoice j on j.number = lister.invoice_number
      where lister.order_id = b.order_id and j.vanished_at is null
    )
    order by i.number, b.order_id`.execute(db);
  return wrong.rows.map(({ order_id, reference, number, period }) =>
    finding({
      period,
      invoice_number: number,
      order_id,
      reference_id: reference,
      field: 'merchant_invoice',
      message: `The order book says invoice ${number} for ${sayOrder(order_id, reference)}, but that invoice does not list it and neither does any other: ask the delivery company to bill the order, or to say where it did.`,
    }),
  );
}

/**
 * Delivered orders that name an invoice which no month lists. An invoice comes after the delivery: only when every month from
 * then to now was synced whole is it sure that there is no such invoice, and not merely none that the ledger holds.
 */
async function findInvoiceUnknown({ db, periods, now }: CheckContext): Promise<Finding[]> {
  const named = await sql<{ order_id: string; reference: string; link: string; delivered: string }>`
    select b.order_id, b.reference_id as reference, b.merchant_invoice as link, b.first_delivered_at as delivered
    from courier_order b
    where b.vanished_at is null and b.delivery_state = 'DELIVERED' and b.merchant_invoice is not null
      and substr(b.first_delivered_at, 1, 7) in (${sql.join([...periods])})
      and b.merchant_invoice not in (select cast(i.number as text) from invoice i)
      and not exists (
        select 1 from invoice_order lister join invoice j on j.number = lister.invoice_number
        where lister.order_id = b.order_id and j.vanished_at is null
      )
    order by b.order_id`.execute(db);
  if (named.rows.length === 0) return [];

  const whole = await monthsSyncedUntil(db, named.rows.map(({ delivered }) => delivered.slice(0, 7)).sort()[0]!, now);
  return named.rows
    .filter(({ delivered }) => whole.has(delivered.slice(0, 7)))
    .map(({ order_id, reference, link, delivered }) =>
      finding({
        period: delivered.slice(0, 7),
        invoice_number: Number.isSafeInteger(Number(link)) ? Number(link) : null,
        order_id,
        reference_id: reference,
        field: 'merchant_invoice',
        message: `The order book says invoice ${shown(link)} for ${sayOrder(order_id, reference)}, delivered on ${delivered.slice(0, 10)}, but no month since then lists that invoice: ask the delivery company for it.`,
      }),
    );
}

/** The months from one on, of which each and all that follow, up to now, were synced to the end of their list. */
async function monthsSyncedUntil(db: CheckContext['db'], first: string, now: Date): Promise<Set<string>> {
  const months: string[] = [];
  for (let month = monthOf(now); month >= first; month = addMonths(month, -1)) months.push(month);
  const listings = await readListings(db, months);
  const complete = new Set(listings.filter((listing) => listing.complete).map(({ period }) => period));
  const gap = months.findIndex((month) => !complete.has(month));
  return new Set(gap === -1 ? months : months.slice(0, gap));
}
