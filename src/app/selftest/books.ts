import type { TSchema } from '@sinclair/typebox';
import { cutWhole, parseList } from '../../api/cut-list.ts';
import { contractError, faultOf } from '../../api/decode.ts';
import { decodeList } from '../../api/list.ts';
import { InvoiceDetail, InvoiceListItem, type Order } from '../../api/wire.ts';
import type { Amounts, Bill, CourierBooks, PlacedOrder, PlantRow } from '../../checks/plant.ts';
import type { Page, Walk } from '../../courier/index.ts';
import { type ExactDecimal, parseAmount } from '../../money/decimal.ts';
import {
  eachField,
  MONEY_FIELDS,
  type MoneyField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
} from '../../money/fields.ts';
import { Totals } from '../../money/sum.ts';
import type { SyncClient } from '../../sync/session.ts';

type Pairs = [currency: string, amount: string][];

/** The courier's books in memory: {@link inMemoryClient} answers from them, and plants (checks/plant.ts) break them. */
export class PaperBooks implements CourierBooks {
  readonly orders = new Map<string, PlacedOrder>();
  readonly bills = new Map<number, Bill>();
  readonly overstated = new Set<string>();
  readonly messages: string[] = [];

  place(order_id: string, delivered: string | null, amounts: Amounts = { USD: ['25.00', '3.00'] }): PlacedOrder {
    const order: PlacedOrder = {
      order_id,
      reference_id: `ref-${order_id}`,
      workflow: 'STANDARD',
      delivery_state: delivered === null ? 'IN_TRANSIT' : 'DELIVERED',
      payment_state: 'UNPAID',
      delivered_at: delivered === null ? null : `${delivered}T08:00:00.000Z`,
      merchant_invoice: null,
      merchant_location: this.orders.size + 1,
      amounts,
    };
    this.orders.set(order_id, order);
    return order;
  }

  bill(number: number, issued: string, orderIds: readonly string[], status = 'PAID'): Bill {
    const payment_state = status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
    const bill: Bill = {
      number,
      status,
      issued_at: `${issued}T10:00:00Z`,
      months: [issued.slice(0, 7)],
      rows: [],
      header: {},
      listed: {},
      isUnreadable: false,
    };
    this.bills.set(number, bill);
    for (const id of orderIds) this.addRow(bill, id, payment_state);
    return bill;
  }

  addRow(bill: Bill, orderId: string, payment_state = 'PENDING_PAYMENT_TO_MERCHANT'): PlantRow {
    const order = this.orders.get(orderId)!;
    order.merchant_invoice = bill.number;
    order.payment_state = payment_state;
    const { order_id, reference_id, workflow, delivery_state, amounts } = order;
    const row = { order_id, reference_id, workflow, delivery_state, payment_state, amounts };
    bill.rows.push(row);
    return row;
  }
}

/** An invoice's row in the list, as the API sends it; a plant may let it differ (`listed`). */
function listRow(bill: Bill): object {
  const { number, status, issued_at, rows, listed } = bill;
  return { number, status, status_display: '', issued_at, order_count: rows.length, ...headerOf(bill), ...listed };
}

/** An invoice with its orders, as the API sends it. */
function detailOf(bill: Bill): object {
  const { number, status, issued_at, rows, isUnreadable } = bill;
  const orders = rows.map(({ amounts, ...row }) => ({ ...row, ...rowMoney(amounts) }));
  return { number, status, issued_at, ...headerOf(bill), orders: isUnreadable ? 'none' : orders };
}

/** An order's record in the order book, as the API sends it. */
function recordOf({ delivered_at, amounts, ...order }: PlacedOrder): object {
  const { delivery_state, payment_state } = order;
  const statestamps = [{ delivery_state: 'CREATED', payment_state: 'UNPAID', timestamp: '2026-10-01T08:00:00.000Z' }];
  if (delivered_at !== null) statestamps.push({ delivery_state, payment_state, timestamp: delivered_at });
  return { ...order, ...rowMoney(amounts), statestamps };
}

function rowMoney(amounts: Amounts): Record<OrderMoneyField, Pairs> {
  const pick = (place: 0 | 1): Pairs => Object.entries(amounts).map(([code, money]) => [code, money[place]]);
  return { ...eachField(ORDER_MONEY_FIELDS, noMoney), cod: pick(0), delivery_fee: pick(1) };
}

/** The sums of an invoice's rows, with what a plant adds to them (`header`). */
function headerOf({ rows, header }: Bill): Record<MoneyField, Pairs> {
  const cod = new Totals();
  const fee = new Totals();
  const net = new Totals();
  const add = (currency: string, addedCod: string, addedFee: string, addedNet: ExactDecimal) => {
    cod.add(currency, parseAmount(addedCod));
    fee.add(currency, parseAmount(addedFee));
    net.add(currency, addedNet);
  };
  for (const [currency, [rowCod, rowFee]] of rows.flatMap(({ amounts }) => Object.entries(amounts))) {
    add(currency, rowCod, rowFee, parseAmount(rowCod).minus(parseAmount(rowFee)));
  }
  for (const [currency, [moreCod, moreFee, moreNet]] of Object.entries(header)) {
    add(currency, moreCod, moreFee, parseAmount(moreNet));
  }
  const sums = { cod: pairsOf(cod), delivery_fee: pairsOf(fee), net_due_to_merchant: pairsOf(net) };
  return { ...eachField(MONEY_FIELDS, noMoney), ...sums };
}

/** The other money fields are empty. */
const noMoney = (): Pairs => [];

function pairsOf(totals: Totals): Pairs {
  return totals.currencies().map((currency) => [currency, totals.of(currency).toFixed()]);
}

const BASE = 'https://courier.invalid/v1/external/';

/** A client that answers a sync from books in memory, with documents as the API sends them. It uses no network. */
export function inMemoryClient(books: CourierBooks, now: () => Date): SyncClient {
  const answer = (path: string, document: unknown) => ({
    body: Buffer.from(JSON.stringify(document)),
    url: BASE + path,
    receivedAt: now(),
    status: 200,
  });

  async function walk<S extends TSchema, T>(
    path: string,
    schema: S,
    { results, isOverstated }: { results: readonly object[]; isOverstated: boolean },
    onPage: (page: Page<T>, walk: number) => Promise<void> | void,
  ): Promise<Walk> {
    const count = results.length + (isOverstated ? 1 : 0);
    const document = { count, next: null, previous: null, results };
    const { items } = decodeList(schema, document);
    await onPage({ ...answer(path, document), items: items as Page<T>['items'], count, next: null }, 1);
    return { complete: !isOverstated, statedCount: count, seenCount: results.length, walks: 1 };
  }

  /** The one page of the order book, cut into its orders. @param knownId finds an order that the ledger has */
  function orderBook(knownId: (sha256: string) => string | undefined) {
    const results = [...books.orders.values()].map(recordOf);
    const received = answer('orders/', { count: results.length, next: null, previous: null, results });
    return { ...received, ...parseList(received.body, knownId).cut!, count: results.length, next: null };
  }

  return {
    baseUrl: BASE,
    pageSize: 100,
    stats: { requests: 0, retries: 0, bytes: 0 },
    async profile() {
      const value = { organisation_name: 'Self-test' };
      return { ...answer('profile/', value), value };
    },
    async invoice(number) {
      const value = detailOf(books.bills.get(number)!);
      const received = answer(`invoices/${number}/`, value);
      const fault = faultOf(InvoiceDetail, value);
      if (fault !== null) throw contractError(fault, received.body);
      return { ...received, value: value as InvoiceDetail };
    },
    async order(orderId) {
      const value = recordOf(books.orders.get(orderId)!) as Order;
      return { ...answer(`orders/${orderId}/`, value), value };
    },
    walkInvoices({ year, month }, onPage) {
      const period = `${year}-${String(month).padStart(2, '0')}`;
      const results = [...books.bills.values()].filter(({ months }) => months.includes(period)).map(listRow);
      const list = { results, isOverstated: books.overstated.has(period) };
      return walk(`invoices/?year=${year}&month=${month}`, InvoiceListItem, list, onPage);
    },
    async walkOrderBook(knownId, onPage) {
      const page = orderBook(knownId);
      await onPage(page, 1);
      return { complete: true, statedCount: page.count, seenCount: page.count, walks: 1 };
    },
    async orderBookPage(_, knownId) {
      return orderBook(knownId);
    },
    async orderAsPage(orderId, knownId) {
      const received = answer(`orders/${orderId}/`, recordOf(books.orders.get(orderId)!));
      return { ...received, ...cutWhole(received.body, knownId), count: null, next: null };
    },
  };
}
