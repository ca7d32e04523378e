/**
 * Reads a month's invoice rows, alone or together with the records of their orders, with bounded memory; and answers
 * small questions about rows. In the SQL, `recorded` has the amounts of the record `b`.
 */
import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../../../base/group.ts';
import { type NetField, ORDER_MONEY_FIELDS, type OrderMoneyField, withFields } from '../../../money/fields.ts';
import type { Units } from '../../../money/units.ts';
import { wholeLedger } from '../../courier.ts';
import type { InvoiceOrderTable } from '../../schema.ts';
import { INVOICE_ROWS, ROW_AMOUNTS, ROW_RECORD, unitsText } from '../../sql.ts';
import { holdsAny, type LedgerReader, rowsOf } from '../snapshot.ts';
import { rowWindows, type Window, within } from './month-windows.ts';

/** The amounts of an order's record that count for what the courier owes by the records, in one currency. */
export type OwnAmounts = Readonly<Record<NetField, Units>>;

/** An invoice's row in one currency. A row without any amount has one line without a currency. */
export interface RowLine extends InvoiceOrderTable, Readonly<Record<OrderMoneyField, Units>> {
  readonly currency: string | null;
}

export interface LineBesideRecord extends RowLine {
  /** Whether the order book has the order. */
  readonly hasRecord: boolean;
  /** The first statestamp of a delivery, with its own offset. */
  readonly delivered_at: string | null;
  readonly district: string | null;
  /** The record's amounts that count, in the line's currency. */
  readonly record: OwnAmounts;
  /** Whether it is the last line of its row. */
  readonly endsRow: boolean;
  /**
   * The record's amounts in the currencies that the row lacks; null for none. If the record has changed since its order
   * was first seen delivered, they are all its amounts at delivery, also those in currencies of the row. Each line of
   * the row has the same amounts here: count a currency that the row lacks only once, where `endsRow`.
   */
  readonly recordAmounts: ReadonlyMap<string, OwnAmounts> | null;
}

const MONEY = ORDER_MONEY_FIELDS.map((field) => sql`${unitsText(`a.${field}`)} as ${sql.ref(field)}`);
/** The columns of a {@link RowLine}, its money as text: of the row `o` and its amounts `a`. */
const LINE = sql`o.invoice_number, o.position, o.order_id, o.reference_id, o.workflow, o.delivery_state,
  o.payment_state, a.currency, ${sql.join(MONEY)}`;

/**
 * The invoice rows of a month, by invoice, position and currency, a page at a time; those of vanished invoices are left
 * out.
 *
 * @param from the invoice at which they begin; absent: the first
 */
export async function* readRowPages(db: LedgerReader, period: string, from?: number) {
  for await (const window of rowWindows(db, period, undefined, from)) {
    const lines = await rowsOf<RowText>(db)`
      select ${LINE} from ${INVOICE_ROWS} left join ${ROW_AMOUNTS}
      where ${within(window)} order by i.number, o.position, a.currency`;
    yield lines.map(inUnits);
  }
}

type RowText = Omit<RowLine, OrderMoneyField> & Text<OrderMoneyField>;

/** Turns a line's amounts from text into integers, in place; null becomes zero. */
function inUnits(line: RowText): RowLine {
  const row: Omit<RowLine, OrderMoneyField> = line;
  return withFields(row, ORDER_MONEY_FIELDS, (field) => BigInt(line[field] ?? 0));
}

/** How many rows one query reads with their records. */
const ROWS_AT_ONCE = 500;
/** About how many lines a page has: few, so that they are garbage before the next are made. */
const LINES_OF_PAGE = 50;

export const NO_UNITS: OwnAmounts = { cod: 0n, delivery_fee: 0n };

/**
 * A month's invoice rows with their orders' records, by invoice, position and currency, a page of whole rows at a time.
 * Vanished invoices are left out.
 *
 * @param hasOtherCurrencies whether any record has a currency that its row lacks: if not, half of the reading is saved
 */
export async function* readLinesBesideRecords(db: LedgerReader, period: string, hasOtherCurrencies: boolean) {
  // In most books no record has changed since its order was first seen delivered: then there is nothing more to read.
  const hasAnyChanged = await holdsAny(db, 'courier_order_delivered_amount');
  for await (const window of rowWindows(db, period, ROWS_AT_ONCE)) {
    const lines = await readLines(db, window);
    const inOthers = byRow(hasOtherCurrencies ? await readOtherCurrencies(db, window) : []);
    const atDelivery = byRow(hasAnyChanged ? await readAtDelivery(db, window) : []);
    let page: LineBesideRecord[] = [];
    for (const [at, line] of lines.entries()) {
      const lineBesideRecord = besideRecord(line, lines[at + 1], inOthers, atDelivery);
      page.push(lineBesideRecord);
      if (page.length < LINES_OF_PAGE || !lineBesideRecord.endsRow) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}

/**
 * Puts a line and its order's record together.
 *
 * @param next the line after this one, if any
 * @param inOthers amounts of the record in currencies that the row lacks
 * @param atDelivery amounts of the record as first seen delivered, if they have changed since: then only these count
 */
function besideRecord(line: Line, next: Line | undefined, inOthers: ByRow, atDelivery: ByRow): LineBesideRecord {
  const { invoice_number, position, currency } = line;
  const deliveredAmounts = atDelivery.get(rowKey(line));
  const recordNow = unitsOf(line.record_cod, line.record_delivery_fee);
  const lineBesideRecord = {
    invoice_number,
    position,
    order_id: line.order_id,
    reference_id: line.reference_id,
    workflow: line.workflow,
    delivery_state: line.delivery_state,
    payment_state: line.payment_state,
    currency,
    hasRecord: line.has_record === 1,
    delivered_at: line.delivered_at,
    district: line.district,
    record: deliveredAmounts ? (deliveredAmounts.get(currency ?? '') ?? NO_UNITS) : recordNow,
    endsRow: next?.invoice_number !== invoice_number || next.position !== position,
    recordAmounts: deliveredAmounts ?? inOthers.get(rowKey(line)) ?? null,
  };
  return withFields(lineBesideRecord, ORDER_MONEY_FIELDS, (field) => BigInt(line[field] ?? 0));
}

type Text<Field extends string> = Readonly<Record<Field, string | null>>;

/** A line as the ledger has it, its money as text. */
interface Line
  extends Omit<LineBesideRecord, OrderMoneyField | 'hasRecord' | 'record' | 'endsRow' | 'recordAmounts'>,
    Text<OrderMoneyField | `record_${NetField}`> {
  readonly has_record: number;
}

/**
 * The amounts of a record that count: COD if the order was ever delivered, the fee unless it was cancelled before.
 * `sumRecordsOfMonth` computes the same rule apart, so that the statement can compare the two sums.
 */
const COUNTED_COD = sql`case when b.delivered_seen_at is null then 0 else recorded.cod end`;

const COUNTED_FEE = sql`case when b.delivered_seen_at is null and b.delivery_state = 'CANCELLED' then 0
  else recorded.delivery_fee end`;

const readLines = (db: LedgerReader, window: Window) => rowsOf<Line>(db)`
    select ${LINE},
      case when b.order_id is null then 0 else 1 end as has_record,
      b.first_delivered_at as delivered_at, b.district,
      ${unitsText(COUNTED_COD)} as record_cod, ${unitsText(COUNTED_FEE)} as record_delivery_fee
    from ${INVOICE_ROWS}
    left join ${ROW_RECORD}
    left join ${ROW_AMOUNTS}
    left join courier_order_amount recorded on recorded.order_id = b.order_id and recorded.currency = a.currency
    where ${within(window)} order by i.number, o.position, a.currency`;

interface RecordAmount extends Text<NetField>, Pick<InvoiceOrderTable, 'invoice_number' | 'position'> {
  readonly currency: string;
}

/** A subquery, not a join: only the few amounts in other currencies need the record. */
const ofItsRecord = (counted: RawBuilder<unknown>) =>
  sql`(select ${counted} from courier_order b where b.order_id = recorded.order_id)`;

/** The records' amounts in currencies that the rows lack. */
const readOtherCurrencies = (db: LedgerReader, window: Window) => rowsOf<RecordAmount>(db)`
    select o.invoice_number, o.position, recorded.currency,
      ${unitsText(ofItsRecord(COUNTED_COD))} as cod, ${unitsText(ofItsRecord(COUNTED_FEE))} as delivery_fee
    from ${INVOICE_ROWS}
    join courier_order_amount recorded on recorded.order_id = o.order_id
    where ${within(window)} and not exists (
      select 1 from invoice_order_amount a
      where a.invoice_number = o.invoice_number and a.position = o.position and a.currency = recorded.currency)`;

/**
 * The records' amounts as first seen delivered. They replace the whole record, so that a currency that was added later
 * does not count.
 */
const readAtDelivery = (db: LedgerReader, window: Window) => rowsOf<RecordAmount>(db)`
    select o.invoice_number, o.position, d.currency,
      ${unitsText('d.cod')} as cod, ${unitsText('d.delivery_fee')} as delivery_fee
    from ${INVOICE_ROWS}
    join courier_order_delivered_amount d on d.order_id = o.order_id
    where ${within(window)}`;

function unitsOf(cod: string | null, delivery_fee: string | null): OwnAmounts {
  return { cod: BigInt(cod ?? 0), delivery_fee: BigInt(delivery_fee ?? 0) };
}

/** Amounts by row ({@link rowKey}) and currency. */
type ByRow = ReadonlyMap<string, ReadonlyMap<string, OwnAmounts>>;

function byRow(recordAmounts: readonly RecordAmount[]): ByRow {
  const inCurrencies = (amounts: readonly RecordAmount[]) =>
    new Map(amounts.map(({ currency, cod, delivery_fee }) => [currency, unitsOf(cod, delivery_fee)]));
  return new Map([...groupBy(recordAmounts, rowKey)].map(([key, amounts]) => [key, inCurrencies(amounts)]));
}

function rowKey({ invoice_number, position }: Pick<InvoiceOrderTable, 'invoice_number' | 'position'>): string {
  return `${invoice_number} ${position}`;
}

/** The currencies in which orders on a month's invoices have amounts by their records, now or when delivered. */
export async function readRecordCurrencies(db: LedgerReader, period: string): Promise<string[]> {
  const isHere = sql`i.period = ${period} and i.vanished_at is null`;
  const rows = await rowsOf<{ currency: string }>(db)`
    select a.currency from ${INVOICE_ROWS} join courier_order_amount a on a.order_id = o.order_id where ${isHere}
    union select d.currency from ${INVOICE_ROWS} join courier_order_delivered_amount d on d.order_id = o.order_id
    where ${isHere} order by 1`;
  return rows.map(({ currency }) => currency);
}

/** Whether the ledger has more than `limit` invoice rows, of all couriers: so large books are told from small. */
export async function hasMoreRows(db: LedgerReader, limit: number): Promise<boolean> {
  const beyond = wholeLedger(db).selectFrom('invoice_order').select('position').limit(1).offset(limit);
  return (await beyond.executeTakeFirst()) !== undefined;
}

/** The month in which an invoice counts; null for one that the ledger lacks. */
export async function readInvoicePeriod(db: LedgerReader, number: number): Promise<string | null> {
  const header = await db.selectFrom('invoice').select('period').where('number', '=', number).executeTakeFirst();
  return header?.period ?? null;
}
