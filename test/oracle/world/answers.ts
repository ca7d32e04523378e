import type { HeldInvoice, OrderDocument, ServerState } from './documents.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request and what was shown for it. */
export interface Exchange extends Answer {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** How lists are wrapped: the API's description shows more than one way. */
export type Shape = 'flat' | 'array' | 'wrapper' | 'object';

export interface Manner {
  readonly shape: Shape;
  readonly pageSize: number;
}

const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });
const refusal = (status: number, message: string): Answer => json(status, { error: 'true', message, details: message });

/** What the server answers to a GET, from its state. */
export function answer(state: ServerState, manner: Manner, url: URL): Answer {
  if (state.down) return refusal(503, 'Unexpected error.');
  const path = url.pathname.replace(/^\/v1\/external/, '');
  if (path === '/profile/') return json(200, { organisation_name: 'Cedar', brand: 'Cedar', primary_color: '#0a7d5a' });
  if (path === '/orders/') {
    const orders = [...state.orders.values()].map((order) => orderRecord(order, state.orderFaults.has(order.order_id)));
    return page(manner, orders, orders.length + (state.countOff.get('orders') ?? 0), url);
  }
  if (path === '/invoices/') {
    const month = `${url.searchParams.get('year')}-${String(url.searchParams.get('month')).padStart(2, '0')}`;
    const rows = [...(state.months.get(month) ?? [])]
      .map((number) => state.invoices.get(number) as HeldInvoice)
      .sort((a, b) => b.row.number - a.row.number)
      .map(listRow);
    return page(manner, rows, rows.length + (state.countOff.get(month) ?? 0), url);
  }
  const number = /^\/invoices\/(\d+)\/$/.exec(path)?.[1];
  const invoice = number === undefined ? undefined : state.invoices.get(Number(number));
  return invoice ? detail(invoice) : refusal(404, 'Resource not found.');
}

function listRow({ row, rowFault }: HeldInvoice): unknown {
  return rowFault ? { ...row, net_due_to_merchant: [['USD', '12.3x']] } : row;
}

function detail({ detail: document, detailFault }: HeldInvoice): Answer {
  switch (detailFault) {
    case undefined:
      return json(200, document);
    case 'amount':
      return json(200, { ...document, cod: [['USD', '1e3']] });
    case 'broken':
      return { status: 200, body: JSON.stringify(document).slice(0, -20) };
    case 'not-found':
      return refusal(404, 'Resource not found.');
    case 'server-error':
      return refusal(500, 'Unexpected error.');
  }
}

function orderRecord(order: OrderDocument, unreadable: boolean): unknown {
  const { customer, customer_location } = PERSON;
  return {
    ...order,
    ...(unreadable ? { cod: [['USD', 'twelve']] } : {}),
    is_exchange: false,
    is_critical: false,
    tracking_link: `https://courier.example/t/${order.order_id}`,
    order_url: `https://courier.example/o/${order.order_id}`,
    merchant_location: 1,
    number_of_packages: 1,
    description: '',
    notes: '',
    return_reason: '',
    integration_items: [],
    source_url: '',
    customer,
    customer_location,
  };
}

const PERSON = {
  customer: { id: 1, name: 'Rana', phone_number: '+96170000001', secondary_phone_number: '', email: '' },
  customer_location: {
    id: 1,
    area: {
      id: 1,
      name_ar: 'الحمرا',
      name_en: 'Hamra',
      district: 'BEIRUT',
      lat: '33.896',
      long: '35.482',
      maps_link: '',
      code: 'HAM',
      is_external: false,
      area_group: null,
    },
    directions: '',
  },
};

function page({ shape, pageSize }: Manner, items: readonly unknown[], count: number, url: URL): Answer {
  const number = Number(url.searchParams.get('page') ?? 1);
  const size = Math.min(pageSize, Number(url.searchParams.get('page_size') ?? pageSize));
  const results = items.slice((number - 1) * size, number * size);
  const link = (to: number) => {
    const target = new URL(url);
    target.searchParams.set('page', String(to));
    return target.href;
  };
  const wrapper = {
    count,
    next: number * size < items.length ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
  };
  switch (shape) {
    case 'flat':
      return json(200, { ...wrapper, results });
    case 'array':
      return json(200, { ...wrapper, results: [results] });
    case 'wrapper':
      return json(200, { ...wrapper, results: [{ ...wrapper, results }] });
    case 'object':
      return json(200, { ...wrapper, results: { ...wrapper, results } });
  }
}
