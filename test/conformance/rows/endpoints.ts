import { expect } from 'vitest';
import { type Operation, operations } from '../../../src/api/operations.ts';
import type { Order } from '../../../src/api/wire.ts';
import { newOrder } from '../makers.ts';
import { CALLS } from './calls.ts';
import { NothingToTest, section } from './row.ts';

const CREATES = ['createOrder', 'createCustomer', 'createCustomerLocation', 'createArea'];

const operationRows = Object.entries<Operation>(operations).flatMap(
  ([name, { method, path, section: heading, body }]) =>
    section(`Endpoints: ${heading}`, [
      {
        id: `endpoint.${name}`,
        says: `${method} /${path} answers${body === null ? '' : ' with a body as described'}`,
        async test(api) {
          const [at, json] = await CALLS[name as keyof typeof operations](api);
          const reply = await api.call(method, at, json === undefined ? {} : { json });
          expect([200, 201], reply.text).toContain(reply.status);
        },
      },
    ]),
);

const paths = [...new Set(Object.values<Operation>(operations).map(({ path }) => path))];

/** A path with its parameters filled in. */
const concrete = (path: string) => path.replace(/\{\w+\}/g, '1');

export const endpointRows = [
  ...operationRows,
  ...section('Endpoints', [
    {
      id: 'paths.slash',
      says: 'Paths end with a slash; what one without it gets is not shown: 404',
      choice: 'A path without its final slash',
      async test(api) {
        for (const path of paths) {
          const { message } = await api.refused(404, 'GET', concrete(path).replace(/\/$/, ''));
          expect(message, path).toBe('Resource not found.');
        }
      },
    },
    {
      id: 'paths.integers',
      says: 'id, customer_pk, location_pk and invoice_number are integers: anything else names nothing',
      async test(api) {
        for (const id of ['abc', '1.5', '-1', '0', '1e3', '0x1', '%20', '99999999999999999999', '1%00', 'null', '٣']) {
          for (const path of [`customers/${id}/`, `customers/${id}/locations/`, `invoices/${id}/`]) {
            await api.refused(404, 'GET', path);
          }
          await api.refused(404, 'PATCH', `customers/${id}/`, { json: { name: 'x' } });
        }
      },
    },
    {
      id: 'paths.order_id',
      says: 'order_id is a text',
      async test(api) {
        const { order_id } = await newOrder(api);
        expect((await api.read<Order>(`orders/${order_id}/`)).order_id).toBe(order_id);
        for (const id of ["'", '%2e%2e', '%00', '%ff', 'a%2Fb', '%F0%9F%93%A6', 'x'.repeat(1_000), '__proto__']) {
          await api.refused(404, 'GET', `orders/${id}/`);
        }
      },
    },
    {
      id: 'success.codes',
      says: 'Success codes, but for area creation, are not shown',
      choice: 'Success codes',
      async test(api) {
        for (const [name, { method }] of Object.entries<Operation>(operations)) {
          const [at, json] = await CALLS[name as keyof typeof operations](api);
          const reply = await api.call(method, at, json === undefined ? {} : { json });
          expect(reply.status, `${name}: ${reply.text}`).toBe(CREATES.includes(name) ? 201 : 200);
        }
      },
    },
    {
      id: 'hosts',
      says: 'Which hosts a service answers for is not shown: its own; another is 421',
      choice: 'Host of a request',
      async test(api) {
        const url = new URL('profile/', api.target.url);
        const reply = await api.send<{ message: string }>('GET', url, { headers: { host: 'shop.example' } });
        expect(reply).toMatchObject({ status: 421, body: { error: 'true', message: 'Misdirected request.' } });
        expect((await api.send('GET', url, { headers: { host: 'localhost' } })).status).toBe(200);
      },
    },
    {
      id: 'methods',
      says: 'What other methods get is not shown: 405 with the methods that are allowed',
      choice: 'Errors beside 400, 404, 500',
      async test(api) {
        for (const path of paths) {
          for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const) {
            const allowed = Object.values<Operation>(operations).some((o) => o.path === path && o.method === method);
            if (allowed) continue;
            const reply = await api.call<{ message: string }>(method, concrete(path));
            expect(reply.status, `${method} ${path}`).toBe(405);
            expect(reply.body.message).toBe('Method not allowed.');
            expect(reply.headers.allow, `${method} ${path}`).not.toContain(method);
          }
        }
      },
    },
  ]),
  ...section('Endpoints: Orders', [
    {
      id: 'orders.retrieve',
      says: 'GET an order answers the order as the list and its creation show it',
      async test(api) {
        const created = await newOrder(api);
        expect(await api.read<Order>(`orders/${created.order_id}/`)).toEqual(created);
        const { items } = await api.list<Order>('orders/', { page_size: 100 });
        const listed = items.find(({ order_id }) => order_id === created.order_id);
        if (listed === undefined && api.target.sandbox === null)
          throw new NothingToTest('its list does not begin with the newest');
        expect(listed).toEqual(created);
      },
    },
    {
      id: 'orders.moves.body',
      says: 'What request-pickup and cancel answer is not shown: the order',
      choice: 'Success body of request-pickup and cancel',
      async test(api) {
        const { order_id } = await newOrder(api);
        for (const action of ['request-pickup', 'cancel']) {
          const reply = await api.post<Order>(`orders/${order_id}/${action}/`);
          expect(reply.body).toEqual(await api.read<Order>(`orders/${order_id}/`));
        }
      },
    },
    {
      id: 'orders.moves.no-body',
      says: 'request-pickup and cancel take no body; an empty one in any encoding is no fault',
      async test(api) {
        for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
          const { order_id } = await newOrder(api);
          for (const raw of ['', '{}']) {
            if (raw === '{}' && type !== 'application/json') continue;
            const sent = { raw, headers: { 'Content-Type': type } };
            const action = raw === '' ? 'request-pickup' : 'cancel';
            const reply = await api.call('POST', `orders/${order_id}/${action}/`, sent);
            expect(reply.status, reply.text).toBeLessThan(300);
          }
        }
      },
    },
  ]),
];
