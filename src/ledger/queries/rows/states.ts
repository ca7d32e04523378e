/** Invoice rows and order records whose states contradict each other or are unknown. */
import { type RawBuilder, sql } from 'kysely';
import { DELIVERED_STATES, DELIVERY_STATES, PAYMENT_STATES } from '../../../base/states.ts';
import type { RowInMonth } from '../../schema.ts';
import { isOneOf, listOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

type StateRow = RowInMonth & Record<'status' | 'delivery_state' | 'payment_state', string>;

/** The rows of these months that are paid although their invoice is not, or not paid although their invoice is. */
export function readPaymentConflicts(db: LedgerReader, periods: readonly string[]): Promise<StateRow[]> {
  return readRows(db, periods, sql`(i.status = 'PAID') <> (o.payment_state = 'PAID_TO_MERCHANT')`);
}

/** The rows of these months with a state that the API's documentation does not name. */
export function readUnknownRowStates(db: LedgerReader, periods: readonly string[]): Promise<StateRow[]> {
  return readRows(db, periods, isUnknown('o'));
}

/** The invoices of these months on which no order was ever delivered, by the row or by the order's record. */
export async function readInvoicesOfUndelivered(db: LedgerReader, periods: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select i.number from invoice i
    where ${isOneOf('i.period', periods)} and not exists (
      select 1 from invoice_order o left join courier_order b on b.order_id = o.order_id
      where o.invoice_number = i.number and (${isOneOf('o.delivery_state', DELIVERED_STATES)} or b.delivered_seen_at is not null)
    )`.execute(db);
  return rows.map(({ number }) => number);
}

/** The records of the order book with a state that the API's documentation does not name. */
export async function readUnknownRecordStates(db: LedgerReader) {
  const { rows } = await sql<Record<'order_id' | 'reference' | 'delivery_state' | 'payment_state', string>>`
    select b.order_id, b.reference_id as reference, b.delivery_state, b.payment_state from courier_order b
    where ${isUnknown('b')}
    order by b.order_id`.execute(db);
  return rows;
}

/** Compares with the usual state first: nearly all orders are delivered and paid, and need no look-up. */
function isUnknown(order: 'o' | 'b'): RawBuilder<boolean> {
  const isUnlisted = <S extends string>(column: string, usual: NoInfer<S>, known: readonly S[]) =>
    sql`${sql.ref(column)} <> ${usual} and ${sql.ref(column)} not in ${listOf(known)}`;
  return sql<boolean>`(${isUnlisted(`${order}.delivery_state`, 'DELIVERED', DELIVERY_STATES)}
    or ${isUnlisted(`${order}.payment_state`, 'PAID_TO_MERCHANT', PAYMENT_STATES)})`;
}

/** @param condition over invoice `i` and row `o` */
async function readRows(db: LedgerReader, periods: readonly string[], condition: RawBuilder<unknown>) {
  const { rows } = await sql<StateRow>`
    select i.number, i.period, i.status, i.vanished_at, o.position, o.order_id, o.reference_id as reference,
      o.delivery_state, o.payment_state
    from invoice i join invoice_order o on o.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and ${condition}
    order by i.number, o.position`.execute(db);
  return rows;
}
