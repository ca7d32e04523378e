import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AreaDetails, OrderCreate, ReducedArea } from '../../src/api/wire.ts';
import { type Client, createClient, type Item, operations } from '../../src/courier/index.ts';
import { newPhone } from './makers.ts';
import { startTarget, type Target } from './server.ts';

let target: Target;
let client: Client;

beforeAll(async () => {
  target = await startTarget();
  client = createClient({ baseUrl: target.url, apiKey: target.key });
});

afterAll(async () => {
  await client?.close();
  await target?.close();
});

function values<T>(items: readonly Item<T>[]): T[] {
  return items.map((item) => {
    if (!item.ok) throw item.fault;
    return item.value;
  });
}

test('the client does all 18 operations of the API, each by its own method', async () => {
  const profile = await client.profile();
  expect(profile.value.organisation_name).toBeTypeOf('string');
  const [pickup] = values((await client.pickups()).items);
  const [area] = values((await client.areas()).items);
  expect((await client.createArea({ lat: 33.9, lng: 35.5, name: 'Hill' })).value.is_external).toBe(true);

  const customer = (await client.createCustomer({ name: 'Nadia', phone_number: newPhone() })).value;
  const changed = (await client.updateCustomer(customer.id, { name: 'Nadia K.' })).value;
  expect((await client.customer(customer.id)).value).toEqual(changed);
  expect(values((await client.customers()).items).length).toBeGreaterThan(0);

  const { name_ar, name_en, district, lat, long } = area as Required<ReducedArea>;
  const details = { name_ar, name_en, district, lat, long, maps_link: '', is_external: true } as AreaDetails;
  const made = (await client.createCustomerLocation(customer.id, { area: details, directions: 'Left' })).value;
  const location = (await client.updateCustomerLocation(customer.id, made.id, { directions: 'Right' })).value;
  expect(values((await client.customerLocations(customer.id)).items)).toEqual([location]);

  const body: OrderCreate = {
    merchant_location: pickup?.id as number,
    customer: { id: customer.id },
    customer_location: { id: location.id },
    reference_id: 'CLIENT-1',
    workflow: 'STANDARD',
    cod: [['USD', '12.50']],
    number_of_packages: 1,
  };
  const order = (await client.createOrder(body)).value;
  expect(order).toMatchObject({ customer: changed, customer_location: location, cod: body.cod });
  expect((await client.order(order.order_id)).value).toEqual(order);
  expect(values((await client.orders()).items).length).toBeGreaterThan(0);
  expect((await client.requestPickup(order.order_id)).status).toBeLessThan(300);
  expect((await client.cancelOrder(order.order_id)).status).toBeLessThan(300);
  expect((await client.order(order.order_id)).value.delivery_state).not.toBe('CREATED');

  const [invoice] = values((await client.invoices()).items);
  if (invoice !== undefined) {
    const detail = (await client.invoice(invoice.number)).value;
    expect(detail.orders).toHaveLength(invoice.order_count);
  }
});

test('the same 18 stand in its table, by which any of them can be called', async () => {
  expect(Object.keys(operations)).toHaveLength(18);
  const answer = await client.call(operations.profile);
  expect('value' in answer && answer.value).toEqual((await client.profile()).value);
});
