import { expect, test } from 'vitest';
import { createApiKey, revokeApiKeys } from '../../../src/sandbox/store/merchants.ts';
import { contents, orderBody, runService } from './support.ts';

const PATHS = ['orders/', 'customers/', 'areas/', 'pickups/', 'invoices/', 'profile/', 'orders/X/', 'invoices/1/'];

test('every path refuses without a key, with an unknown one, and with a revoked one', async () => {
  const { url, store, get } = await runService();
  const revoked = createApiKey(store, 1, new Date());
  expect((await get('profile/', revoked)).status).toBe(200);
  revokeApiKeys(store, 1, revoked, new Date());
  for (const path of PATHS) {
    const without = await fetch(url + path);
    expect(without.status).toBe(401);
    expect(await without.json()).toMatchObject({ message: 'Authentication failed.' });
    for (const key of ['dlv_unknown', revoked]) expect((await get(path, key)).status).toBe(401);
  }
});

test('no key is stored as text', async () => {
  const { store, key } = await runService();
  expect(contents(store)).not.toContain(key);
});

test("another merchant's ids are not found, in every operation", async () => {
  const { get, post, patch, key, otherKey, otherPickup, pickup, store } = await runService();
  const theirs = (await post('orders/', orderBody(otherPickup), otherKey)).body;
  const area = (await post('areas/create/', { lat: 33.9, lng: 35.5, name: 'Back street' }, otherKey)).body;
  store.write(() =>
    store.run(`insert into invoice (number, merchant_id, status, issued_at) values (900, 2, 'PAID', '2026-10-12')`),
  );
  const [order, customer, location] = [theirs.order_id, theirs.customer.id, theirs.customer_location.id];
  const before = contents(store);
  const answers = [
    await get(`orders/${order}/`),
    await post(`orders/${order}/request-pickup/`),
    await post(`orders/${order}/cancel/`),
    await get(`customers/${customer}/`),
    await patch(`customers/${customer}/`, { name: 'Mine' }),
    await get(`customers/${customer}/locations/`),
    await post(`customers/${customer}/locations/`, { area: { id: 1 } }),
    await patch(`customers/${customer}/locations/${location}/`, { directions: 'Mine' }),
    await get('invoices/900/'),
    await post('orders/', orderBody(pickup, { customer: { id: customer } })),
    await post('orders/', orderBody(pickup, { customer_location: { id: location } })),
    await post('orders/', orderBody(pickup, { customer_location: { area: { id: area.id } } })),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect((await post('orders/', orderBody(otherPickup))).status).toBe(400);
  for (const list of ['orders/', 'customers/', 'invoices/', 'customers/?phone_number=%2B96170123456']) {
    expect((await get(list, key)).body.count).toBe(0);
  }
  expect(JSON.stringify((await get('areas/')).body)).not.toContain('Back street');
  expect(contents(store)).toBe(before);
});
