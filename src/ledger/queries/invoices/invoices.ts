/**
 * Invoices as their details state them, one line per currency; when they were issued and paid, and how many there are.
 * A live invoice is one that has not vanished from every list.
 */
import { type SqlBool, sql } from 'kysely';
import { dayIn } from '../../../base/day.ts';
import type { ExactDecimal } from '../../../money/decimal.ts';
import { eachField, MONEY_FIELDS, type MoneyField } from '../../../money/fields.ts';
import type { InvoiceInMonth, InvoiceTable } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import { amountOrZero } from '../amounts.ts';
import type { AtClose } from '../balances/movements.ts';
import { readInvoicePages } from '../rows/month-windows.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/**
 * An invoice in one currency, as its detail states it. An invoice without any amount has one line without a currency.
 */
export interface InvoiceLine
  extends Pick<InvoiceTable, 'number' | 'period' | 'status' | 'issued_at'>,
    Readonly<Record<MoneyField, ExactDecimal>> {
  /** How many rows the invoice has, in all currencies. */
  readonly orders: number;
  readonly currency: string | null;
}

/** The invoices of these months, by month, number and currency; vanished ones are left out. */
export async function* readInvoices(db: LedgerReader, periods: readonly string[]): AsyncGenerator<InvoiceLine> {
  for (const period of periods) {
    for await (const page of readInvoicePages(db, period)) {
      const lines = await linesOfMonth(db, period)
        .where('i.vanished_at', 'is', null)
        .where('i.number', '>=', page[0]!.number)
        .where('i.number', '<=', page.at(-1)!.number)
        .execute();
      for (const line of lines) yield { ...line, ...eachField(MONEY_FIELDS, (field) => amountOrZero(line[field])) };
    }
  }
}

/** A query for the lines of a month's invoices, by number and currency; their amounts are null without a currency. */
function linesOfMonth(db: LedgerReader, period: string) {
  return db
    .selectFrom('invoice as i')
    .leftJoin('invoice_amount as a', 'a.invoice_number', 'i.number')
    .select(['i.number', 'i.period', 'i.status', 'i.issued_at', 'i.row_count as orders', 'a.currency'])
    .select(MONEY_FIELDS.map((field) => unitsText(`a.${field}`).as(field)))
    .where('i.period', '=', period)
    .orderBy('i.number')
    .orderBy('a.currency');
}

/** The numbers of a month's invoices that vanished from every list, ascending. */
export async function readVanishedInvoices(db: LedgerReader, period: string): Promise<number[]> {
  const ofMonth = db.selectFrom('invoice').select('number').where('period', '=', period);
  const rows = await ofMonth.where('vanished_at', 'is not', null).orderBy('number').execute();
  return rows.map(({ number }) => number);
}

/** A month's vanished invoices as they last were, by currency; without any amount, one line without a currency. */
export async function readVanishedLines(db: LedgerReader, period: string) {
  const lines = await linesOfMonth(db, period).where('i.vanished_at', 'is not', null).execute();
  return lines.map((line) => ({ ...line, ...eachField(MONEY_FIELDS, (field) => amountOrZero(line[field])) }));
}

/**
 * The live invoices of these months, by number, and when each was first seen paid: null if it is not paid, or was paid
 * already when first seen.
 */
export function readInvoiceTimes(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<Pick<InvoiceTable, 'number' | 'period' | 'issued_at'> & { paid_seen_at: string | null }>(db)`
    select i.number, i.period, i.issued_at, (
        select min(s.seen_at) from invoice_status s
        where s.invoice_number = i.number and s.status = 'PAID' and exists (
          select 1 from invoice_status earlier
          where earlier.invoice_number = i.number and earlier.evidence_id < s.evidence_id and earlier.status <> 'PAID'
        )
      ) as paid_seen_at
    from invoice i where ${isOneOf('i.period', periods)} and i.vanished_at is null
    order by i.number`;
}

/** An invoice as matching sees it. */
export interface InvoiceHead extends InvoiceInMonth {
  /** The day of its date, in the books' time zone. */
  readonly issued_on: string;
  readonly status: string;
}

export interface InvoiceDue extends InvoiceHead {
  readonly currency: string;
  readonly net: bigint;
}

/**
 * Every invoice, vanished ones too, and the nets by number and currency. An invoice restated to nothing has no net.
 *
 * @param atClose only those known when a month was closed, though with their nets of today
 */
export async function readInvoiceDues(db: LedgerReader, zone: string, atClose?: AtClose) {
  let query = db
    .selectFrom('invoice as i')
    .leftJoin('invoice_amount as a', 'a.invoice_number', 'i.number')
    .select(['i.number', 'i.period', 'i.issued_at', 'i.status', 'i.vanished_at', 'a.currency'])
    .select(unitsText('a.net_due_to_merchant').as('net'))
    .orderBy('i.number')
    .orderBy('a.currency');
  if (atClose) {
    query = query.where(sql<SqlBool>`exists (
      select 1 from invoice_version v where v.invoice_number = i.number and v.evidence_id < ${atClose.id})`);
  }
  const heads = new Map<number, InvoiceHead>();
  const dues: InvoiceDue[] = [];
  for (const { number, period, issued_at, status, vanished_at, currency, net } of await query.execute()) {
    const head = { number, period, issued_on: dayIn(issued_at, zone), status, vanished_at };
    heads.set(number, head);
    if (currency !== null) dues.push({ ...head, currency, net: BigInt(net) });
  }
  return { heads, dues };
}

export function readMonthsOfInvoices(db: LedgerReader, numbers: readonly number[]) {
  return db.selectFrom('invoice').select(['number', 'period']).where(isOneOf('number', numbers)).execute();
}

/** How many documents a check looks at. */
export interface Population {
  /** Invoices of some months whose detail was read, live or vanished. */
  readonly invoices: number;
  readonly rows: number;
  /** Orders of the order book, of all months. */
  readonly orders: number;
}

export async function countPopulation(db: LedgerReader, periods: readonly string[]): Promise<Population> {
  const rows = await rowsOf<Record<keyof Population, number>>(db)`
    select count(*) as invoices, coalesce(sum(row_count), 0) as "rows",
      (select count(*) from courier_order) as orders
    from invoice where ${isOneOf('period', periods)}`;
  const { invoices, rows: lines, orders } = rows[0]!;
  return { invoices: Number(invoices), rows: Number(lines), orders: Number(orders) };
}

/** The numbers of these months' invoices, ascending, each with how many rows it has. */
export function readRowCounts(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<{ number: number; row_count: number }>(db)`
    select number, row_count from invoice where ${isOneOf('period', periods)} order by number`;
}

/** How many rows the lists of these months have now: an invoice on two lists counts twice. */
export async function countListed(db: LedgerReader, periods: readonly string[]): Promise<number> {
  const rows = await rowsOf<{ count: number }>(db)`
    select count(*) as count from invoice_listed l
    where ${isOneOf('l.period', periods)} and l.vanished_at is null`;
  return Number(rows[0]!.count);
}
