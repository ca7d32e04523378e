/** Orders whose amounts changed, whose states moved backwards, or that vanished; and every change of a record. */
import { sql } from 'kysely';
import { eachField, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import { amountOfUnits } from '../../../money/units.ts';
import type { OrderChangeTable } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import type { ReferencedOrder } from './links.ts';

/**
 * The orders whose amounts have changed since they were first seen delivered (`restated`), in each currency of then or
 * now, with their `record`, its amounts then (`delivered`), and its `amounts` now.
 */
const RESTATED_ORDERS = sql`(
    select order_id, currency from courier_order_delivered_amount
    union
    select order_id, currency from courier_order_amount
    where order_id in (select order_id from courier_order_delivered_amount)
  ) restated
  join courier_order record on record.order_id = restated.order_id
  left join courier_order_delivered_amount delivered
    on delivered.order_id = restated.order_id and delivered.currency = restated.currency
  left join courier_order_amount amounts
    on amounts.order_id = restated.order_id and amounts.currency = restated.currency`;

/** Amounts of {@link RESTATED_ORDERS}, in ledger units as text; null if the record lacks or lacked the currency. */
type ThenAndNow = Readonly<Record<`${'then' | 'now'}_${OrderMoneyField}`, string | null>>;

const THEN_AND_NOW = sql.join(
  ORDER_MONEY_FIELDS.flatMap((field) => [
    sql`${unitsText(`delivered.${field}`)} as ${sql.ref(`then_${field}`)}`,
    sql`${unitsText(`amounts.${field}`)} as ${sql.ref(`now_${field}`)}`,
  ]),
);

/**
 * These months' orders whose amounts changed after they were first seen delivered, by order and currency. The table of
 * amounts at delivery has an order only while its record states others. `seen_at` is when a walk last found the amounts
 * changed. `before_sha256` is the hash of the record as it was until its amounts first changed after the delivery, and
 * `after_sha256` is the hash of the record now.
 */
export async function readOrderRestatements(db: LedgerReader, periods: readonly string[]) {
  /** SQL for a column of the first or the last change of amounts after the order's delivery. */
  const ofChange = (which: 'first' | 'last', column: string) => sql`(
    select ${sql.ref(column)} from order_change change join evidence on evidence.id = change.evidence_id
    left join evidence_part part on part.part = change.from_part
    where change.order_id = restated.order_id and change.amounts_changed = 1
      and change.evidence_id > record.delivered_evidence_id
    order by change.evidence_id ${which === 'first' ? sql`asc` : sql`desc`} limit 1)`;
  const fromItsInvoices = sql`from invoice_order billed join invoice on invoice.number = billed.invoice_number
    where billed.order_id = restated.order_id and invoice.vanished_at is null
      and ${isOneOf('invoice.period', periods)}`;
  interface Restatement extends ThenAndNow, Record<'order_id' | 'currency' | 'record_sha256', string> {
    readonly number: number;
    readonly seen_at: string | null;
    readonly before_hash: Uint8Array | null;
  }
  const rows = await rowsOf<Restatement>(db)`
    select restated.order_id, restated.currency, record.record_sha256,
      (select min(invoice.number) ${fromItsInvoices}) as number, ${THEN_AND_NOW},
      ${ofChange('last', 'evidence.at')} as seen_at, ${ofChange('first', 'part.sha256')} as before_hash
    from ${RESTATED_ORDERS}
    where exists (select 1 ${fromItsInvoices})
    order by restated.order_id, restated.currency`;
  return rows.map((row) => ({
    order_id: row.order_id,
    invoice_number: row.number,
    currency: row.currency,
    before: eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(row[`then_${field}`] ?? '0')),
    after: eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(row[`now_${field}`] ?? '0')),
    seen_at: row.seen_at,
    before_sha256: row.before_hash === null ? null : Buffer.from(row.before_hash).toString('hex'),
    after_sha256: row.record_sha256,
  }));
}

export interface OrderChange extends Readonly<Omit<OrderChangeTable, 'evidence_id'>> {
  readonly reference_id: string;
  readonly seen_at: string;
}

/** The changes of orders' records from a row of evidence on, oldest first. @param order only those of this order */
export async function readOrderChanges(
  db: LedgerReader,
  { sinceEvidence = 0, order }: { sinceEvidence?: number; order?: string },
): Promise<OrderChange[]> {
  let query = db
    .selectFrom('order_change as c')
    .innerJoin('courier_order as o', 'o.order_id', 'c.order_id')
    .innerJoin('evidence as e', 'e.id', 'c.evidence_id')
    .select(['c.order_id', 'o.reference_id', 'e.at as seen_at', 'c.what', 'c.from_delivery_state'])
    .select(['c.to_delivery_state', 'c.from_payment_state', 'c.to_payment_state', 'c.from_part', 'c.to_part'])
    .select(['c.amounts_changed', 'c.backward'])
    .where('c.evidence_id', '>=', sinceEvidence)
    .orderBy('c.evidence_id')
    .orderBy('c.order_id');
  if (order !== undefined) query = query.where('c.order_id', '=', order);
  return query.execute();
}

/** How many orders were first seen from a row of evidence on. */
export async function countNewOrders(db: LedgerReader, from: number): Promise<number> {
  const rows = await rowsOf<{ count: number }>(db)`
    select count(*) as count from courier_order where first_evidence_id >= ${from}`;
  return Number(rows[0]!.count);
}

export interface StateChange
  extends ReferencedOrder,
    Record<`${'from' | 'to'}_${'delivery' | 'payment'}_state`, string> {
  readonly at: string;
}

/** All changes of the orders with a state that ever moved backwards, by order, oldest first. */
export function readChangesOfRegressed(db: LedgerReader) {
  return rowsOf<StateChange>(db)`
    select c.order_id, b.reference_id as reference, e.at,
      c.from_delivery_state, c.to_delivery_state, c.from_payment_state, c.to_payment_state
    from order_change c
    join courier_order b on b.order_id = c.order_id
    join evidence e on e.id = c.evidence_id
    where c.order_id in (select order_id from order_change where backward = 1)
    order by c.order_id, c.evidence_id`;
}

/** The records of all months whose amounts changed after they were first seen delivered, by order and currency. */
export function readRestatedRecords(db: LedgerReader) {
  return rowsOf<ReferencedOrder & ThenAndNow & { readonly currency: string }>(db)`
    select restated.order_id, restated.currency, record.reference_id as reference, ${THEN_AND_NOW}
    from ${RESTATED_ORDERS}
    order by restated.order_id, restated.currency`;
}

export interface VanishedOrder extends ReferencedOrder {
  readonly vanished_at: string;
}

export function readVanishedOrders(db: LedgerReader) {
  return rowsOf<VanishedOrder>(db)`
    select order_id, reference_id as reference, vanished_at from courier_order
    where vanished_at is not null order by order_id`;
}
