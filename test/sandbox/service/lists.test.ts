import { expect, test } from 'vitest';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { orderBody, runService } from './support.ts';

function invoice(store: Store, number: number, issuedAt: string, rows = 0): void {
  store.write(() => {
    store.run(
      `insert into invoice (number, merchant_id, status, issued_at) values (?, 1, 'PENDING_PAYMENT', ?)`,
      number,
      issuedAt,
    );
    store.run(`insert into invoice_money values (?, 'detail', 0, 'USD', 250000, 30001, 219999)`, number);
    const { order_id } = store.get('select order_id from delivery_order limit 1') as { order_id: string };
    for (let position = 0; position < rows; position++) {
      store.run(
        'insert into invoice_row (invoice_number, position, order_id) values (?, ?, ?)',
        number,
        position,
        order_id,
      );
      store.run(`insert into invoice_row_money values (?, ?, 0, 'USD', 250000, null)`, number, position);
    }
  });
}

test('lists are wrapped in the four shapes', async () => {
  const seen: Record<string, unknown> = {};
  for (const shape of ['flat', 'array', 'wrapper', 'object'] as const) {
    const { get, post } = await runService(shape);
    await post('customers/', { phone_number: '1' });
    const { results } = (await get('customers/')).body;
    const areas = (await get('areas/')).body;
    seen[shape] = results;
    expect(Array.isArray(areas[0])).toBe(shape !== 'flat');
  }
  const item = (seen.flat as unknown[])[0];
  const page = { count: 1, next: null, previous: null, results: [item] };
  expect(seen).toEqual({ flat: [item], array: [[item]], wrapper: [page], object: page });
});

test('pages keep the filters and the host; their limits are 20, 100 and the end', async () => {
  const { get, post, store, pickup, url } = await runService();
  await post('orders/', orderBody(pickup));
  for (let n = 1; n <= 130; n++)
    invoice(store, n, `2026-10-${String((n % 28) + 1).padStart(2, '0')}T08:00:00.000000+00:00`);
  const second = (await get('invoices/?year=2026&month=10&page=2')).body;
  expect(second.count).toBe(130);
  expect(second.results).toHaveLength(20);
  expect(second.next).toBe(`${url}invoices/?year=2026&month=10&page=3`);
  expect(second.previous).toBe(`${url}invoices/?year=2026&month=10&page=1`);
  expect((await get('invoices/?page_size=1000')).body.results).toHaveLength(100);
  expect((await get('invoices/?page_size=100&page=2')).body.next).toBeNull();
  const beyond = await get('invoices/?page=8');
  expect([beyond.status, beyond.body]).toEqual([
    404,
    { error: true, message: 'Resource not found.', details: 'detail: Invalid page.' },
  ]);
  for (const query of ['page=0', 'page=-1', 'page=x', 'page=1.5', 'page_size=0', 'page=1&page=2', 'page=1e3']) {
    expect((await get(`orders/?${query}`)).status).toBe(400);
  }
  expect((await get('customers/?page=1')).status).toBe(200);
});

test('invoices are the months of UTC, newest first', async () => {
  const { get, post, store, pickup } = await runService();
  await post('orders/', orderBody(pickup));
  invoice(store, 1, '2026-09-30T23:59:59.999999+00:00');
  invoice(store, 2, '2026-10-01T00:00:00.000000+00:00');
  invoice(store, 3, '2026-12-31T23:59:59.999999+00:00');
  invoice(store, 4, '2027-01-01T00:00:00.000000+00:00');
  const numbers = async (query: string) =>
    (await get(`invoices/?${query}`)).body.results.map(({ number }: { number: number }) => number);
  expect(await numbers('')).toEqual([4, 3, 2, 1]);
  expect(await numbers('year=2026')).toEqual([3, 2, 1]);
  expect(await numbers('year=2026&month=10')).toEqual([2]);
  expect(await numbers('year=2026&month=12')).toEqual([3]);
  for (const query of ['month=10', 'year=2026&month=13', 'year=2026&month=0', 'year=x', 'year=0', 'year=10000']) {
    expect((await get(`invoices/?${query}`)).status).toBe(400);
  }
});

test('an invoice shows its orders as they stand; planted lies stand only where they were planted', async () => {
  const { get, post, store, pickup } = await runService();
  const order = (await post('orders/', orderBody(pickup, { reference_id: 'WEB-1' }))).body;
  invoice(store, 1, '2026-10-12T08:00:00.000000+00:00', 2);
  const header = {
    number: 1,
    status: 'PENDING_PAYMENT',
    issued_at: '2026-10-12T08:00:00.000000+00:00',
    cod: [['USD', '25.00']],
    delivery_fee: [['USD', '3.0001']],
    net_due_to_merchant: [['USD', '21.9999']],
  };
  const row = {
    order_id: order.order_id,
    reference_id: 'WEB-1',
    workflow: 'STANDARD',
    delivery_state: 'CREATED',
    payment_state: 'UNPAID',
    cod: [['USD', '25.00']],
    delivery_fee: [],
  };
  expect((await get('invoices/')).body.results).toEqual([
    { ...header, status_display: 'Pending payment', order_count: 2 },
  ]);
  expect((await get('invoices/1/')).body).toEqual({ ...header, orders: [row, row] });

  store.write(() => {
    store.run(`update invoice set list_order_count = 9, list_status = 'PAID'`);
    store.run(`insert into invoice_money values (1, 'list', 0, 'LBP', 5, null, 5)`);
    store.run(`update invoice_row set stated_delivery_state = 'CANCELLED' where position = 1`);
    store.run('update delivery_order set hidden = 1');
  });
  expect((await get('invoices/')).body.results[0]).toMatchObject({
    order_count: 9,
    status: 'PAID',
    status_display: 'Paid',
    cod: [['LBP', '0.0005']],
    delivery_fee: [],
  });
  expect((await get('invoices/1/')).body).toEqual({
    ...header,
    orders: [row, { ...row, delivery_state: 'CANCELLED' }],
  });
  expect((await get('orders/')).body.count).toBe(0);
  expect((await get(`orders/${order.order_id}/`)).status).toBe(404);
});

test('the customer list finds by phone number and shows locations when asked', async () => {
  const { get, post, pickup } = await runService();
  const { customer, customer_location } = (await post('orders/', orderBody(pickup))).body;
  await post('customers/', { phone_number: '71000000' });
  const found = (await get('customers/?phone_number=+96170123456&include_locations=1')).body;
  expect(found.results).toEqual([{ ...customer, locations: [customer_location] }]);
  expect((await get('customers/?phone_number=%2B9617')).body.count).toBe(0);
  expect((await get('customers/')).body.results[0]).toEqual(customer);
  expect((await get('customers/?include_locations=perhaps')).status).toBe(400);
  for (const name of ['with_locations', 'show_locations', 'expand_locations', 'locations']) {
    expect((await get(`customers/?phone=%2B96170123456&${name}=yes`)).body).toEqual(found);
    expect((await get(`customers/${customer.id}/?${name}=1`)).body).toEqual(found.results[0]);
    expect((await get(`customers/${customer.id}/?include_locations=false&${name}=1`)).body).toEqual(customer);
  }
});

test('customers and locations are changed field by field', async () => {
  const { get, post, patch } = await runService();
  const { id } = (await post('customers/', { phone_number: '1', email: 'a@b.example' })).body;
  await post('customers/', { phone_number: '2' });
  expect((await patch(`customers/${id}/`, { name: 'N', id: 99, secondary_phone_number: null })).body).toEqual({
    id,
    name: 'N',
    phone_number: '1',
    secondary_phone_number: null,
    email: 'a@b.example',
  });
  for (const bad of [{ phone_number: '2' }, { phone_number: ' ' }, { phone_number: null }, { email: 'x' }, []]) {
    expect((await patch(`customers/${id}/`, bad)).status).toBe(400);
  }
  expect((await patch(`customers/${id}/`, { email: '' })).body.email).toBe('');
  const made = await post(`customers/${id}/locations/`, { area: { id: 2 }, directions: 'd' });
  expect([made.status, made.body.area.name_en]).toEqual([201, 'Achrafieh']);
  const path = `customers/${id}/locations/${made.body.id}/`;
  expect((await patch(path, { directions: 'e', area: { id: 3 } })).body).toEqual({ ...made.body, directions: 'e' });
  expect((await patch(`customers/${id}/locations/999/`, { directions: 'e' })).status).toBe(404);
  expect((await get(`customers/${id}/locations/`)).body.results).toEqual([{ ...made.body, directions: 'e' }]);
});
