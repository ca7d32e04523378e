import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contents, orderBody, runService } from './support.ts';

const FORM = 'application/x-www-form-urlencoded';

test('an order is created alike by JSON, a form, and multipart; with nested names and with JSON text in a field', async () => {
  const { post, send, pickup } = await runService();
  const nested = {
    merchant_location: String(pickup),
    'customer[name]': 'رنا 📦 "O\'Neil"\n=1+1',
    'customer[phone_number]': '+96170123456',
    'customer_location[area][id]': '1',
    'customer_location[directions]': 'Third floor',
    'cod[0][0]': 'USD',
    'cod[0][1]': '25.00',
    is_critical: 'true',
    is_exchange: '',
    number_of_packages: '3',
  };
  const texts = {
    merchant_location: String(pickup),
    customer: JSON.stringify({ name: nested['customer[name]'], phone_number: '+96170123456' }),
    customer_location: '{"area":{"id":1},"directions":"Third floor"}',
    cod: '[["USD","25.00"]]',
    is_critical: 'on',
    number_of_packages: '3',
  };
  const multipart = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const answers = [
    await post(
      'orders/',
      orderBody(pickup, {
        customer: { name: nested['customer[name]'], phone_number: '+96170123456' },
        is_critical: true,
        number_of_packages: 3,
      }),
    ),
    await send('orders/', { method: 'POST', body: new URLSearchParams(nested) }),
    await send('orders/', { method: 'POST', body: new URLSearchParams(texts) }),
    await send('orders/', { method: 'POST', body: multipart(texts) }),
  ];
  const shown = answers.map(({ status, body }) => ({
    status,
    ...body,
    order_id: '',
    tracking_link: '',
    order_url: '',
    statestamps: [],
    customer_location: { ...body.customer_location, id: 0 },
  }));
  expect(shown[0]).toMatchObject({
    status: 201,
    is_critical: true,
    is_exchange: false,
    number_of_packages: 3,
    cod: [['USD', '25.00']],
    customer: { name: nested['customer[name]'] },
  });
  for (const other of shown.slice(1)) expect(other).toEqual(shown[0]);
});

test('JSON is strict about types where forms are not', async () => {
  const { post, pickup } = await runService();
  const answer = await post(
    'orders/',
    orderBody(pickup, {
      number_of_packages: '3',
      is_critical: 'true',
      is_exchange: null,
      workflow: null,
      cod: [['USD', 25]],
    }),
  );
  expect(answer.status).toBe(400);
  expect(answer.body.details.split('; ').sort()).toEqual([
    'cod[0][1]: Not a valid string.',
    'is_critical: A boolean is expected.',
    'is_exchange: This field may not be null.',
    'number_of_packages: A valid integer is required.',
    'workflow: This field may not be null.',
  ]);
});

test('what cannot be read gets the error form and changes nothing', async () => {
  const { send, store } = await runService();
  const before = contents(store);
  const file = new FormData();
  file.set('name', new Blob(['x']), 'name.txt');
  const big = Buffer.alloc(10_000_000, 'x');
  const cases: [expected: number, init: RequestInit][] = [
    [400, { body: '{', headers: { 'content-type': 'application/json' } }],
    [400, { body: Buffer.from([0x22, 0xff, 0x22]), headers: { 'content-type': 'application/json' } }],
    [400, { body: '[]', headers: { 'content-type': 'application/json' } }],
    [400, { body: file }],
    [400, { body: '--x\r\nno', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    [400, { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
    [400, { body: 'a[b][c][d][e][f][g][h]=1', headers: { 'content-type': FORM } }],
    [400, { body: 'a=1&'.repeat(2_000), headers: { 'content-type': FORM } }],
    [415, { body: '<a/>', headers: { 'content-type': 'text/xml' } }],
    [415, { body: 'x', headers: { 'content-type': 'nonsense' } }],
    [
      415,
      { body: '{"phone_number":"1"}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
    ],
    [415, { body: gzipSync('phone_number=1'), headers: { 'content-type': FORM, 'content-encoding': 'gzip' } }],
    [413, { body: big, headers: { 'content-type': 'application/json' } }],
    [413, { body: big, headers: { 'content-type': FORM } }],
    [413, { body: big, headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    [
      413,
      {
        body: new Blob([big]).stream(),
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      } as RequestInit,
    ],
  ];
  for (const [expected, init] of cases) {
    const { status, body } = await send('customers/', { method: 'POST', ...init });
    expect([status, init.headers]).toEqual([expected, init.headers]);
    expect(body).toMatchObject({ error: 'true', message: expect.any(String), details: expect.any(String) });
  }
  expect(contents(store)).toBe(before);
});
