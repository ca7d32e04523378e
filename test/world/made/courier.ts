import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { at, dayText, stamp } from './days.ts';
import { headerOf, rowOf } from './invoice-figures.ts';
import { type Invoice, NIGHTS, type Order, type World } from './model.ts';

const KEY = 'world-key';

/** The courier's API over a world, as it stands on a night. */
export async function serveWorld(world: World) {
  let night = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://courier');
    const body = request.headers['x-api-key'] === KEY ? answer(world, night, url) : undefined;
    const text = JSON.stringify(body ?? { error: 'true', message: 'Resource not found.', details: 'Not found.' });
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/external/`,
    key: KEY,
    goTo(next: number) {
      night = next;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function answer(world: World, night: number, url: URL): unknown {
  const path = url.pathname.replace('/v1/external', '');
  const now = at(NIGHTS[night]!, 22);
  const invoices = world.invoices.filter(({ issued, isVanished }) => issued <= now && !(isVanished && night === 2));
  if (path === '/profile/')
    return { organisation_name: 'Olive & Thread', brand: 'OT', logo_url: '', primary_color: '#204060' };
  if (path === '/orders/') {
    const seen = world.orders.filter(
      (order) => order.created <= now && !order.isUnknown && !(order.later?.gone && night >= order.later.night),
    );
    return page(url, seen, (order) => record(order, night, now));
  }
  if (path === '/invoices/') {
    const [year, month] = [url.searchParams.get('year'), url.searchParams.get('month')];
    const period = year === null || month === null ? null : `${year}-${month.padStart(2, '0')}`;
    const listed = invoices.filter(
      ({ issued, alsoListedIn }) => period === null || dayText(issued).startsWith(period) || alsoListedIn === period,
    );
    return page(url, listed.reverse(), (invoice) => listRow(invoice, night, now));
  }
  const number = /^\/invoices\/(\d+)\/$/.exec(path)?.[1];
  const invoice = invoices.find((one) => one.number === Number(number));
  return invoice && detail(invoice, night, now);
}

function page<T>(url: URL, items: readonly T[], show: (item: T) => unknown) {
  const [number, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('page_size') ?? 50)];
  const next = new URL(url);
  next.searchParams.set('page', String(number + 1));
  const isLast = number * size >= items.length;
  return {
    count: items.length,
    next: isLast ? null : `${next.pathname}${next.search}`,
    previous: null,
    results: items.slice((number - 1) * size, number * size).map(show),
  };
}

function statusOf({ status, paid }: Invoice, now: number): string {
  return status ?? (paid !== null && paid <= now ? 'PAID' : 'PENDING_PAYMENT');
}

function listRow(invoice: Invoice, night: number, now: number) {
  const { cod, fee, net } = headerOf(invoice, night === 2);
  const status = statusOf(invoice, now);
  return {
    number: invoice.number,
    status,
    status_display: status,
    issued_at: stamp(invoice.issued),
    order_count: invoice.orders.length + invoice.listCount,
    cod: cod.pairs(),
    delivery_fee: fee.pairs(),
    net_due_to_merchant: net.addAll(invoice.listNet).pairs(),
  };
}

function detail(invoice: Invoice, night: number, now: number) {
  const { cod, fee, net } = headerOf(invoice, night === 2);
  return {
    number: invoice.number,
    status: statusOf(invoice, now),
    issued_at: stamp(invoice.issued),
    cod: cod.pairs(),
    delivery_fee: fee.pairs(),
    net_due_to_merchant: net.pairs(),
    orders: invoice.orders.map((order) => {
      const row = rowOf(order, invoice, night === 2);
      return {
        order_id: order.id,
        reference_id: order.reference,
        workflow: order.workflow,
        delivery_state: order.rowState ?? LAST[order.outcome],
        payment_state:
          order.rowPayment ?? (statusOf(invoice, now) === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT'),
        cod: row.cod.pairs(),
        delivery_fee: row.fee.pairs(),
      };
    }),
  };
}

const LAST = {
  delivered: 'DELIVERED',
  returned: 'AWAITING_RETURN',
  cancelled: 'CANCELLED',
  'on the road': 'IN_TRANSIT',
};

function record(order: Order, night: number, now: number) {
  const hasEnded = order.ended <= now;
  const bill = order.invoice;
  const wasBilled = bill !== null && bill.issued <= now;
  const isBilled = wasBilled && !(bill.isVanished && night === 2);
  const changed = order.later !== null && night >= order.later.night ? order.later : null;
  const delivery = hasEnded ? LAST[order.outcome] : 'PICKED_UP';
  const payment = changed?.payment ?? paymentOf(order, hasEnded, wasBilled ? bill : null, now);
  const stamps = [
    { delivery_state: 'CREATED', payment_state: 'UNPAID', timestamp: stamp(order.created) },
    ...(order.outcome === 'cancelled'
      ? []
      : [{ delivery_state: 'PICKED_UP', payment_state: 'UNPAID', timestamp: stamp(order.created + 3_600_000) }]),
    ...(hasEnded ? [{ delivery_state: delivery, payment_state: payment, timestamp: stamp(order.ended) }] : []),
  ];
  return {
    order_id: order.id,
    reference_id: order.reference,
    is_exchange: false,
    workflow: order.workflow,
    tracking_link: '',
    order_url: '',
    is_critical: false,
    merchant_location: order.location,
    cod: (changed?.cod ?? (hasEnded ? order.cod : order.asked)).pairs(),
    delivery_fee: order.fee.pairs(),
    number_of_packages: order.packages,
    description: '',
    notes: '',
    return_reason: '',
    delivery_state: delivery,
    payment_state: payment,
    merchant_invoice: isBilled ? (order.link === undefined ? bill.number : order.link) : null,
    integration_items: [],
    source_url: '',
    statestamps: stamps,
    customer: { id: 1, name: 'Nour', phone_number: '+96170000001', secondary_phone_number: null, email: '' },
    customer_location: {
      id: 1,
      directions: '',
      area: {
        id: 1,
        name_ar: order.district,
        name_en: order.district,
        district: order.district,
        lat: '33.9',
        long: '35.5',
        maps_link: '',
        code: 'A',
        is_external: false,
        area_group: null,
      },
    },
  };
}

function paymentOf(order: Order, hasEnded: boolean, bill: Invoice | null, now: number): string {
  if (bill !== null) return statusOf(bill, now) === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
  return hasEnded && order.outcome === 'delivered' ? 'PAID_BY_DRIVER' : 'UNPAID';
}
