import { describe, expect, test } from 'vitest';
import { type Client, operations } from '../../src/courier/index.ts';
import { against, answerJson, type Handler, invoiceDetail, listItem, PROFILE, usingClient } from './support.ts';

const order = { order_id: 'A1', workflow: 'STANDARD', cod: [], delivery_state: 'CREATED', payment_state: 'UNPAID' };
const location = { id: 7, area: null, directions: '' };

/** Answers every operation with the least that it may answer. */
const service: Handler = (response, { method, url }) => {
  const path = url.replace('/v1/external', '').replace(/\?.*/, '');
  const page = (item: object) => ({ count: 1, next: null, previous: null, results: [item] });
  const answers: Record<string, unknown> = {
    'GET /profile/': PROFILE,
    'GET /pickups/': [[{ id: 1 }]],
    'GET /areas/': [[{ id: 2 }]],
    'POST /areas/create/': { id: 3, tags: '' },
    'GET /orders/': page(order),
    'GET /orders/A1/': order,
    'POST /orders/': order,
    'POST /orders/A1/request-pickup/': { done: true },
    'POST /orders/A1/cancel/': undefined,
    'GET /customers/': page({ id: 5 }),
    'GET /customers/5/': { id: 5 },
    'POST /customers/': { id: 5 },
    'PATCH /customers/5/': { id: 5 },
    'GET /customers/5/locations/': page(location),
    'POST /customers/5/locations/': location,
    'PATCH /customers/5/locations/7/': location,
    'GET /invoices/': page(listItem(12)),
    'GET /invoices/12/': invoiceDetail(12),
  };
  const key = `${method} ${path}`;
  if (!Object.hasOwn(answers, key)) return answerJson(response, { message: `unknown: ${key}` }, 404);
  if (answers[key] === undefined) return void response.writeHead(200).end();
  answerJson(response, answers[key], method === 'POST' ? 201 : 200);
};

const newOrder: Parameters<Client['createOrder']>[0] = {
  merchant_location: 1,
  customer: { phone_number: '+9613', name: 'ليلى' },
  customer_location: { id: 7 },
  cod: [['USD', '25.00']],
};

/** Each operation as the client calls it, and what it must send. */
const CALLS: Record<keyof typeof operations, [(client: Client) => Promise<{ body: Buffer }>, string, object?]> = {
  profile: [(client) => client.profile(), 'GET profile/'],
  pickups: [(client) => client.pickups(), 'GET pickups/'],
  areas: [(client) => client.areas(), 'GET areas/'],
  createArea: [
    (client) => client.createArea({ lat: 33.9, lng: 35.5, name: 'x' }),
    'POST areas/create/',
    { lat: 33.9, lng: 35.5, name: 'x' },
  ],
  orders: [(client) => client.orders({ page: 2 }), 'GET orders/?page=2&page_size=100'],
  order: [(client) => client.order('A1'), 'GET orders/A1/'],
  createOrder: [(client) => client.createOrder(newOrder), 'POST orders/', newOrder],
  requestPickup: [(client) => client.requestPickup('A1'), 'POST orders/A1/request-pickup/'],
  cancelOrder: [(client) => client.cancelOrder('A1'), 'POST orders/A1/cancel/'],
  customers: [
    (client) => client.customers({ phoneNumber: '+961 3', includeLocations: true, pageSize: 5 }),
    'GET customers/?page_size=5&phone_number=%2B961+3&include_locations=true',
  ],
  customer: [(client) => client.customer(5, { includeLocations: false }), 'GET customers/5/?include_locations=false'],
  createCustomer: [(client) => client.createCustomer({ phone_number: '1' }), 'POST customers/', { phone_number: '1' }],
  updateCustomer: [(client) => client.updateCustomer(5, { name: '' }), 'PATCH customers/5/', { name: '' }],
  customerLocations: [(client) => client.customerLocations(5), 'GET customers/5/locations/?page_size=100'],
  createCustomerLocation: [
    (client) => client.createCustomerLocation(5, { area: { name_en: 'Hamra' } }),
    'POST customers/5/locations/',
    { area: { name_en: 'Hamra' } },
  ],
  updateCustomerLocation: [
    (client) => client.updateCustomerLocation(5, 7, { directions: 'left' }),
    'PATCH customers/5/locations/7/',
    { directions: 'left' },
  ],
  invoices: [(client) => client.invoices({ year: 2026, month: 10 }), 'GET invoices/?year=2026&month=10&page_size=100'],
  invoice: [(client) => client.invoice(12), 'GET invoices/12/'],
};

test('there are 18 operations', () => {
  expect(Object.keys(operations)).toHaveLength(18);
});

describe.each(Object.entries(CALLS))('%s', (_, [call, request, body]) => {
  test(`sends ${request} and reads the answer`, async () => {
    await against(service, async (client, { seen }) => {
      const answer = await call(client);
      if ('items' in answer) expect(answer.items).toEqual([expect.objectContaining({ ok: true, index: 0 })]);
      const [sent] = seen;
      expect(`${sent?.method} ${sent?.url.replace('/v1/external/', '')}`).toBe(request);
      expect(sent?.body).toBe(body === undefined ? '' : JSON.stringify(body));
      expect(sent?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    });
  });
});

test('an answer says where it came from and when', async () => {
  await against(service, async (client, { baseUrl }) => {
    const before = Date.now();
    const answer = await client.invoice(12);
    expect(answer).toMatchObject({ url: `${baseUrl}invoices/12/`, status: 200, value: { number: 12 } });
    expect(answer.receivedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(JSON.parse(answer.body.toString())).toEqual(invoiceDetail(12));
  });
});

test('a base URL without a slash at its end works as well', async () => {
  await against(service, async (_client, { baseUrl, seen }) => {
    await usingClient(baseUrl.slice(0, -1), (client) => client.profile());
    expect(seen[0]?.url).toBe('/v1/external/profile/');
  });
});
