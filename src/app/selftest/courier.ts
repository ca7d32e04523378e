import type { TSchema } from '@sinclair/typebox';
import { cutWhole, parseList } from '../../api/cut-list.ts';
import { contractError, faultOf } from '../../api/decode.ts';
import { decodeList } from '../../api/list.ts';
import { InvoiceDetail, InvoiceListItem, type Order } from '../../api/wire.ts';
import type { CourierBooks } from '../../checks/plant.ts';
import type { Page, Walk } from '../../courier/index.ts';
import type { SyncClient } from '../../sync/session.ts';
import { detailOf, listRow, recordOf } from './books.ts';

const BASE = 'https://courier.invalid/v1/external/';

/** A courier of paper: answers a sync out of its books, as documents on the wire, and sends nothing anywhere. */
export function courierOf(books: CourierBooks, now: () => Date): SyncClient {
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
