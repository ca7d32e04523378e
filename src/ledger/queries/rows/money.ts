/**
 * COD and fees of invoice rows, and what the records of their orders say of them, in ledger units as text. A record is
 * comparable if it is at least as new as the invoice (`isComparable`).
 */
import { type RawBuilder, sql } from 'kysely';
import { DELIVERED_STATES } from '../../../base/states.ts';
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
import type { PricedBy } from '../orders/deliveries.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import { isComparable, isOfOrdersWhere } from './comparable.ts';

export interface RowState extends RowInMonth {
  readonly state: string;
  /** The order's id again, or null if it has no record. */
  readonly record_order_id: string | null;
  readonly record_state: string | null;
  /** When the record first showed a delivery. */
  readonly delivered_seen_at: string | null;
}

const ROW_STATE = sql`${ROW_IN_MONTH}, o.delivery_state as state,
  b.order_id as record_order_id, b.delivery_state as record_state, b.delivered_seen_at`;

const IS_ROW_UNDELIVERED = sql`o.delivery_state not in ${listOf(DELIVERED_STATES)}`;
const IS_ROW_CANCELLED = sql`o.delivery_state = 'CANCELLED'`;
const IS_RECORD_UNDELIVERED = sql`delivered_seen_at is null`;
const IS_RECORD_CANCELLED = sql`delivered_seen_at is null and delivery_state = 'CANCELLED'`;

/**
 * The row meets its condition, or a comparable record meets the other. So written, the database finds the few orders
 * with such a record by their index, and compares only these; with `row or (record and comparable)` it compares all.
 */
function isByRowOrRecord(row: RawBuilder<unknown>, record: RawBuilder<unknown>, lastWholeWalk: number) {
  return sql`(${row} or ${isOfOrdersWhere(record)}) and (${row} or ${isComparable(lastWholeWalk)})`;
}

/**
 * The rows of these months with COD although their order was not delivered: the row's own state says so, or a
 * comparable record that never showed a delivery; by currency.
 */
export function readCodOfUndelivered(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  return rowsOf<RowState & { currency: string; cod: string }>(db)`
    select ${ROW_STATE}, a.currency, ${unitsText('a.cod')} as cod
    from ${INVOICE_ROWS}
    join ${ROW_AMOUNTS}
    left join ${ROW_RECORD}
    where ${isOneOf('i.period', periods)} and a.cod <> 0
      and ${isByRowOrRecord(IS_ROW_UNDELIVERED, IS_RECORD_UNDELIVERED, lastWholeWalk)}
    order by i.number, o.position, a.currency`;
}

/** A row of a cancelled order: its fee in one currency, null if it has none, and what an agreed price depends on. */
export interface CancelledFee extends RowState, PricedBy {
  readonly issued_at: string;
  readonly currency: string | null;
  readonly fee: string | null;
}

/**
 * The rows of these months whose order was cancelled, by the row's own state, or by a comparable record that never
 * showed a delivery; by currency.
 */
export function readFeesOfCancelled(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  return rowsOf<CancelledFee>(db)`
    select ${ROW_STATE}, i.issued_at, b.merchant_location, b.number_of_packages as packages, b.area_id, b.area_name,
      b.district, a.currency, ${unitsText('a.delivery_fee')} as fee
    from ${INVOICE_ROWS}
    left join ${ROW_AMOUNTS}
    left join ${ROW_RECORD}
    where ${isOneOf('i.period', periods)}
      and ${isByRowOrRecord(IS_ROW_CANCELLED, IS_RECORD_CANCELLED, lastWholeWalk)}
    order by i.number, o.position, a.currency`;
}

/** A row's COD and fee in one currency; nulls if the row has no amount, or its order no record. */
export interface RowMoneyBesideRecord
  extends Pick<RowState, 'number' | 'position' | 'order_id' | 'state' | 'record_state' | 'delivered_seen_at'>,
    Readonly<Record<'currency' | 'cod' | 'fee', string | null>> {}

/** COD and fee of these orders' rows, on any invoice, a line per row and currency. */
export function readRowMoney(db: LedgerReader, orderIds: readonly string[]) {
  return rowsOf<RowMoneyBesideRecord>(db)`
    select o.invoice_number as number, o.position, o.order_id, o.delivery_state as state,
      b.delivery_state as record_state, b.delivered_seen_at, ${COD_AND_FEE}
    from invoice_order o
    left join ${ROW_RECORD}
    left join ${ROW_AMOUNTS}
    where ${isOneOf('o.order_id', orderIds)}
    order by o.invoice_number, o.position`;
}

/** The records of these orders as they are now, a line per order and currency, in no order. */
export function readRecordMoney(db: LedgerReader, orderIds: readonly string[]) {
  return rowsOf<Record<'order_id' | 'currency' | 'cod' | 'fee', string>>(db)`
    select order_id, currency, ${unitsText('cod')} as cod, ${unitsText('delivery_fee')} as fee
    from courier_order_amount where ${isOneOf('order_id', orderIds)}`;
}

/**
 * The fees on rows of these months whose order's comparable record states no fee, in no order. Cancelled orders are
 * left out.
 */
export function readUnstatedFees(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  return rowsOf<Omit<RowInMonth, 'reference'> & Record<'currency' | 'fee', string>>(db)`
    select i.number, o.position, i.period, i.vanished_at, o.order_id, a.currency, ${unitsText('a.delivery_fee')} as fee
    from ${INVOICE_ROWS}
    join ${ROW_RECORD}
    join ${ROW_AMOUNTS}
    where ${isOneOf('i.period', periods)} and b.fee_stated = 0 and a.delivery_fee <> 0
      and not (b.delivered_seen_at is null and b.delivery_state = 'CANCELLED')
      and ${isComparable(lastWholeWalk)}`;
}
