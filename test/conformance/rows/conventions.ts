import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Operation, type OperationName, operations } from '../../../src/api/operations.ts';
import type { Customer, Order } from '../../../src/api/wire.ts';
import { type Api, formFields } from '../api.ts';
import { areaDetails, newCustomer, newLocation, newPhone, orderBody } from '../makers.ts';
import { section } from './row.ts';

/** An order without what is its own: ids, moments, links and the numbers of what was made for it. */
function comparable({ customer, customer_location, statestamps: _, ...order }: Order): object {
  const { order_id: _id, tracking_link: _link, order_url: _url, ...rest } = order;
  const { id: _customer, phone_number: _phone, ...person } = customer as Customer;
  const { directions, area } = customer_location as { directions: string; area: Record<string, unknown> };
  const { id: _area, code: _code, ...place } = area;
  return { ...rest, person, directions, place };
}

async function inEveryEncoding(send: (encoding: 'json' | 'form' | 'multipart') => Promise<object>) {
  const [json, form, multipart] = [await send('json'), await send('form'), await send('multipart')];
  expect(form).toEqual(json);
  expect(multipart).toEqual(json);
}

const encoded = (encoding: 'json' | 'form' | 'multipart', body: object) =>
  encoding === 'json' ? { json: body } : { [encoding]: formFields(body) };

const pathOf = (name: OperationName) => `${operations[name].method} /${operations[name].path}`;

/** Every POST and PATCH with a body, as [operation, send and answer what can be compared]. */
const WRITES: readonly [OperationName, (api: Api, encoding: 'json' | 'form' | 'multipart') => Promise<object>][] = [
  [
    'createOrder',
    async (api, encoding) => {
      const cod = [
        ['USD', '25.00'],
        ['LBP', '450000.00'],
      ];
      const body = await orderBody(api, { cod, is_critical: true, number_of_packages: 3, notes: 'طابق ٢ 🎁' });
      const reply = await api.post<Order>('orders/', undefined, encoded(encoding, body));
      expect(reply.status, reply.text).toBeLessThan(300);
      return comparable(reply.body);
    },
  ],
  [
    'createCustomer',
    async (api, encoding) => {
      const body = { name: 'Zeina & Sons', phone_number: newPhone(), email: 'z@example.com' };
      const reply = await api.post<Customer>('customers/', undefined, encoded(encoding, body));
      expect(reply.status, reply.text).toBeLessThan(300);
      return { ...reply.body, id: 0, phone_number: reply.body.phone_number === body.phone_number };
    },
  ],
  [
    'updateCustomer',
    async (api, encoding) => {
      const { id } = await newCustomer(api);
      const body = { name: 'Changed + encoded', email: 'new@example.com' };
      const reply = await api.call<Customer>('PATCH', `customers/${id}/`, encoded(encoding, body));
      expect(reply.status, reply.text).toBeLessThan(300);
      return { name: reply.body.name, email: reply.body.email };
    },
  ],
  [
    'createCustomerLocation',
    async (api, encoding) => {
      const { id } = await newCustomer(api);
      const body = { area: await areaDetails(api, { name_en: 'Bliss Street' }), directions: 'Left' };
      const reply = await api.post<object>(`customers/${id}/locations/`, undefined, encoded(encoding, body));
      expect(reply.status, reply.text).toBeLessThan(300);
      const { directions, area } = reply.body as { directions: string; area: object };
      return { directions, area: { ...area, id: 0, code: '' } };
    },
  ],
  [
    'updateCustomerLocation',
    async (api, encoding) => {
      const { id } = await newCustomer(api);
      const location = await newLocation(api, id);
      const sent = encoded(encoding, { directions: 'Behind the bakery' });
      const reply = await api.call<object>('PATCH', `customers/${id}/locations/${location.id}/`, sent);
      expect(reply.status, reply.text).toBeLessThan(300);
      return { directions: (reply.body as { directions: string }).directions };
    },
  ],
  [
    'createArea',
    async (api, encoding) => {
      const sent = encoded(encoding, { lat: 33.9, lng: -0.5, name: 'Far' });
      const reply = await api.post<object>('areas/create/', undefined, sent);
      expect(reply.status, reply.text).toBe(201);
      return { ...reply.body, id: 0, code: '' };
    },
  ],
];

export const conventionRows = section('Common conventions', [
  {
    id: 'base-url',
    says: 'All paths are relative to the base URL, which ends with the prefix /v1/external/',
    test: async (api) => expect(new URL(api.target.url).pathname).toMatch(/\/v1\/external\/$/),
  },
  {
    id: 'bodies.json',
    says: 'All bodies are JSON, of the media type application/json',
    async test(api) {
      for (const path of ['orders/', 'customers/', 'areas/', 'pickups/', 'invoices/', 'profile/']) {
        const reply = await api.get(path);
        expect(reply.headers['content-type'], path).toMatch(/^application\/json\b/);
        expect(reply.body, path).toBeTypeOf('object');
      }
    },
  },
  ...WRITES.map(([name, send]) => ({
    id: `bodies.encodings.${name}`,
    says: `${pathOf(name)} takes its body as JSON, form-urlencoded and multipart alike`,
    test: (api: Api) => inEveryEncoding((encoding) => send(api, encoding)),
  })),
  {
    id: 'bodies.forms.nested',
    says: 'How a form holds nested fields is not shown: in brackets, or as JSON text',
    choice: 'Nested fields in forms',
    async test(api) {
      const body = await orderBody(api);
      const asText = Object.entries(body).map(([name, value]): [string, string] => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]);
      const first = await api.post<Order>('orders/', undefined, { form: asText });
      expect(first.status, first.text).toBe(201);
      const second = await api.post<Order>('orders/', undefined, { multipart: formFields(body) });
      expect(comparable(second.body)).toEqual(comparable(first.body));
      const appended = [
        ...formFields({ ...body, cod: undefined }),
        ['cod[0][]', 'USD'],
        ['cod[0][]', '25.00'],
      ] as const;
      const third = await api.post<Order>('orders/', undefined, {
        form: appended.filter(([name]) => name !== 'cod') as [string, string][],
      });
      expect(third.body.cod, third.text).toEqual([['USD', '25.00']]);
    },
  },
  {
    id: 'bodies.forms.values',
    says: 'How a form writes booleans and what an empty text in it means is not shown',
    choice: 'Values in forms',
    async test(api) {
      const body = { ...(await orderBody(api)), reference_id: 'form' };
      for (const [text, flag] of [
        ['true', true],
        ['1', true],
        ['on', true],
        ['Yes', true],
        ['TRUE', true],
        ['false', false],
        ['0', false],
        ['off', false],
        ['no', false],
        ['', false],
      ] as const) {
        const form = formFields({ ...body, is_critical: text, number_of_packages: '' });
        const reply = await api.post<Order>('orders/', undefined, { form });
        expect(reply.status, reply.text).toBe(201);
        expect(reply.body, text).toMatchObject({ is_critical: flag, number_of_packages: 1 });
      }
      const form = formFields({ ...body, is_critical: 'yes please' });
      const { details } = await api.refused(400, 'POST', 'orders/', { form });
      expect(details).toMatch(/^is_critical: /);
    },
  },
  {
    id: 'bodies.json.types',
    says: 'Whether JSON values of a near type are taken is not shown: types are strict',
    choice: 'Types in JSON',
    async test(api) {
      for (const [name, value] of Object.entries({
        number_of_packages: '3',
        is_critical: 'true',
        is_exchange: 1,
        description: 5,
        merchant_location: '1',
        customer: '{}',
        cod: [['USD', 25]],
        workflow: null,
      })) {
        const json = await orderBody(api, { [name]: value });
        const { details } = await api.refused(400, 'POST', 'orders/', { json });
        expect(details, name).toMatch(new RegExp(`^${name}\\b.*: .`));
      }
    },
  },
  {
    id: 'bodies.content-types',
    says: 'Which answer other content types, and compressed bodies, get is not shown: 415',
    choice: 'Content types',
    async test(api) {
      for (const { method, path } of Object.values<Operation>(operations).filter(({ method }) => method !== 'GET')) {
        for (const type of ['text/plain', 'application/xml', 'application/octet-stream']) {
          const sent = { raw: '{}', headers: { 'Content-Type': type } };
          const error = await api.refused(415, method, path.replaceAll(/\{\w+\}/g, '1'), sent);
          expect(error.message).toBe('Unsupported media type.');
        }
      }
      const gzip = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      const json = JSON.stringify({ phone_number: newPhone() });
      const encoded = await api.refused(415, 'POST', 'customers/', { raw: gzipSync(json), headers: gzip });
      expect(encoded.details).toMatch(/^Content-Encoding: /);
      const file = '--b\r\ncontent-disposition: form-data; name="name"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n';
      const sent = { raw: file, headers: { 'Content-Type': 'multipart/form-data; boundary=b' } };
      const { details } = await api.refused(400, 'POST', 'customers/', sent);
      expect(details).toMatch(/^name: /);
    },
  },
  {
    id: 'bodies.text',
    says: 'Whether text may hold null characters or unpaired surrogates is not shown: 400',
    choice: 'Text',
    async test(api) {
      for (const name of ['a\u0000b', '\ud800']) {
        const json = { name, phone_number: newPhone() };
        const { details } = await api.refused(400, 'POST', 'customers/', { json });
        expect(details).toMatch(/^name: /);
      }
      const name = 'نادية 👩🏽‍🚀 "O\'Brien"\n=1+1 <b>&amp;</b> \\ \u202e';
      expect((await newCustomer(api, { name })).name).toBe(name);
    },
  },
]);
