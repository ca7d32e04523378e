/**
 * Orders by your references; and orders whose record and invoices do not fit together. The record of an order names an
 * invoice (its link). An invoice lists the orders that it has rows of, and is live until it vanishes.
 */
import { sql } from 'kysely';
import { inChunks } from '../../chunks.ts';
import type { InvoiceTable } from '../../schema.ts';
import { isOneOf, listOf } from '../../sql.ts';
import { isComparable } from '../rows/comparable.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** An order by the courier's id and your reference. */
export interface ReferencedOrder {
  readonly order_id: string;
  readonly reference: string;
}

/** Nobody looks for a cancelled order by its reference. */
const HAS_USABLE_REFERENCE = sql`delivery_state <> 'CANCELLED' and reference_id <> ''`;

/** How many references one query takes: databases limit the parameters of a statement. */
const MOST_REFERENCES = 10_000;

/** The references, in lower case (of A to Z alone), that several orders share, cancelled ones too. */
export async function readSharedReferences(db: LedgerReader): Promise<string[]> {
  const rows = await rowsOf<{ reference: string }>(db)`
    select lower(reference_id) as reference from courier_order where reference_id <> ''
    group by lower(reference_id) having count(*) > 1`;
  return rows.map(({ reference }) => reference);
}

/**
 * The orders, without cancelled ones, whose references have letters outside ASCII, or blanks other than single spaces
 * between words. The inner query finds the few of them first.
 */
export function readOddReferences(db: LedgerReader) {
  const blanks = ['\t', '\n', '\v', '\f', '\r', '  '].map((blank) => sql`reference_id like ${`%${blank}%`}`);
  return rowsOf<ReferencedOrder>(db)`
    select order_id, reference_id as reference from courier_order
    where ${HAS_USABLE_REFERENCE} and order_id in (
      select order_id from courier_order
      where octet_length(reference_id) <> length(reference_id) or reference_id <> trim(reference_id)
        or ${sql.join(blanks, sql` or `)}
    )`;
}

/**
 * The orders, without cancelled ones, with one of these references; the case of A to Z is ignored.
 *
 * @param references in lower case
 */
export function readOrdersByReferences(db: LedgerReader, references: readonly string[]) {
  return inChunks(
    references,
    (page) => rowsOf<ReferencedOrder>(db)`
      select order_id, reference_id as reference from courier_order
      where ${HAS_USABLE_REFERENCE} and lower(reference_id) in ${listOf(page)}`,
    MOST_REFERENCES,
  );
}

/** The live invoices that list an order. */
const LISTERS = sql`select 1 from invoice_order lister join invoice j on j.number = lister.invoice_number
  where lister.order_id = b.order_id and j.vanished_at is null`;

/** No live invoice lists the order. */
const UNLISTED = sql`not exists (${LISTERS})`;

/** No live invoice both lists the order and is named by its record. */
const NAMES_NO_LISTER = sql`not exists (${LISTERS} and b.merchant_invoice = cast(j.number as text))`;

/** A live invoice that lists an order whose record does not name it. */
interface UnrecordedListing extends ReferencedOrder, Pick<InvoiceTable, 'number' | 'period'> {
  /** The invoice that the record names. */
  readonly link: string | null;
  /** Whether the record is new enough to be compared with the invoice. */
  readonly comparable: 0 | 1;
}

/**
 * Of these orders, those whose record names none of the live invoices that list them: invoices 7 and 8 list an order,
 * and its record names invoice 9 or none. Each such order with each of its invoices, by order, month and number.
 *
 * @param orderIds in order
 */
export function readUnrecordedListings(db: LedgerReader, orderIds: readonly string[], lastWholeWalk: number) {
  return inChunks(
    orderIds,
    (page) => rowsOf<UnrecordedListing>(db)`
    select distinct b.order_id, b.reference_id as reference, b.merchant_invoice as link, i.number, i.period,
      case when ${isComparable(lastWholeWalk)} then 1 else 0 end as comparable
    from courier_order b
    join invoice_order o on o.order_id = b.order_id
    join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where ${isOneOf('b.order_id', page)} and ${NAMES_NO_LISTER}
    order by b.order_id, i.period, i.number`,
  );
}

/** An order on no live invoice, although its record names an invoice. */
export interface ListedNowhere extends ReferencedOrder {
  readonly link: string;
  /** The month of the invoice that it names, and when that vanished; nulls if the ledger does not have that invoice. */
  readonly period: string | null;
  readonly vanished_at: string | null;
  /** Whether the record is new enough to be compared with that invoice; 1 also if it is not live. */
  readonly comparable: 0 | 1;
}

/**
 * The orders on no live invoice whose record names an invoice of these months, by that invoice. The inner query is for
 * speed alone: it finds the few orders that are not on the invoice they name, and only these are looked for elsewhere.
 */
export function readNamingKnownInvoices(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  return rowsOf<ListedNowhere>(db)`
    select b.order_id, b.reference_id as reference, b.merchant_invoice as link, i.period, i.vanished_at,
      case when i.vanished_at is not null or ${isComparable(lastWholeWalk)} then 1 else 0 end as comparable
    from invoice i join courier_order b on b.merchant_invoice = cast(i.number as text)
    where ${isOneOf('i.period', periods)} and b.order_id in (
      select named.order_id from invoice stated
      join courier_order named on named.merchant_invoice = cast(stated.number as text)
      where ${isOneOf('stated.period', periods)} and (stated.vanished_at is not null or not exists (
        select 1 from invoice_order o where o.order_id = named.order_id and o.invoice_number = stated.number
      ))
    ) and ${UNLISTED}
    order by i.number, b.order_id`;
}

/** The orders on no live invoice whose record names an invoice that neither the ledger nor a list has now, by id. */
export function readNamingUnknownInvoices(db: LedgerReader) {
  return rowsOf<ListedNowhere>(db)`
    select b.order_id, b.reference_id as reference, b.merchant_invoice as link, null as period, null as vanished_at,
      1 as comparable
    from courier_order b
    where b.merchant_invoice in (
      select merchant_invoice from courier_order where merchant_invoice is not null
      except select cast(number as text) from invoice
      except select cast(invoice_number as text) from invoice_listed where vanished_at is null
    ) and ${UNLISTED}
    order by b.order_id`;
}

/**
 * Of these orders, those of which nobody can tell whether their link is right: no live invoice that they name lists
 * them, and either they are on a vanished invoice, or the invoice that they name was never read, only its list.
 */
export async function readUnconfirmedLinks(db: LedgerReader, orderIds: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ order_id: string }>(db)`
    select b.order_id from courier_order b
    where ${isOneOf('b.order_id', orderIds)} and ${NAMES_NO_LISTER} and (
      exists (
        select 1 from invoice_order o join invoice i on i.number = o.invoice_number
        where o.order_id = b.order_id and i.vanished_at is not null
      ) or b.merchant_invoice in (
        select cast(invoice_number as text) from invoice_listed where vanished_at is null
        except select cast(number as text) from invoice
      )
    )
    order by b.order_id`;
  return rows.map(({ order_id }) => order_id);
}
