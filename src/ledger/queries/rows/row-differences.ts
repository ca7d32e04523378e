/** Invoice rows that differ from the order book, or cannot be compared with it. Amounts are ledger units as text. */
import { type RawBuilder, sql } from 'kysely';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import { chunks } from '../../chunks.ts';
import type { RowInMonth } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';
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
    sql`${unitsText(`own.${field}`)} as ${sql.ref(`record_${field}`)}`,
  ]);
  const anyOf = (conditionOf: (field: OrderMoneyField) => RawBuilder<unknown>) =>
    sql.join(ORDER_MONEY_FIELDS.map(conditionOf), sql` or `);
  // Two lists: the currencies of a row, and those that only the record has.
  const rowsIn = (currency: string, joins: RawBuilder<unknown>, differs: RawBuilder<unknown>) => sql`
    select i.number, i.period, i.vanished_at, o.position, o.order_id, o.reference_id as reference,
      ${sql.ref(currency)} as currency, ${sql.join(columns)}
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    ${joins}
    where ${isOneOf('i.period', periods)} and (${differs})`;
  const ofRow = sql`a.invoice_number = o.invoice_number and a.position = o.position`;
  const currenciesOfRow = rowsIn(
    'a.currency',
    sql`join invoice_order_amount a on ${ofRow}
      left join courier_order_amount own on own.order_id = o.order_id and own.currency = a.currency`,
    anyOf((field) => sql`${sql.ref(`a.${field}`)} <> coalesce(${sql.ref(`own.${field}`)}, 0)`),
  );
  const currenciesOfRecordAlone = rowsIn(
    'own.currency',
    sql`join courier_order_amount own on own.order_id = o.order_id
      left join invoice_order_amount a on ${ofRow} and a.currency = own.currency`,
    sql`a.currency is null`,
  );
  const { rows } = await sql<RowOff>`
    select off.* from (${currenciesOfRow} union all ${currenciesOfRecordAlone}) off
    order by off.number, off.position, off.currency`.execute(db);
  const records = await readRecordStates(db, [...new Set(rows.map(({ order_id }) => order_id))]);
  return rows.flatMap((row) => {
    const record = records.get(row.order_id);
    return record ? [{ ...row, ...record }] : [];
  });
}

type RecordState = Pick<RowBesideRecord, 'fee_stated' | 'state' | 'delivered_seen_at'>;
type RowOff = Omit<RowBesideRecord, keyof RecordState>;

async function readRecordStates(db: LedgerReader, orderIds: readonly string[]) {
  const records = new Map<string, RecordState>();
  for (const page of chunks(orderIds)) {
    const { rows } = await sql<RecordState & { order_id: string }>`
      select order_id, fee_stated, delivery_state as state, delivered_seen_at
      from courier_order where ${isOneOf('order_id', page)}`.execute(db);
    for (const { order_id, ...record } of rows) records.set(order_id, record);
  }
  return records;
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
 *
 * @param lastWholeWalk see {@link isComparable}
 */
export async function readUnlinkedRows(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  const { rows } = await sql<UnlinkedRow>`
    select o.order_id, i.vanished_at as invoice_vanished_at, case when b.order_id is null then 0 else 1 end as has_record
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    left join courier_order b on b.order_id = o.order_id
    where ${isOneOf('i.period', periods)}
      and (b.merchant_invoice is null or b.merchant_invoice <> cast(i.number as text))
      and (b.order_id is not null or ${isBookNewer(lastWholeWalk)})`.execute(db);
  return rows;
}

/** A row, in one currency, whose order the order book lacks; without any amount, one line without a currency. */
type UnknownRow = RowInMonth & Record<'currency' | 'cod' | 'fee', string | null>;

/**
 * The rows of these months for orders without a record, by invoice and position. Left out are orders that are in the
 * order book but could not be read, and invoices that are newer than the last reading of the book.
 *
 * @param orderIds of orders without a record
 * @param lastWholeWalk see {@link isComparable}
 */
export async function readUnknownRows(
  db: LedgerReader,
  periods: readonly string[],
  { orderIds, lastWholeWalk }: { readonly orderIds: readonly string[]; readonly lastWholeWalk: number },
): Promise<UnknownRow[]> {
  const unknown: UnknownRow[] = [];
  for (const page of chunks(orderIds)) {
    const { rows } = await sql<UnknownRow>`
    select i.number, i.period, i.vanished_at, o.position, o.order_id, o.reference_id as reference,
      a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('o.order_id', page)} and ${isOneOf('i.period', periods)} and ${isBookNewer(lastWholeWalk)}
      and not exists (select 1 from unreadable u where u.kind = 'order' and u.subject = o.order_id)
    order by a.currency`.execute(db);
    unknown.push(...rows);
  }
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
 * The rows of these months that cannot be compared with the order book, by invoice and position.
 *
 * @param lastWholeWalk see {@link isComparable}
 */
export async function readUncomparedRows(db: LedgerReader, periods: readonly string[], lastWholeWalk: number) {
  // The first condition lets the database find the few rows that may be uncompared. The last one leaves out orders that
  // the book lacked when it was read whole after the invoice: these are unknown, not uncompared.
  const { rows } = await sql<UncomparedRow>`
    select i.number, o.position, o.order_id, i.period, i.vanished_at,
      case when b.order_id is not null then 'older' when u.subject is not null then 'unread' else 'absent' end as why
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    left join courier_order b on b.order_id = o.order_id
    left join unreadable u on u.kind = 'order' and u.subject = o.order_id
    where ${isOneOf('i.period', periods)}
      and (not ${isBookNewer(lastWholeWalk)} or ${isOfOrdersWhere(sql`vanished_at is not null or superseded_at is not null`)}
        or o.order_id in (select subject from unreadable where kind = 'order'))
      and not ${isComparable(lastWholeWalk)}
      and (b.order_id is not null or u.subject is not null or not ${isBookNewer(lastWholeWalk)})
    order by i.number, o.position`.execute(db);
  return rows;
}
