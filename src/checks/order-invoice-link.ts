import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { chunks } from '../ledger/chunks.ts';
import { isOneOf } from '../ledger/sql.ts';
import { billedTwice } from './billed-twice.ts';
import type { Check, CheckContext, Finding, NotComparable } from './check.ts';
import { isComparable } from './comparable.ts';
import { finding, sayList, sayOrder, shown } from './finding.ts';
import { isWholeSince } from './knowledge.ts';
import { orderMonths } from './order-months.ts';
import { population } from './population.ts';
import { invoiceRecords } from './records.ts';
import { orderBook } from './requirement.ts';
import { uncomparedRows, whyUncompared } from './uncompared.ts';

export const orderInvoiceLink: Check = {
  code: 'order-invoice-link',
  severity: 'error',
  requires: [orderBook],
  title: 'An order names the invoice that lists it.',
  claim: "The order's own record does not name the invoice that lists it, or names one that does not.",
  async find(context) {
    const nowhere = await findListedNowhere(context);
    const uncompared = await uncomparedRows(context);
    return {
      findings: [...(await findListedElsewhere(context)), ...nowhere.findings],
      compared: (await population(context)).rows - uncompared.length,
      notComparable: [...whyUncompared(uncompared), ...nowhere.notComparable],
    };
  },
  /** An order that stands on an invoice which is newer than its record was not looked at, whatever it names. */
  async unseen(context, gone) {
    const orders = new Set((await uncomparedRows(context)).map(({ order_id }) => order_id));
    return new Set(gone.filter(({ order_id }) => orders.has(order_id!)).map(({ id }) => id));
  },
};

/** Orders that stand on one or more live invoices and name none of them. */
async function findListedElsewhere(context: CheckContext): Promise<Finding[]> {
  const { db, knowledge } = context;
  const off = (await invoiceRecords(context)).filter(({ held, named }) => named < held).map(({ number }) => number);
  const wrong = new Set<string>();
  for (const chunk of chunks(off)) {
    const { rows } = await sql<{ order_id: string }>`
      select distinct o.order_id
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join courier_order b on b.order_id = o.order_id
      where ${isOneOf('i.number', chunk)} and i.vanished_at is null
        and (b.merchant_invoice is null or b.merchant_invoice <> cast(i.number as text))`.execute(db);
    for (const { order_id } of rows) wrong.add(order_id);
  }
  const ids = [...wrong].sort();
  const months = await orderMonths(db, ids, knowledge);
  const findings: Finding[] = [];
  for (const chunk of chunks(ids)) {
    const listers = await sql<
      Record<'order_id' | 'reference' | 'period', string> & { link: string | null; number: number; comparable: number }
    >`
      select distinct b.order_id, b.reference_id as reference, b.merchant_invoice as link, i.number, i.period,
        case when ${isComparable(knowledge)} then 1 else 0 end as comparable
      from courier_order b
      join invoice_order o on o.order_id = b.order_id
      join invoice i on i.number = o.invoice_number and i.vanished_at is null
      where ${isOneOf('b.order_id', chunk)}
      order by b.order_id, i.period, i.number`.execute(db);
    for (const [order_id, own] of groupBy(listers.rows, (row) => row.order_id)) {
      const { link, reference } = own[0]!;
      const isRight = own.some(({ number }) => String(number) === link);
      if (isRight || own.every(({ comparable }) => comparable === 0)) continue;
      const named = link === null ? 'no invoice' : `invoice ${shown(link)}`;
      const { shown: where } = months.get(order_id)!;
      findings.push(
        finding({
          ...where,
          invoice_number: own.findLast(({ period }) => period === where.period)?.number ?? own.at(-1)!.number,
          order_id,
          reference_id: reference,
          field: 'merchant_invoice',
          message: `The order book says ${named} for ${sayOrder(order_id, reference)}, but invoice ${sayList(own.map(({ number }) => number))} lists it: ask the delivery company which invoice bills the order.`,
        }),
      );
    }
  }
  return findings;
}

type Named = Record<'order_id' | 'reference' | 'link', string> &
  Record<'period' | 'vanished_at', string | null> & { comparable: number };

/** Orders that name an invoice, of these months or unknown, and stand on no live one. */
async function findListedNowhere(
  context: CheckContext,
): Promise<{ findings: Finding[]; notComparable: NotComparable[] }> {
  const { db, knowledge } = context;
  const rows = [...(await namingTheseInvoices(context)), ...(await namingUnknownInvoices(context))];
  const months = await orderMonths(
    db,
    rows.map(({ order_id }) => order_id),
    knowledge,
  );
  let unsure = 0;
  const findings = rows.flatMap((row): Finding[] => {
    const { order_id, reference, link } = row;
    const { shown: where } = months.get(order_id)!;
    // Of an invoice in no list, it matters that every month in which it could be was looked at.
    const isSure = row.period === null ? isWholeSince(knowledge, where.period) : row.comparable === 1;
    if (!isSure) {
      unsure += 1;
      return [];
    }
    const period = row.period ?? where.period;
    const why =
      row.period === null
        ? 'but no month since then lists that invoice: ask the delivery company for it'
        : row.vanished_at !== null
          ? 'but that invoice is gone from its list and no other lists the order: ask the delivery company where it is billed now'
          : 'but that invoice does not list it and neither does any other: ask the delivery company to bill the order, or to say where it did';
    return [
      finding({
        period,
        invoice_number: /^\d{1,15}$/.test(link) ? Number(link) : null,
        order_id,
        reference_id: reference,
        field: 'merchant_invoice',
        message: `The order book says invoice ${shown(link)} for ${sayOrder(order_id, reference)}, ${why}.`,
      }),
    ];
  });
  const why = 'the invoice that the order names is newer than the order book, or in a month that was not synced whole';
  return { findings, notComparable: unsure === 0 ? [] : [{ why, count: unsure }] };
}

const UNLISTED = sql`not exists (
  select 1 from invoice_order lister join invoice j on j.number = lister.invoice_number
  where lister.order_id = b.order_id and j.vanished_at is null
)`;

async function namingTheseInvoices(context: CheckContext): Promise<readonly Named[]> {
  const { db, knowledge } = context;
  const found: Named[] = [];
  for (const chunk of chunks(await namedTooOften(context))) {
    const { rows } = await sql<Named>`
      select b.order_id, b.reference_id as reference, b.merchant_invoice as link, i.period, i.vanished_at,
        case when i.vanished_at is not null or ${isComparable(knowledge)} then 1 else 0 end as comparable
      from invoice i cross join courier_order b
      where ${isOneOf('i.number', chunk)} and b.merchant_invoice = cast(i.number as text) and ${UNLISTED}
      order by i.number, b.order_id`.execute(db);
    found.push(...rows);
  }
  return found;
}

/** The invoices of these months that some order may name without standing on them: named by more orders than they have such rows. */
async function namedTooOften(context: CheckContext): Promise<readonly number[]> {
  const { db, periods } = context;
  const { rows } = await sql<{ number: number; orders: number; vanished_at: string | null }>`
    select i.number, i.vanished_at, (
      select count(*) from courier_order b where b.merchant_invoice = cast(i.number as text)
    ) as orders
    from invoice i where ${isOneOf('i.period', periods)} order by i.number`.execute(db);
  const named = new Map((await invoiceRecords(context)).map((invoice) => [invoice.number, invoice.named]));
  // An order with several rows would be counted as several.
  const unsure = new Set(
    [...(await billedTwice(context)).values()].flatMap(({ invoices }) => invoices.map(([{ number }]) => number)),
  );
  return rows
    .filter(({ number, orders, vanished_at }) => {
      if (Number(orders) === 0) return false;
      return vanished_at !== null || unsure.has(number) || Number(orders) > (named.get(number) ?? 0);
    })
    .map(({ number }) => number);
}

/** Which invoices the order book names is found by one look into its index each. One that a list holds now and that was never read is not judged. */
async function namingUnknownInvoices({ db }: CheckContext): Promise<readonly Named[]> {
  const { rows } = await sql<Named>`
    with recursive named(link) as (
      select min(merchant_invoice) from courier_order
      union all
      select (select min(next.merchant_invoice) from courier_order next where next.merchant_invoice > named.link)
      from named where named.link is not null
    )
    select b.order_id, b.reference_id as reference, b.merchant_invoice as link, null as period, null as vanished_at, 1 as comparable
    from named join courier_order b on b.merchant_invoice = named.link
    where named.link not in (select cast(number as text) from invoice)
      and named.link not in (select cast(invoice_number as text) from invoice_listed where vanished_at is null)
      and ${UNLISTED}
    order by b.order_id`.execute(db);
  return rows;
}
