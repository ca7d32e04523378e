/**
 * Invoice rows that differ from the order book, or cannot be compared with it; and states of rows and records that
 * contradict the invoice or that nobody knows. Amounts are ledger units as text. In the SQL, `recorded` has the amounts
 * of the record `b`. A row is compared with a record that is at least as new as the invoice (`isComparable`).
 */
import { type RawBuilder, sql } from 'kysely';
import { DELIVERED_STATES, DELIVERY_STATES, PAYMENT_STATES } from '../../../base/states.ts';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import { inChunks } from '../../chunks.ts';
import type { RowInMonth } from '../../schema.ts';
import {
  COD_AND_FEE,
  INVOICE_ROWS,
  isOneOf,
  listOf,
  ROW_AMOUNTS,
  ROW_IN_MONTH,
  ROW_RECORD,
  unitsText,
} from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import { isBookNewer, isComparable, isOfOrdersWhere } from './comparable.ts';

/** A row and its order's record in one currency; null if one of them lacks the currency. */
export type RowBesideRecord = Readonly<Record<`${'row' | 'record'}_${OrderMoneyField}`, string | null>> &
  RowInMonth & {
    readonly currency: string;
    readonly fee_stated: 0 | 1;
    readonly state: string;
    readonly delivered_seen_at: string | null;
  };

/**
 * The rows of these months, by currency, whose amounts differ from the order's record, or which lack a currency that
 * the record has, even with zero; by invoice and position. Rows that cannot be compared with their record are included:
 * see {@link readUncomparedRows}.
 */
export async function readRowsOff(db: LedgerReader, periods: readonly string[]): Promise<RowBesideRecord[]> {
  const columns = ORDER_MONEY_FIELDS.flatMap((field) => [
    sql`${unitsText(`a.${field}`)} as ${sql.ref(`row_${field}`)}`,
    sql`${unitsText(`recorded.${field}`)} as ${sql.ref(`record_${field}`)}`,
  ]);
  const anyOf = (conditionOf: (field: OrderMoneyField) => RawBuilder<unknown>) =>
    sql.join(ORDER_MONEY_FIELDS.map(conditionOf), sql` or `);
  // Two lists: the currencies of a row, and those that only the record has.
  const rowsIn = (currency: string, joins: RawBuilder<unknown>, differs: RawBuilder<unknown>) => sql`
    select ${ROW_IN_MONTH}, ${sql.ref(currency)} as currency, ${sql.join(columns)}
    from ${INVOICE_ROWS}
    ${joins}
    where ${isOneOf('i.period', periods)} and (${differs})`;
  const ofRow = sql`a.invoice_number = o.invoice_number and a.position = o.position`;
  const currenciesOfRow = rowsIn(
    'a.currency',
    sql`join invoice_order_amount a on ${ofRow}
      left join courier_order_amount recorded on recorded.order_id = o.order_id and recorded.currency = a.currency`,
    anyOf((field) => sql`${sql.ref(`a.${field}`)} <> coalesce(${sql.ref(`recorded.${field}`)}, 0)`),
  );
  const currenciesOfRecordAlone = rowsIn(
    'recorded.currency',
    sql`join courier_order_amount recorded on recorded.order_id = o.order_id
      left join invoice_order_amount a on ${ofRow} and a.currency = recorded.currency`,
    sql`a.currency is null`,
  );
  const rows = await rowsOf<RowOff>(db)`
    select off.* from (${currenciesOfRow} union all ${currenciesOfRecordAlone}) off
    order by off.number, off.position, off.currency`;
  const records = await readRecordStates(db, [...new Set(rows.map(({ order_id }) => order_id))]);
  return rows.flatMap((row) => {
    const record = records.get(row.order_id);
    return record ? [{ ...row, ...record }] : [];
  });
}

type RecordState = Pick<RowBesideRecord, 'fee_stated' | 'state' | 'delivered_seen_at'>;
type RowOff = Omit<RowBesideRecord, keyof RecordState>;

async function readRecordStates(db: LedgerReader, orderIds: readonly string[]) {
  const records = await inChunks(
    orderIds,
    (page) => rowsOf<RecordState & { order_id: string }>(db)`
      select order_id, fee_stated, delivery_state as state, delivered_seen_at
      from courier_order where ${isOneOf('order_id', page)}`,
  );
  return new Map(records.map(({ order_id, ...record }) => [order_id, record]));
}

/** An invoice's row whose order does not name its invoice. */
export interface UnlinkedRow {
  readonly order_id: string;
  readonly invoice_vanished_at: string | null;
  /** 1 if the order has a record: that names another invoice, or none. */
  readonly has_record: 0 | 1;
}

/**
 * The rows of these months whose order does not name their invoice: its record names another or none, or there is no
 * record although the order book was seen whole since.
 */
export function readUnlinkedRows(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  return rowsOf<UnlinkedRow>(db)`
    select o.order_id, i.vanished_at as invoice_vanished_at, case when b.order_id is null then 0 else 1 end as has_record
    from ${INVOICE_ROWS}
    left join ${ROW_RECORD}
    where ${isOneOf('i.period', periods)}
      and (b.merchant_invoice is null or b.merchant_invoice <> cast(i.number as text))
      and (b.order_id is not null or ${isBookNewer(lastWholeWalk)})`;
}

/** A row, in one currency, whose order the order book lacks; without any amount, one line without a currency. */
type UnknownRow = RowInMonth & Record<'currency' | 'cod' | 'fee', string | null>;

/**
 * The rows of these months for orders without a record, by invoice and position. Left out are orders that are in the
 * order book but could not be read, and invoices that are newer than the last reading of the book.
 *
 * @param orderIds of orders without a record
 */
export async function readUnknownRows(
  db: LedgerReader,
  periods: readonly string[],
  { orderIds, lastWholeWalk }: { readonly orderIds: readonly string[]; readonly lastWholeWalk: number },
): Promise<UnknownRow[]> {
  const unknown = await inChunks(
    orderIds,
    (page) => rowsOf<UnknownRow>(db)`
    select ${ROW_IN_MONTH}, ${COD_AND_FEE}
    from ${INVOICE_ROWS}
    left join ${ROW_AMOUNTS}
    where ${isOneOf('o.order_id', page)} and ${isOneOf('i.period', periods)} and ${isBookNewer(lastWholeWalk)}
      and not exists (select 1 from unreadable u where u.kind = 'order' and u.subject = o.order_id)
    order by a.currency`,
  );
  return unknown.sort((a, b) => a.number - b.number || a.position - b.position);
}

/** An invoice's row that cannot be compared with the order's own record. */
export interface UncomparedRow extends Omit<RowInMonth, 'reference'> {
  /**
   * `older`: the record is older than the invoice; `unread`: the order is in the order book, but its record could not
   * be read; `absent`: the order book was last read before the invoice, and lacked the order.
   */
  readonly why: 'older' | 'unread' | 'absent';
}

/**
 * The rows of these months that cannot be compared with the order book, by invoice and position: their order has no
 * record as new as the invoice, and is none of the unknown ones of {@link readUnknownRows}.
 */
export function readUncomparedRows(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  // Without this condition the result would be the same. It lets the database find first the few rows that may fit.
  const searchHint = sql`(not ${isBookNewer(lastWholeWalk)}
        or ${isOfOrdersWhere(sql`vanished_at is not null or superseded_at is not null`)}
        or o.order_id in (select subject from unreadable where kind = 'order'))`;
  // False for an order that the book lacked when it was read whole after the invoice: that order is unknown.
  const mayBeInBook = sql`(b.order_id is not null or u.subject is not null or not ${isBookNewer(lastWholeWalk)})`;
  return rowsOf<UncomparedRow>(db)`
    select i.number, o.position, o.order_id, i.period, i.vanished_at,
      case when b.order_id is not null then 'older' when u.subject is not null then 'unread' else 'absent' end as why
    from ${INVOICE_ROWS}
    left join ${ROW_RECORD}
    left join unreadable u on u.kind = 'order' and u.subject = o.order_id
    where ${isOneOf('i.period', periods)}
      and ${searchHint}
      and not ${isComparable(lastWholeWalk)}
      and ${mayBeInBook}
    order by i.number, o.position`;
}

type StateRow = RowInMonth & Record<'status' | 'delivery_state' | 'payment_state', string>;

/** The rows of these months that are paid although their invoice is not, or not paid although their invoice is. */
export function readPaymentConflicts(db: LedgerReader, periods: readonly string[]): Promise<StateRow[]> {
  return readRows(db, periods, sql`(i.status = 'PAID') <> (o.payment_state = 'PAID_TO_MERCHANT')`);
}

/** The rows of these months with a state that the API's documentation does not name. */
export function readUnknownRowStates(db: LedgerReader, periods: readonly string[]): Promise<StateRow[]> {
  return readRows(db, periods, hasUnknownState('o'));
}

/** The invoices of these months on which no order was ever delivered, by the row or by the order's record. */
export async function readInvoicesOfUndelivered(db: LedgerReader, periods: readonly string[]): Promise<number[]> {
  const rows = await rowsOf<{ number: number }>(db)`
    select i.number from invoice i
    where ${isOneOf('i.period', periods)} and not exists (
      select 1 from invoice_order o left join ${ROW_RECORD}
      where o.invoice_number = i.number and (${isOneOf('o.delivery_state', DELIVERED_STATES)} or b.delivered_seen_at is not null)
    )`;
  return rows.map(({ number }) => number);
}

/** The records of the order book with a state that the API's documentation does not name. */
export function readUnknownRecordStates(db: LedgerReader) {
  return rowsOf<Record<'order_id' | 'reference' | 'delivery_state' | 'payment_state', string>>(db)`
    select b.order_id, b.reference_id as reference, b.delivery_state, b.payment_state from courier_order b
    where ${hasUnknownState('b')}
    order by b.order_id`;
}

/** Compares with the usual state first: nearly all orders are delivered and paid, and need no look-up. */
function hasUnknownState(order: 'o' | 'b'): RawBuilder<boolean> {
  const isUnknown = <S extends string>(column: string, usual: NoInfer<S>, known: readonly S[]) =>
    sql`${sql.ref(column)} <> ${usual} and ${sql.ref(column)} not in ${listOf(known)}`;
  return sql<boolean>`(${isUnknown(`${order}.delivery_state`, 'DELIVERED', DELIVERY_STATES)}
    or ${isUnknown(`${order}.payment_state`, 'PAID_TO_MERCHANT', PAYMENT_STATES)})`;
}

/** @param condition over invoice `i` and row `o` */
function readRows(db: LedgerReader, periods: readonly string[], condition: RawBuilder<unknown>) {
  return rowsOf<StateRow>(db)`
    select ${ROW_IN_MONTH}, i.status, o.delivery_state, o.payment_state
    from ${INVOICE_ROWS}
    where ${isOneOf('i.period', periods)} and ${condition}
    order by i.number, o.position`;
}
