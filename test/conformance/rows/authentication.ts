import { expect } from 'vitest';
import { type Operation, operations } from '../../../src/api/operations.ts';
import type { InvoiceListItem, Order } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { aPickup, areaDetails, newArea, newCustomer, newLocation, newOrder, newPhone, orderBody } from '../makers.ts';
import { samplesOf } from '../samples.ts';
import { CALLS } from './calls.ts';
import { NothingToTest, section } from './row.ts';

const all = Object.entries<Operation>(operations);

async function counts(api: Api): Promise<unknown[]> {
  return Promise.all(['orders/', 'customers/', 'invoices/'].map(async (path) => (await api.list(path)).count));
}

/** The second merchant sends a request about what is the first one's. */
const asOther = (api: Api) => ({ key: api.target.otherKey });

export const authenticationRows = section('Authentication', [
  ...all.map(([name, { method }]) => ({
    id: `key.${name}`,
    says: `${name} carries X-Api-Key; without it, or with a key that is none, it is refused and changes nothing`,
    async test(api: Api) {
      const [path, json] = await CALLS[name as keyof typeof operations](api);
      const before = await counts(api);
      for (const key of [
        null,
        '',
        'nobody',
        `${api.target.key}x`,
        api.target.key.slice(0, -1),
        api.target.key.toUpperCase(),
      ]) {
        const reply = await api.call(method, path, json === undefined ? { key } : { key, json });
        expect([401, 403], `${key === null ? 'no key' : 'a wrong key'}: ${reply.text}`).toContain(reply.status);
        expect(reply.text).not.toContain(api.target.key);
      }
      expect(await counts(api)).toEqual(before);
    },
  })),
  {
    id: 'key.status',
    says: 'The status for a missing or invalid key is not shown: 401, the same for every path',
    choice: 'Missing, unknown or revoked key',
    async test(api) {
      for (const path of ['orders/', 'invoices/', 'orders/NOBODY/', 'customers/1/', 'areas/create/']) {
        for (const key of [null, 'dlv_unknown']) {
          const error = await api.refused(401, 'GET', path, { key });
          expect(error.message).toBe('Authentication failed.');
          expect(error.details).toMatch(/^X-Api-Key: /);
        }
      }
    },
  },
  {
    id: 'key.header',
    says: 'The key is taken from that header and from nowhere else; its name is read in any case of letters',
    async test(api) {
      const { key } = api.target;
      for (const headers of [{ Authorization: `Bearer ${key}` }, { Cookie: `X-Api-Key=${key}` }, { 'Api-Key': key }]) {
        expect((await api.call('GET', 'profile/', { key: null, headers })).status).toBe(401);
      }
      const query = { 'X-Api-Key': key, api_key: key };
      expect((await api.call('GET', 'profile/', { key: null, query })).status).toBe(401);
      expect((await api.call('GET', 'profile/', { key: null, headers: { 'x-api-KEY': key } })).status).toBe(200);
    },
  },
  {
    id: 'key.lifetime',
    says: 'Lifetime, rotation and scopes are not shown: several keys at once, each until it is revoked',
    choice: 'Key lifetime, rotation, scopes',
    needs: ['operator'],
    async test(api) {
      const { sandbox } = api.target;
      const name = sandbox?.merchants[0] as string;
      const key = String(await sandbox?.command('key', 'create', '--merchant', name)).trim();
      const before = await api.read('profile/');
      expect((await api.get('profile/', { key })).body).toEqual(before);
      const made = await api.post<Order>('orders/', await orderBody(api), { key });
      expect((await api.read<Order>(`orders/${made.body.order_id}/`)).order_id).toBe(made.body.order_id);
      await sandbox?.command('key', 'revoke', '--merchant', name, '--prefix', key.slice(0, 12));
      await api.refused(401, 'GET', 'profile/', { key });
      await api.refused(401, 'POST', 'orders/', { key, json: await orderBody(api) });
      expect(await api.read('profile/')).toEqual(before);
    },
  },
  {
    id: 'key.new-merchant',
    says: 'The operator gives out keys to try the endpoints: a new merchant can place an order at once',
    needs: ['operator'],
    async test(api) {
      const key = String(await api.target.sandbox?.command('key', 'create', '--merchant', 'Try It Out')).trim();
      const profile = await api.get<{ organisation_name: string }>('profile/', { key });
      expect(profile.body.organisation_name).toBe('Try It Out');
      expect((await api.list('orders/', {}, { key })).count).toBe(0);
      const [pickup] = (await api.list<{ id: number }>('pickups/', {}, { key })).items;
      const json = await orderBody(api, { merchant_location: pickup?.id });
      expect((await api.post('orders/', json, { key })).status).toBe(201);
    },
  },
  {
    id: 'key.open',
    says: 'What is open without a key is not shown: the description, and what answers link to',
    choice: 'Open without a key',
    async test(api) {
      for (const [path, type] of [
        ['/openapi.json', 'application/json'],
        ['/docs/', 'text/html'],
      ]) {
        const reply = await api.send('GET', new URL(path as string, api.target.url), { key: null });
        expect(reply.status, path).toBe(200);
        expect(reply.headers['content-type'], path).toContain(type);
      }
    },
  },
  {
    id: 'isolation.lists',
    says: 'The key identifies the merchant: lists hold what is that merchant’s, and nothing of another',
    needs: ['other-key'],
    async test(api) {
      const mine = { orders: (await newOrder(api)).order_id, customers: (await newCustomer(api)).id };
      const query = { page_size: 100 };
      const orders = (await api.list<Order>('orders/', query, asOther(api))).items.map(({ order_id }) => order_id);
      const customers = (await api.list<{ id: number }>('customers/', query, asOther(api))).items.map(({ id }) => id);
      expect(orders).not.toContain(mine.orders);
      expect(customers).not.toContain(mine.customers);
      const pickups = (await api.list<{ id: number }>('pickups/', {}, asOther(api))).items.map(({ id }) => id);
      expect(pickups).not.toContain((await aPickup(api)).id);
      expect((await api.get('profile/', asOther(api))).body).not.toEqual(await api.read('profile/'));
    },
  },
  {
    id: 'isolation.invoices',
    says: 'Invoices are those of the merchant',
    needs: ['other-key'],
    async test(api) {
      const [mine] = (await samplesOf(api, 'invoices')) as unknown as InvoiceListItem[];
      if (mine === undefined) throw new NothingToTest('this server has no invoice');
      const { items } = await api.list<InvoiceListItem>('invoices/', { page_size: 100 }, asOther(api));
      expect(items.map(({ number }) => number)).not.toContain(mine.number);
      await api.refused(404, 'GET', `invoices/${mine.number}/`, asOther(api));
    },
  },
  {
    id: 'isolation.ids',
    says: "Another merchant's ids are unknown in every operation, and nothing of them changes",
    needs: ['other-key'],
    async test(api) {
      const order = await newOrder(api);
      const customer = await newCustomer(api);
      const location = await newLocation(api, customer.id);
      const of = `customers/${customer.id}/`;
      const area = await areaDetails(api);
      for (const [method, path, json] of [
        ['GET', `orders/${order.order_id}/`],
        ['POST', `orders/${order.order_id}/request-pickup/`],
        ['POST', `orders/${order.order_id}/cancel/`],
        ['GET', of],
        ['PATCH', of, { name: 'Taken over' }],
        ['GET', `${of}locations/`],
        ['POST', `${of}locations/`, { area, directions: 'x' }],
        ['PATCH', `${of}locations/${location.id}/`, { directions: 'Taken over' }],
      ] as const) {
        const sent = { ...asOther(api), ...(json === undefined ? {} : { json }) };
        const { message } = await api.refused(404, method, path, sent);
        expect(message).toBe('Resource not found.');
      }
      expect(await api.read(`orders/${order.order_id}/`)).toEqual(order);
      expect(await api.read(of)).toEqual(customer);
      expect((await api.list(`${of}locations/`)).items).toEqual([location]);
    },
  },
  {
    id: 'isolation.bodies',
    says: "Another merchant's ids are unknown in the body of an order too",
    needs: ['other-key'],
    async test(api) {
      const [pickup] = (await api.list<{ id: number }>('pickups/', {}, asOther(api))).items;
      const customer = await newCustomer(api);
      const location = await newLocation(api, customer.id);
      const { id: area } = await newArea(api);
      const own = await orderBody(api, { merchant_location: pickup?.id });
      expect((await api.post('orders/', own, asOther(api))).status).toBeLessThan(300);
      for (const changes of [
        { merchant_location: (await aPickup(api)).id },
        { customer: { id: customer.id, name: 'Taken over' } },
        { customer: { id: customer.id }, customer_location: { id: location.id, directions: 'Taken over' } },
        { customer_location: { id: location.id } },
        { customer_location: { area: { id: area } } },
      ]) {
        const reply = await api.post(
          'orders/',
          { ...own, customer: { phone_number: newPhone() }, ...changes },
          asOther(api),
        );
        expect([400, 404], reply.text).toContain(reply.status);
      }
      expect(await api.read(`customers/${customer.id}/`)).toEqual(customer);
      expect((await api.list(`customers/${customer.id}/locations/`)).items).toEqual([location]);
    },
  },
  {
    id: 'isolation.phones',
    says: 'A phone number is looked up among the customers of the merchant',
    needs: ['other-key'],
    async test(api) {
      const { id, phone_number } = await newCustomer(api);
      const made = await api.post<{ id: number }>('customers/', { name: 'Same phone', phone_number }, asOther(api));
      expect(made.status, made.text).toBeLessThan(300);
      expect(made.body.id).not.toBe(id);
    },
  },
]);
