import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Shape = 'flat' | 'array' | 'wrapper' | 'object';
export type Pair = [currency: string, amount: string];

export interface FakeRow {
  order_id: string;
  reference_id?: string | null;
  workflow?: string;
  delivery_state?: string;
  payment_state?: string;
  cod: Pair[];
  delivery_fee: Pair[];
}

/** An invoice as the fake courier holds it; `list` and `detail` override what the two documents say. */
export interface FakeInvoice {
  number: number;
  issued_at: string;
  status?: string;
  cod: Pair[];
  delivery_fee: Pair[];
  net_due_to_merchant: Pair[];
  orders: FakeRow[];
  list?: Record<string, unknown>;
  detail?: Record<string, unknown>;
}

export type FakeOrder = Record<string, unknown> & { order_id: string };

/** What a test may change while the server runs. */
export interface FakeWorld {
  organisation: string;
  shape: Shape;
  pageSize: number;
  invoices: FakeInvoice[];
  orders: FakeOrder[];
  /** Write every object's fields in the opposite order. */
  reversed?: boolean;
  /** Called before every answer; return true when it was answered here. */
  intercept?: (request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams) => boolean;
}

export interface FakeCourier {
  readonly url: string;
  readonly world: FakeWorld;
  /** The path and query of every request, in order. */
  readonly requests: string[];
  /** Hands in a request again that an interceptor put off. */
  replay(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

export const KEY = 'key-of-the-fake-courier';

/**
 * A courier that follows the spec and nothing else: an independent peer, so that tests do not prove the sandbox with
 * itself.
 */
export async function startFakeCourier(world: Partial<FakeWorld> = {}): Promise<FakeCourier> {
  const held: FakeWorld = {
    organisation: 'Zahra Store',
    shape: 'flat',
    pageSize: 50,
    invoices: [],
    orders: [],
    ...world,
  };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const path = url.pathname.replace('/v1/external', '');
    // A request that an interceptor put off is handed in again, but was made once.
    if (!request.headers['x-waited']) requests.push(path + url.search);
    if (held.intercept?.(request, response, path, url.searchParams)) return;
    if (request.headers['x-api-key'] !== KEY) return send(response, 401, failure('Authentication failed.', 'api key'));
    const answer = route(held, path, url);
    if (answer === undefined) send(response, 404, failure('Resource not found.', 'Not found.'));
    else send(response, 200, held.reversed ? reverseFields(answer) : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/external/`,
    world: held,
    requests,
    replay: (request, response) => server.emit('request', request, response),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reverseFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseFields);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).reverse();
  return Object.fromEntries(fields.map(([name, inner]) => [name, reverseFields(inner)]));
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

const failure = (message: string, details: string) => ({ error: 'true', message, details });

function route(world: FakeWorld, path: string, url: URL): unknown {
  if (path === '/profile/') return { organisation_name: world.organisation, brand: 'Zahra', primary_color: '#0a7d5a' };
  if (path === '/orders/') return page(world, world.orders, url);
  const order = /^\/orders\/([^/]+)\/$/.exec(path)?.[1];
  if (order) return world.orders.find(({ order_id }) => order_id === order);
  if (path === '/invoices/') {
    const month = `${url.searchParams.get('year')}-${String(url.searchParams.get('month')).padStart(2, '0')}`;
    const items = world.invoices
      .filter((invoice) => invoice.issued_at.startsWith(month))
      .sort((a, b) => b.number - a.number)
      .map(listItem);
    return page(world, items, url);
  }
  const number = /^\/invoices\/(\d+)\/$/.exec(path)?.[1];
  const invoice = world.invoices.find((candidate) => String(candidate.number) === number);
  return invoice && detail(invoice);
}

function header(invoice: FakeInvoice) {
  const { number, issued_at, status = 'PAID', cod, delivery_fee, net_due_to_merchant } = invoice;
  return { number, status, issued_at, cod, delivery_fee, net_due_to_merchant };
}

function listItem(invoice: FakeInvoice) {
  return { ...header(invoice), status_display: 'As shown', order_count: invoice.orders.length, ...invoice.list };
}

function detail(invoice: FakeInvoice) {
  const paid = (invoice.status ?? 'PAID') === 'PAID';
  const orders = invoice.orders.map((row) => ({
    reference_id: '',
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: paid ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
    ...row,
  }));
  return { ...header(invoice), orders, ...invoice.detail };
}

function page(world: FakeWorld, items: unknown[], url: URL): unknown {
  const number = Number(url.searchParams.get('page') ?? 1);
  const size = Math.min(world.pageSize, Number(url.searchParams.get('page_size') ?? world.pageSize));
  const results = items.slice((number - 1) * size, number * size);
  const link = (to: number) => {
    const target = new URL(url);
    target.searchParams.set('page', String(to));
    return target.href;
  };
  const wrapper = {
    count: items.length,
    next: number * size < items.length ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
  };
  switch (world.shape) {
    case 'flat':
      return { ...wrapper, results };
    case 'array':
      return { ...wrapper, results: [results] };
    case 'wrapper':
      return { ...wrapper, results: [{ ...wrapper, results }] };
    case 'object':
      return { ...wrapper, results: { ...wrapper, results } };
  }
}

/** An invoice whose header adds up from its rows; override what a test is about. */
export function invoiceOf(
  number: number,
  issuedAt: string,
  orders: FakeRow[],
  overrides: Partial<FakeInvoice> = {},
): FakeInvoice {
  const sums = new Map<string, { cod: bigint; fee: bigint }>();
  const cents = (text: string) => {
    const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
    const value = BigInt(whole + decimals.padEnd(2, '0'));
    return text.startsWith('-') ? -value : value;
  };
  const text = (value: bigint): string => {
    const digits = String(value < 0n ? -value : value).padStart(3, '0');
    return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  const add = (currency: string, key: 'cod' | 'fee', amount: string) => {
    const sum = sums.get(currency) ?? { cod: 0n, fee: 0n };
    sum[key] += cents(amount);
    sums.set(currency, sum);
  };
  for (const order of orders) {
    for (const [currency, amount] of order.cod) add(currency, 'cod', amount);
    for (const [currency, amount] of order.delivery_fee) add(currency, 'fee', amount);
  }
  const pairs = (of: (sum: { cod: bigint; fee: bigint }) => bigint): Pair[] =>
    [...sums].map(([currency, sum]) => [currency, text(of(sum))]);
  return {
    number,
    issued_at: issuedAt,
    cod: pairs((sum) => sum.cod),
    delivery_fee: pairs((sum) => sum.fee),
    net_due_to_merchant: pairs((sum) => sum.cod - sum.fee),
    orders,
    ...overrides,
  };
}
