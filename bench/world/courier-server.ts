/**
 * A courier that only serves: every answer is a buffer that is made once, so that what is measured is remit and not the
 * server; of more rows than memory holds answers are made as they are asked for. Run as a process of its own, with a
 * `World` as JSON; prints its URL as one line of JSON. `POST /world/` takes `{ add, change }`: new orders in front of
 * the order book, where every page shifts, and orders all over it that get one state more.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { moneyOf, pairs, spread } from './amounts.ts';
import { recordOf, rowOf, type WorldOrder } from './records.ts';

/** What is served. */
export interface World {
  readonly months: readonly string[];
  readonly invoicesAMonth: number;
  readonly rowsAnInvoice: number;
  /** Whether the invoices' orders are in the order book. */
  readonly orders: boolean;
  /**
   * How many invoices of each month do not agree with themselves, their list, their orders and the invoice before them.
   */
  readonly faulty?: number;
  /** Orders of the order book that no invoice bills. */
  readonly waiting?: number;
  /** How long each answer takes, in milliseconds. */
  readonly latency?: number;
}

const PAGE = 100;
/** Of more rows no answer is kept. */
const MOST_KEPT = 2_000_000;
const {
  months,
  invoicesAMonth,
  rowsAnInvoice,
  orders,
  faulty = 0,
  waiting = 0,
  latency = 0,
}: World = JSON.parse(process.argv[2] ?? '{}');

const answers = new Map<string, () => unknown>();
const made = new Map<string, Buffer>();
let book: WorldOrder[] = [];
let serial = 0;

answers.set('/profile/', () => ({
  organisation_name: 'Bench Store',
  brand: 'Bench',
  logo_url: '',
  primary_color: '#204060',
}));

for (const [at, month] of months.entries()) {
  const list = Array.from({ length: invoicesAMonth }, (_, index) => {
    const number = (at + 1) * 100_000 + index;
    const first = serial + 1;
    serial += rowsAnInvoice;
    const header = headerOf(number, month, index, first);
    const isFaulty = index > 0 && index <= faulty;
    answers.set(`/invoices/${number}/`, () => {
      const rows = Array.from({ length: rowsAnInvoice }, (_row, position) => rowOf(first + position));
      return { ...header, orders: isFaulty ? withFaults(rows, first - rowsAnInvoice) : rows };
    });
    for (let position = 0; orders && position < rowsAnInvoice; position += 1) {
      book.push({ serial: first + position, invoice: number, month, moves: 0 });
    }
    const listed = isFaulty ? { ...header, cod: [['USD', '1.00']] } : header;
    return { ...listed, status_display: 'Paid', order_count: rowsAnInvoice };
  });
  const [year, monthNumber] = month.split('-').map(Number);
  for (let page = 1; page <= pagesOf(list.length); page += 1) {
    const numbered = page > 1 ? `&page=${page}` : '';
    const query = (rest: string) => `/invoices/?year=${year}&month=${monthNumber}&page_size=${PAGE}${rest}`;
    answers.set(query(numbered), () => pageOf(list, page, query(`&page=${page + 1}`)));
  }
}
for (let index = 0; index < waiting; index += 1) book.push(fresh());
const areKept = serial <= MOST_KEPT;

function fresh(): WorldOrder {
  serial += 1;
  return { serial, invoice: null, month: months[0] ?? '2026-10', moves: 0 };
}

/** An amount that the record does not state, and instead of the last row one of another invoice. */
function withFaults(rows: ReturnType<typeof rowOf>[], billedBefore: number) {
  const [first, ...rest] = rows;
  return [{ ...first, delivery_fee: pairs(999_999, 0) }, ...rest.slice(0, -1), rowOf(billedBefore)];
}

function headerOf(number: number, month: string, index: number, first: number) {
  let [usd, lbp, fee] = [0, 0, 0];
  for (let row = first; row < first + rowsAnInvoice; row += 1) {
    const money = moneyOf(row);
    usd += money.usd;
    lbp += money.lbp;
    fee += money.fee;
  }
  return {
    number,
    status: 'PAID',
    issued_at: `${month}-${String(1 + (index % 28)).padStart(2, '0')}T09:00:00.000000+02:00`,
    cod: pairs(usd, lbp),
    delivery_fee: pairs(fee, 0),
    net_due_to_merchant: pairs(usd - fee, lbp),
  };
}

function pagesOf(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE));
}

function pageOf(items: readonly unknown[], page: number, next: string) {
  const results = items.slice((page - 1) * PAGE, page * PAGE);
  const hasNext = page < pagesOf(items.length);
  return { count: items.length, next: hasNext ? `/v1/external${next}` : null, previous: null, results };
}

/** A page of the order book; its query may be written in any order. */
function orderPage(where: string): unknown {
  const page = Number(new URL(where, 'http://x').searchParams.get('page') ?? 1);
  const results = book.slice((page - 1) * PAGE, page * PAGE).map(recordOf);
  const next = page < pagesOf(book.length) ? `/v1/external/orders/?page_size=${PAGE}&page=${page + 1}` : null;
  return { count: book.length, next, previous: null, results };
}

function bodyOf(where: string): Buffer | null {
  const known = made.get(where);
  if (known) return known;
  const answer = where.startsWith('/orders/?') ? orderPage(where) : answers.get(where)?.();
  if (answer === undefined) return null;
  const body = Buffer.from(JSON.stringify(answer));
  if (areKept) made.set(where, body);
  return body;
}

function move({ add = 0, change = 0 }: { add?: number; change?: number }): void {
  book = [...Array.from({ length: add }, fresh).reverse(), ...book];
  for (let index = 0; index < change; index += 1) {
    const at = spread(serial + index, 9) % book.length;
    const order = book[at]!;
    book[at] = { ...order, moves: order.moves + 1 };
  }
  for (const where of made.keys()) if (where.startsWith('/orders/')) made.delete(where);
}

const missing = Buffer.from('{"error":"true","message":"Resource not found.","details":"Not found."}');
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    let body = '';
    for await (const chunk of request) body += chunk;
    move(JSON.parse(body));
    response.writeHead(204).end();
    return;
  }
  const body = bodyOf((request.url ?? '').replace('/v1/external', ''));
  if (latency > 0) await delay(latency);
  const headers = { 'content-type': 'application/json', 'content-length': (body ?? missing).length };
  response.writeHead(body ? 200 : 404, headers).end(body ?? missing);
});
server.listen(0, '127.0.0.1', () => {
  // Made before the first request, so that no run waits for what another finds ready.
  for (const where of areKept ? answers.keys() : []) bodyOf(where);
  for (let page = 1; areKept && book.length > 0 && page <= pagesOf(book.length); page += 1) {
    bodyOf(`/orders/?page_size=${PAGE}${page > 1 ? `&page=${page}` : ''}`);
  }
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1/external/` })}\n`);
});
