import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = 100;
/** The spacing of the orders that change: coprime to any round number of orders, so that they lie all over the book. */
const STRIDE = 7_919;

interface Order {
  readonly id: string;
  readonly stamps: readonly object[];
}

export interface OrderBook {
  readonly url: string;
  /** Puts new orders in front, as the newest: every page shifts. */
  add(count: number): void;
  /** Gives that many orders, spread over the book, one state more. */
  change(count: number): void;
  /** The size of the newest order's record. */
  orderBytes(): number;
  close(): Promise<void>;
}

/** A courier with an order book of records as large as the service's own, and no invoices. */
export async function startOrderBook(count: number): Promise<OrderBook> {
  let serial = 0;
  const book: Order[] = Array.from({ length: count }, () => fresh());
  let moved = 0;

  function fresh(): Order {
    serial += 1;
    const day = 1 + (serial % 28);
    return {
      id: `ORD${String(serial).padStart(9, '0')}`,
      stamps: [stamp('CREATED', day, 8), stamp('IN_TRANSIT', day, 10)],
    };
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const where = url.pathname.replace('/v1/external', '');
    const number = Number(url.searchParams.get('page') ?? 1);
    const body = bodyOf(where, number);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });

  function bodyOf(where: string, number: number): Buffer {
    if (where === '/profile/')
      return json({ organisation_name: 'Bench Store', brand: 'Bench', primary_color: '#204060' });
    const items = where === '/orders/' ? book : [];
    const next = number * PAGE < items.length ? `/v1/external/orders/?page=${number + 1}&page_size=${PAGE}` : null;
    const results = items.slice((number - 1) * PAGE, number * PAGE).map(record);
    return json({ count: items.length, next, previous: null, results });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/external/`,
    add: (more) => book.unshift(...Array.from({ length: more }, fresh).reverse()),
    change: (some) => {
      for (let index = 0; index < some; index += 1) {
        moved = (moved + STRIDE) % book.length;
        const { id, stamps } = book[moved]!;
        book[moved] = { id, stamps: [...stamps, stamp('DELIVERED', 28, 14)] };
      }
    },
    orderBytes: () => json(record(book[0]!)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

function stamp(delivery_state: string, day: number, hour: number) {
  const [date, time] = [String(day).padStart(2, '0'), String(hour).padStart(2, '0')];
  return { delivery_state, payment_state: 'UNPAID', timestamp: `2026-10-${date}T${time}:12:41.018273+02:00` };
}

/** Names, places and codes that differ from order to order, so that it does not compress better than real ones. */
function record({ id, stamps }: Order): object {
  const seed = createHash('sha256').update(id).digest('hex');
  const person = (from: number) => ({
    id: seed.slice(from, from + 8),
    first_name: `Nour ${seed.slice(from, from + 5)}`,
    last_name: `Haddad ${seed.slice(from + 5, from + 9)}`,
    phone: `+9617${Number.parseInt(seed.slice(from, from + 6), 16) % 10_000_000}`,
    address: {
      city: 'Beirut',
      street: `Rue ${seed.slice(from + 2, from + 10)}, building ${Number.parseInt(seed.slice(from, from + 2), 16)}`,
      directions: `second floor, ring ${seed.slice(from + 3, from + 7)} and wait at the door`,
      latitude: `33.8${Number.parseInt(seed.slice(from, from + 5), 16)}`,
      longitude: `35.5${Number.parseInt(seed.slice(from + 5, from + 10), 16)}`,
    },
  });
  const last = stamps.at(-1) as { delivery_state: string };
  return {
    order_id: id,
    reference_id: `SHOP-${seed.slice(0, 8)}`,
    tracking_url: `https://courier.example/track/${seed.slice(0, 24)}`,
    label_url: `https://courier.example/labels/${seed.slice(24, 48)}.pdf`,
    workflow: 'STANDARD',
    delivery_state: last.delivery_state,
    payment_state: 'UNPAID',
    cod: [['USD', `${Number.parseInt(seed.slice(0, 4), 16) % 300}.50`]],
    delivery_fee: [['USD', '3.50']],
    sender: person(8),
    recipient: person(30),
    note: `Call before you come: ${seed.slice(10, 40)}. If nobody answers, leave it with the shop at the corner, ${seed.slice(40)}.`,
    package: { size: 'SMALL', weight_kg: '1.2' },
    merchant_invoice: null,
    statestamps: stamps,
  };
}
