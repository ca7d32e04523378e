import { parseInstant } from '../../base/instant.ts';
import { isDelivered } from '../../base/states.ts';
import { chunks } from '../../ledger/chunks.ts';
import {
  type BilledRow,
  type ListingInvoice,
  readBilledRows,
  readLiveInvoicesOf,
  readRowCharges,
} from '../../ledger/queries/rows/billed-rows.ts';
import { readRowMoney } from '../../ledger/queries/rows/money.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';

/** An order on invoices, with the row on which it counts: the first on its first live invoice, or else its first. */
export interface BilledOrder extends Omit<BilledRow, 'vanished_at'> {
  readonly isLive: boolean;
  /** Whether any of its rows says that it was delivered. */
  readonly wasDelivered: boolean;
}

/** All orders on invoices, by id. Without the courier's order book they are all that is known of its orders. */
export function billedOrders({ db, facts }: Pick<CheckContext, 'db' | 'facts'>) {
  return facts.once('billed-orders', async () => {
    const orders = new Map<string, BilledOrder>();
    for (const { vanished_at, ...row } of await readBilledRows(db)) {
      const before = orders.get(row.order_id);
      const wasDelivered = isDelivered(row.state) || (before?.wasDelivered ?? false);
      const order = { ...row, isLive: vanished_at === null, wasDelivered };
      orders.set(row.order_id, before && !isEarlier(order, before) ? { ...before, wasDelivered } : order);
    }
    return orders;
  });
}

/** Whether an order owes no fee: it was cancelled, and no row says that it was delivered before that. */
export function isCalledOff({ state, wasDelivered }: Pick<BilledOrder, 'state' | 'wasDelivered'>): boolean {
  return state === 'CANCELLED' && !wasDelivered;
}

/**
 * Whether the order counts on this row rather than an earlier read one: live invoices come first, then by issue. The
 * rows of an invoice are read by position, so that its first row stays.
 */
function isEarlier(row: BilledOrder, before: BilledOrder): boolean {
  if (row.isLive !== before.isLive) return row.isLive;
  return row.number !== before.number && issueTime(row) < issueTime(before);
}

/** COD by currency, in units. */
export type Cod = ReadonlyMap<string, bigint>;

/** An order's COD with the courier, and whether it was ever delivered. */
export type Collected = { readonly cod: Cod; readonly wasDelivered: boolean };

/** The COD of orders as the invoices state it, each on the row on which the order counts. */
export async function billedCods(context: CheckContext, ids: readonly string[]) {
  const billed = await billedOrders(context);
  const collected = new Map<string, { wasDelivered: boolean; cod: Map<string, bigint> }>();
  for (const id of ids) {
    const order = billed.get(id);
    if (order) collected.set(id, { wasDelivered: order.wasDelivered, cod: new Map() });
  }
  for (const { order_id, number, position, currency, cod } of await readRowMoney(context.db, ids)) {
    const order = billed.get(order_id)!;
    if (currency === null || cod === null) continue;
    const isCounted = order.number === number && order.position === position;
    if (isCounted) collected.get(order_id)!.cod.set(currency, BigInt(cod));
  }
  return collected;
}

/** The first live invoice that lists each order, by order id. Orders without one are not in it. */
export async function firstInvoices({ db }: Pick<CheckContext, 'db'>, orderIds: readonly string[]) {
  const first = new Map<string, Omit<ListingInvoice, 'order_id'>>();
  for (const chunk of chunks([...new Set(orderIds)])) {
    for (const { order_id, ...invoice } of await readLiveInvoicesOf(db, chunk)) {
      const earliest = first.get(order_id);
      if (!earliest || issueTime(invoice) < issueTime(earliest)) first.set(order_id, invoice);
    }
  }
  return first;
}

/** When an invoice was issued, in milliseconds; 0 without a date that can be read. */
export function issueTime({ issued_at }: { readonly issued_at: string | null }): number {
  return parseInstant(issued_at ?? '')?.getTime() ?? 0;
}

/** Gives a function from a row to the taxes that its settlement sheet withholds, by currency. No price says a tax. */
export function withheldTaxes({ db, periods, facts }: CheckContext) {
  return facts.once('withheld-taxes', async () => {
    const taxes = new Map<string, Map<string, Units>>();
    for (const { number, position, currency, amount } of await readRowCharges(db, periods, 'tax')) {
      const key = `${number} ${position}`;
      const ofRow = taxes.get(key) ?? new Map<string, Units>();
      taxes.set(key, ofRow.set(currency, (ofRow.get(currency) ?? 0n) + BigInt(amount)));
    }
    return ({ number, position }: { readonly number: number; readonly position: number }) =>
      taxes.get(`${number} ${position}`) ?? NONE;
  });
}

const NONE: ReadonlyMap<string, Units> = new Map();
