import { expect } from 'vitest';
import type { Api, Method, Reply } from '../api.ts';
import { newCustomer, newOrder, newPhone, orderBody } from '../makers.ts';
import { orderIn } from '../operator.ts';
import { serve } from '../server.ts';
import { section } from './row.ts';

/** Asks the same service, served a second time with faults. */
async function askFaulty(api: Api, faults: string, path: string): Promise<Reply> {
  const { url, close } = await serve(api.target.sandbox?.file as string, ['--faults', faults]);
  try {
    return await api.send('GET', new URL(path, url));
  } finally {
    await close();
  }
}

const GONE: readonly [what: string, method: Method, path: string][] = [
  ['order', 'GET', 'orders/NOBODY0000/'],
  ['order, at request-pickup', 'POST', 'orders/NOBODY0000/request-pickup/'],
  ['order, at cancel', 'POST', 'orders/NOBODY0000/cancel/'],
  ['customer', 'GET', 'customers/2147483600/'],
  ['customer, at change', 'PATCH', 'customers/2147483600/'],
  ['customer, at its locations', 'GET', 'customers/2147483600/locations/'],
  ['customer, at a new location', 'POST', 'customers/2147483600/locations/'],
  ['customer, at a location', 'PATCH', 'customers/2147483600/locations/1/'],
  ['invoice', 'GET', 'invoices/2147483600/'],
];

export const errorRows = section('Errors', [
  {
    id: 'error.form',
    says: 'An error body holds error, message and details, and nothing else',
    async test(api) {
      const reply = await api.post<object>('customers/', {});
      expect(Object.keys(reply.body).sort()).toEqual(['details', 'error', 'message']);
    },
  },
  {
    id: 'error.flag.text',
    says: 'error is the text true in most responses',
    async test(api) {
      expect((await api.refused(400, 'POST', 'customers/', { json: {} })).error).toBe('true');
      expect((await api.refused(404, 'GET', 'orders/NOBODY0000/')).error).toBe('true');
      expect((await api.refused(404, 'GET', 'customers/2147483600/')).error).toBe('true');
    },
  },
  {
    id: 'error.flag.boolean',
    says: 'The invoice endpoints declare a boolean true',
    async test(api) {
      expect((await api.refused(404, 'GET', 'invoices/2147483600/')).error).toBe(true);
      expect((await api.refused(400, 'GET', 'invoices/', { query: { year: 2026, month: 13 } })).error).toBe(true);
    },
  },
  {
    id: 'error.flag.choice',
    says: 'Which form error has elsewhere is not shown: the boolean under /invoices/ alone, whatever the failure',
    choice: '`error`',
    async test(api) {
      expect((await api.refused(401, 'GET', 'invoices/', { key: null })).error).toBe(true);
      expect((await api.refused(405, 'DELETE', 'invoices/1/')).error).toBe(true);
      for (const path of ['orders/', 'customers/', 'areas/', 'pickups/', 'profile/']) {
        expect((await api.refused(401, 'GET', path, { key: null })).error).toBe('true');
      }
      expect((await api.refused(400, 'GET', 'orders/?page=x&from=/v1/external/invoices/')).error).toBe('true');
    },
  },
  {
    id: 'error.400.message',
    says: 'The message of a 400 is: Validation failed.',
    async test(api) {
      expect((await api.refused(400, 'POST', 'customers/', { json: {} })).message).toBe('Validation failed.');
      expect((await api.refused(400, 'POST', 'orders/', { json: {} })).message).toBe('Validation failed.');
      const query = { year: 2026, month: 13 };
      expect((await api.refused(400, 'GET', 'invoices/', { query })).message).toBe('Validation failed.');
    },
  },
  {
    id: 'error.400.details',
    says: 'The details of a validation name the field, then the reason',
    async test(api) {
      const { details } = await api.refused(400, 'POST', 'customers/', { json: { name: 'A' } });
      expect(details).toMatch(/^phone_number: \S/);
      const nested = await orderBody(api, { cod: [['USD', 'x']] });
      expect((await api.refused(400, 'POST', 'orders/', { json: nested })).details).toMatch(/^cod\S*: \S/);
    },
  },
  {
    id: 'error.400.workflow',
    says: '400 for an invalid workflow choice',
    async test(api) {
      const json = await orderBody(api, { workflow: 'EXPRESS' });
      expect((await api.refused(400, 'POST', 'orders/', { json })).details).toMatch(/^workflow: .*not a valid choice/);
    },
  },
  {
    id: 'error.400.district',
    says: '400 for an invalid district choice',
    async test(api) {
      const { id } = await newCustomer(api);
      const json = { area: { name_en: 'A', name_ar: 'أ', district: 'Nowhere', lat: '33.9', long: '35.5' } };
      const { details } = await api.refused(400, 'POST', `customers/${id}/locations/`, { json });
      expect(details).toMatch(/district: .*not a valid choice/);
    },
  },
  {
    id: 'error.400.phone',
    says: '400 for a missing phone_number',
    async test(api) {
      const json = await orderBody(api, { customer: { name: 'Nobody' } });
      expect((await api.refused(400, 'POST', 'orders/', { json })).details).toMatch(/phone_number: /);
    },
  },
  {
    id: 'error.400.cancel',
    says: '400 for an order that cannot be cancelled; the details say that delivered orders cannot be',
    needs: ['operator'],
    async test(api) {
      const { order_id } = await orderIn(api, 'DELIVERED');
      const error = await api.refused(400, 'POST', `orders/${order_id}/cancel/`);
      expect(error.message).toBe('Validation failed.');
      expect(error.details).toMatch(/delivered orders cannot be cancelled/i);
    },
  },
  {
    id: 'error.400.request-pickup',
    says: '400 for request-pickup of an order that is not in CREATED',
    async test(api) {
      const { order_id } = await newOrder(api);
      await api.post(`orders/${order_id}/request-pickup/`);
      const error = await api.refused(400, 'POST', `orders/${order_id}/request-pickup/`);
      expect(error.message).toBe('Validation failed.');
    },
  },
  ...GONE.map(([what, method, path]) => ({
    id: `error.404.${what.replaceAll(/\W+/g, '-')}`,
    says: `404 for an unknown ${what}: Resource not found., with a not-found entry`,
    async test(api: Api) {
      const error = await api.refused(
        404,
        method,
        path,
        method === 'PATCH' ? { json: { name: 'A', directions: 'x' } } : {},
      );
      expect(error.message).toBe('Resource not found.');
      expect(error.details).toMatch(/not found/i);
    },
  })),
  {
    id: 'error.404.location',
    says: '404 for an unknown location',
    async test(api) {
      const { id } = await newCustomer(api);
      const error = await api.refused(404, 'PATCH', `customers/${id}/locations/2147483600/`, {
        json: { directions: 'x' },
      });
      expect(error.message).toBe('Resource not found.');
      expect(error.details).toMatch(/not found/i);
    },
  },
  {
    id: 'error.500',
    says: '500 for a failure of the server: Unexpected error., with a text that tells nothing more',
    needs: ['operator'],
    async test(api) {
      for (const [path, error] of [
        ['orders/', 'true'],
        ['invoices/', true],
      ] as const) {
        const reply = await askFaulty(api, '500=1', path);
        expect(reply.status).toBe(500);
        expect(reply.body).toMatchObject({
          error,
          message: 'Unexpected error.',
          details: expect.stringMatching(/^internal server error\.?$/i),
        });
      }
    },
  },
  {
    id: 'error.429',
    says: 'What a service that is asked too often answers is not shown: 429, and when to ask again',
    choice: 'Errors beside 400, 404, 500',
    async test(api) {
      const reply = await askFaulty(api, '429=1:retry-after=7', 'orders/');
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '7']);
      expect(reply.body).toMatchObject({ error: 'true', message: 'Too many requests.' });
    },
  },
  {
    id: 'error.404.path',
    says: 'A path that the service does not have is not found',
    async test(api) {
      for (const path of ['nowhere/', 'orders/1/2/3/', 'areas/1/', 'profile/1/', '../external/', '']) {
        expect((await api.refused(404, 'GET', path)).message).toBe('Resource not found.');
      }
    },
  },
  {
    id: 'error.others',
    says: 'The complete list of messages and statuses is not shown: 401, 405, 413, 415 in the same form',
    choice: 'Errors beside 400, 404, 500',
    async test(api) {
      const seen = [
        await api.refused(401, 'GET', 'profile/', { key: null }),
        await api.refused(405, 'DELETE', 'profile/'),
        await api.refused(413, 'POST', 'customers/', { json: { name: 'x'.repeat(2 ** 20), phone_number: newPhone() } }),
        await api.refused(415, 'POST', 'customers/', { raw: 'x', headers: { 'Content-Type': 'text/csv' } }),
      ];
      expect(seen.map(({ message }) => message)).toEqual([
        'Authentication failed.',
        'Method not allowed.',
        'Request too large.',
        'Unsupported media type.',
      ]);
    },
  },
  {
    id: 'error.malformed',
    says: 'A body that cannot be read is a validation error',
    async test(api) {
      const headers = { 'Content-Type': 'application/json' };
      for (const raw of ['{', '{"a":}', '[', 'nul', '"', '\u0000', '{"name":"A"}}', Buffer.from([0x7b, 0xff, 0xfe])]) {
        const error = await api.refused(400, 'POST', 'customers/', { raw, headers });
        expect(error.message).toBe('Validation failed.');
      }
      for (const json of [[], 'text', 5, true, null]) {
        expect((await api.refused(400, 'POST', 'customers/', { json })).message).toBe('Validation failed.');
      }
    },
  },
]);
