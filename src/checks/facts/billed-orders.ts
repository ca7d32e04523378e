/**
 * Orders on the rows of invoices: on which row each counts, and those that have several rows. An invoice is live while
 * its month's list has it.
 */
import { groupBy } from '../../base/group.ts';
import { parseInstant } from '../../base/instant.ts';
import { isDelivered } from '../../base/states.ts';
import { inChunks } from '../../ledger/chunks.ts';
import {
  type BilledLine,
  type BilledRow,
  type ListingInvoice,
  readBilledRows,
  readLiveInvoicesOf,
  readRowCharges,
  readRowsOfRepeatedOrders,
} from '../../ledger/queries/rows/billed-rows.ts';
import { readRowMoney } from '../../ledger/queries/rows/money.ts';
import { ZERO } from '../../money/decimal.ts';
import type { RowSigns } from '../../money/returns.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import { amountOf, type NetAmounts, netAmount } from '../finding.ts';

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
 * Whether the order counts on this row rather than on one that was read before: live invoices come first, then by
 * issue. The rows of an invoice are read by position, so that its first row stays.
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
  for (const { order_id, currency, cod, ...row } of await readRowMoney(context.db, ids)) {
    const isCounted = rowKey(billed.get(order_id)!) === rowKey(row);
    if (isCounted && currency !== null && cod !== null) collected.get(order_id)!.cod.set(currency, BigInt(cod));
  }
  return collected;
}

/** The first live invoice that lists each order, by order id. Orders without one are not in it. */
export async function firstInvoices({ db }: Pick<CheckContext, 'db'>, orderIds: readonly string[]) {
  const first = new Map<string, Omit<ListingInvoice, 'order_id'>>();
  const listings = await inChunks(new Set(orderIds), (chunk) => readLiveInvoicesOf(db, chunk));
  for (const { order_id, ...invoice } of listings) {
    const earliest = first.get(order_id);
    if (!earliest || issueTime(invoice) < issueTime(earliest)) first.set(order_id, invoice);
  }
  return first;
}

/** When an invoice was issued, in milliseconds; 0 without a date that can be read. */
export function issueTime({ issued_at }: { readonly issued_at: string | null }): number {
  return parseInstant(issued_at ?? '')?.getTime() ?? 0;
}

type RowOnInvoice = Pick<BilledLine, 'number' | 'position'>;

/** A key for one row of an invoice. */
export function rowKey({ number, position }: RowOnInvoice): string {
  return `${number} ${position}`;
}

/** Makes the function that gives the taxes that a settlement sheet withholds on a row: no rate card has a tax. */
export function withheldTaxes({ db, periods, facts }: CheckContext) {
  return facts.once('withheld-taxes', async () => {
    const taxes = new Map<string, Map<string, Units>>();
    for (const { currency, amount, ...row } of await readRowCharges(db, periods, 'tax')) {
      const ofRow = taxes.get(rowKey(row)) ?? new Map<string, Units>();
      taxes.set(rowKey(row), ofRow.set(currency, (ofRow.get(currency) ?? 0n) + BigInt(amount)));
    }
    return (row: RowOnInvoice) => taxes.get(rowKey(row)) ?? NO_TAXES;
  });
}

const NO_TAXES: ReadonlyMap<string, Units> = new Map();

/** A row's COD and fee, by currency. */
export type RowMoney = ReadonlyMap<string, NetAmounts>;

/** A row of an order that has several rows, and the invoice it is on. */
export type RepeatedRow = ReturnType<typeof rowOf>;

/** An order that is on several rows, of one invoice or of several. */
export type RepeatedOrder = ReturnType<typeof orderOf>;

/** The orders on these months' invoices that have more than one row, on whatever invoices, by order id. */
export function billedTwice({ db, periods, facts }: Pick<CheckContext, 'db' | 'periods' | 'facts'>) {
  return facts.once('billed-twice', async () => {
    const rows = await readRowsOfRepeatedOrders(db, periods);
    return new Map([...groupBy(rows, ({ order_id }) => order_id)].map(([id, lines]) => [id, orderOf(id, lines)]));
  });
}

function orderOf(order_id: string, allLines: readonly BilledLine[]) {
  const issued = new Map(allLines.map((line) => [line.number, issueTime(line)]));
  /** The order's rows by invoice: the invoices by date of issue, in each the rows by position. */
  const invoices = [...groupBy(allLines, ({ number }) => number)]
    .sort(([a], [b]) => issued.get(a)! - issued.get(b)! || a - b)
    .map(([, lines]) => {
      const byPosition = [...groupBy(lines, ({ position }) => position).values()];
      return byPosition.map(rowOf) as [RepeatedRow, ...RepeatedRow[]];
    });
  // `live` lacks the invoices that have vanished. Its first is the invoice on which the order counts.
  return { order_id, invoices, live: invoices.filter(([first]) => first.isLive) };
}

function rowOf(lines: readonly BilledLine[]) {
  const { order_id, reference, number, position, period, vanished_at } = lines[0]!;
  const isLive = vanished_at === null;
  return { order_id, reference, number, position, period, isLive, money: moneyOfLines(lines) };
}

/** The money of a row from its lines, one per currency; a row without any amount has a line without a currency. */
export function moneyOfLines(
  lines: readonly { readonly currency: string | null; readonly cod: string | null; readonly fee: string | null }[],
): RowMoney {
  return new Map(
    lines.flatMap(({ currency, cod, fee }) =>
      currency === null ? [] : [[currency, { cod: amountOf(cod), delivery_fee: amountOf(fee) }] as const],
    ),
  );
}

/** The currencies in which any of the rows has an amount that is not zero, sorted. */
export function currenciesAtStake(rows: readonly Pick<RepeatedRow, 'money'>[]): string[] {
  const touched = rows.flatMap(({ money }) =>
    [...money].flatMap(([currency, { cod, delivery_fee }]) => (cod.isZero() && delivery_fee.isZero() ? [] : currency)),
  );
  return [...new Set(touched)].sort();
}

/** One currency per finding: those at stake, or a single null if there are none, for one finding without money. */
export function currenciesOfFindings(rows: readonly Pick<RepeatedRow, 'money'>[]): readonly (string | null)[] {
  const currencies = currenciesAtStake(rows);
  return currencies.length > 0 ? currencies : [null];
}

/** The net of rows of one order in one currency; null if nobody knows how they count. */
export function netOf(rows: readonly Pick<RepeatedRow, 'money'>[], currency: string, signs: RowSigns | null) {
  if (signs === null) return null;
  return rows.reduce((sum, { money }) => {
    const amounts = money.get(currency);
    return amounts ? sum.plus(netAmount(amounts, signs)) : sum;
  }, ZERO);
}

export interface RowPlace {
  /** Which of its order's rows on the invoice it is, from 0. */
  readonly place: number;
  /**
   * Whether the order counts on this row: it is the first row on the first live invoice that lists the order. The money
   * of every other row is an effect of `order-repeated`, `order-on-two-invoices` or `invoice-vanished` alone.
   */
  readonly isCounted: boolean;
}

type RowToPlace = Pick<BilledLine, 'number' | 'position' | 'order_id' | 'vanished_at'>;

/** Makes the function that gives the place of a row on these months' invoices. */
export async function rowPlaces(context: CheckContext): Promise<(row: RowToPlace) => RowPlace> {
  const twice = await billedTwice(context);
  return ({ number, position, order_id, vanished_at }) => {
    const order = twice.get(order_id);
    // The order has no other row, on whatever invoice.
    if (!order) return { place: 0, isCounted: vanished_at === null };
    // All rows of an order that has several were read, this one among them.
    const rowsOnInvoice = order.invoices.find(([first]) => first.number === number)!;
    const place = rowsOnInvoice.findIndex((row) => row.position === position);
    return { place, isCounted: place === 0 && order.live[0]?.[0].number === number };
  };
}
