import { expect, test } from 'vitest';
import { quoteFee } from '../../../src/sandbox/rules/rate-card.ts';
import { contents, orderBody, runService } from './support.ts';

test('an order of the least that is mandatory has the defaults, the first states, a fee and one stamp', async () => {
  const { post, get, pickup } = await runService();
  const { cod: _, ...least } = orderBody(pickup);
  const { status, body } = await post('orders/', least);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    reference_id: '',
    is_exchange: false,
    is_critical: false,
    workflow: 'STANDARD',
    merchant_location: pickup,
    cod: [],
    delivery_fee: [['USD', '3.00']],
    number_of_packages: 1,
    delivery_state: 'CREATED',
    payment_state: 'UNPAID',
    merchant_invoice: null,
    integration_items: [],
  });
  expect(body.statestamps).toEqual([
    {
      delivery_state: 'CREATED',
      payment_state: 'UNPAID',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/),
    },
  ]);
  expect((await get(`orders/${body.order_id}/`)).body).toEqual(body);
});

test('money is kept as sent, and the fee is the rate card’s', async () => {
  const { post, pickup } = await runService();
  const cod = [
    ['LBP', '999999999999.99'],
    ['USD', '0'],
    ['EUR', '12.5'],
  ];
  const { body } = await post('orders/', orderBody(pickup, { cod, delivery_fee: [['USD', '0.01']] }));
  expect(body.cod).toEqual([
    ['LBP', '999999999999.99'],
    ['USD', '0.00'],
    ['EUR', '12.50'],
  ]);
  const date = body.statestamps[0].timestamp;
  const quoted = quoteFee({ workflow: 'STANDARD', district: 'Beirut', date });
  expect(Object.fromEntries(body.delivery_fee)).toEqual(
    Object.fromEntries(quoted.map(({ currency, units }) => [currency, `${units / 10_000n}.00`])),
  );
});

test('all faults of a body are answered together, and nothing is written', async () => {
  const { post, store } = await runService();
  const before = contents(store);
  const { status, body } = await post('orders/', {
    merchant_location: 999,
    customer: { name: 'x', email: 'nobody' },
    customer_location: { area: { name_en: 'Somewhere', district: 'Atlantis', lat: '95', long: 'x' } },
    workflow: 'EXPRESS',
    is_exchange: 'no',
    number_of_packages: 0,
    cod: [['usd', '-1'], ['USD'], ['USD', '1e5'], ['USD', '1.005'], ['LBP', '1'], ['LBP', '1']],
    notes: 'a\u0000b',
    reference_id: '\ud800',
  });
  expect(status).toBe(400);
  expect(body.error).toBe('true');
  expect(body.message).toBe('Validation failed.');
  const fields = body.details.split('; ').map((fault: string) => fault.split(': ', 1)[0]);
  expect(fields.sort()).toEqual(
    [
      'merchant_location',
      'customer.phone_number',
      'customer.email',
      'customer_location.area.long',
      'workflow',
      'is_exchange',
      'number_of_packages',
      'cod[0][0]',
      'cod[0][1]',
      'cod[1]',
      'cod[2][1]',
      'cod[3][0]',
      'cod[3][1]',
      'cod[5][0]',
      'notes',
      'reference_id',
      'customer_location.area.district',
      'customer_location.area.lat',
    ].sort(),
  );
  expect(contents(store)).toBe(before);
});

test('an exchange applies only to STANDARD', async () => {
  const { post, pickup } = await runService();
  const refused = await post('orders/', orderBody(pickup, { is_exchange: true, workflow: 'RETURN' }));
  expect(refused.body.details).toBe('is_exchange: An exchange applies only when workflow is STANDARD.');
  expect((await post('orders/', orderBody(pickup, { is_exchange: true }))).body.is_exchange).toBe(true);
  const returned = await post('orders/', orderBody(pickup, { workflow: 'RETURN', return_reason: 'Too small' }));
  expect(returned.body).toMatchObject({ workflow: 'RETURN', return_reason: 'Too small' });
});

test('a customer is found by phone number and left alone, found by id and updated, or made', async () => {
  const { post, get, pickup } = await runService();
  const first = (await post('orders/', orderBody(pickup))).body.customer;
  const same = await post(
    'orders/',
    orderBody(pickup, { customer: { phone_number: ' +96170123456 ', name: 'Other' } }),
  );
  expect(same.body.customer).toEqual(first);
  const updated = await post(
    'orders/',
    orderBody(pickup, { customer: { id: first.id, name: 'Rana Haddad', secondary_phone_number: '03111222' } }),
  );
  expect(updated.body.customer).toEqual({ ...first, name: 'Rana Haddad', secondary_phone_number: '03111222' });
  const other = (await post('customers/', { phone_number: '71000000' })).body;
  const clash = await post('orders/', orderBody(pickup, { customer: { id: first.id, phone_number: '71000000' } }));
  expect(clash.body.details).toBe('customer.phone_number: A customer with this phone number already exists.');
  const list = (await get('customers/')).body;
  expect(list.results.map(({ id }: { id: number }) => id)).toEqual([first.id, other.id]);
});

test("a location by id must be the customer's, and is updated; otherwise one is made of full area details", async () => {
  const { post, get, pickup } = await runService();
  const first = (await post('orders/', orderBody(pickup))).body;
  const stranger = (await post('orders/', orderBody(pickup, { customer: { phone_number: '71000000' } }))).body;
  const id = first.customer_location.id;
  const updated = await post('orders/', orderBody(pickup, { customer_location: { id, directions: 'Ring twice' } }));
  expect(updated.body.customer_location).toEqual({ ...first.customer_location, directions: 'Ring twice' });
  const foreign = await post(
    'orders/',
    orderBody(pickup, { customer_location: { id: stranger.customer_location.id } }),
  );
  expect([foreign.status, foreign.body.details]).toEqual([404, 'customer_location.id: Customer location not found.']);
  const area = { name_en: 'Bliss Street', name_ar: 'شارع بلس', district: 'Beirut', lat: '33.8997', long: '-35.4' };
  const made = await post('orders/', orderBody(pickup, { customer_location: { area } }));
  expect(made.body.customer_location.area).toMatchObject({ ...area, is_external: true, area_group: null });
  const missing = await post('orders/', orderBody(pickup, { customer_location: { directions: 'x' } }));
  expect(missing.body.details).toBe('customer_location.area: This field is required.');
  expect((await get(`customers/${first.customer.id}/?include_locations=true`)).body.locations).toHaveLength(2);
});

test('pickup is requested from CREATED alone; cancelling is refused once delivered or billed; each move is stamped', async () => {
  const { post, store, pickup } = await runService();
  const { order_id } = (await post('orders/', orderBody(pickup))).body;
  const requested = await post(`orders/${order_id}/request-pickup/`);
  expect([requested.status, requested.body.delivery_state]).toEqual([200, 'PICKUP_REQUESTED']);
  expect(requested.body.statestamps.map((s: { delivery_state: string }) => s.delivery_state)).toEqual([
    'CREATED',
    'PICKUP_REQUESTED',
  ]);
  const again = await post(`orders/${order_id}/request-pickup/`);
  expect([again.status, again.body.message]).toEqual([400, 'Validation failed.']);

  const set = (change: string) => store.write(() => store.db.exec(`update delivery_order set ${change}`));
  set("delivery_state = 'DELIVERED'");
  const refused = await post(`orders/${order_id}/cancel/`);
  expect([refused.status, refused.body.details]).toEqual([
    400,
    'delivery_state: Delivered orders cannot be cancelled.',
  ]);
  set("delivery_state = 'IN_TRANSIT', merchant_invoice = 7");
  expect((await post(`orders/${order_id}/cancel/`)).status).toBe(400);
  set('merchant_invoice = null');
  const cancelled = await post(`orders/${order_id}/cancel/`);
  expect([cancelled.status, cancelled.body.delivery_state]).toEqual([200, 'CANCELLED']);
  expect((await post(`orders/${order_id}/cancel/`)).body.statestamps).toHaveLength(3);
});
