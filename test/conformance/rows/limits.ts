import { expect } from 'vitest';
import { type Operation, operations } from '../../../src/api/operations.ts';
import type { Customer, Order } from '../../../src/api/wire.ts';
import { newCustomer, newOrder, newPhone, orderBody } from '../makers.ts';
import { section } from './row.ts';

const MIB = 2 ** 20;

export const limitRows = [
  ...section('Limits', [
    {
      id: 'limits.packages',
      says: 'number_of_packages is at least 1',
      async test(api) {
        expect((await newOrder(api, { number_of_packages: 1 })).number_of_packages).toBe(1);
        const json = await orderBody(api, { number_of_packages: 0 });
        expect((await api.refused(400, 'POST', 'orders/', { json })).details).toMatch(/^number_of_packages: /);
      },
    },
    {
      id: 'limits.month',
      says: 'month is from 1 to 12',
      async test(api) {
        for (const month of [1, 12])
          expect((await api.get('invoices/', { query: { year: 2026, month } })).status).toBe(200);
        for (const month of [0, 13, -1, '1.5', 'May', '٥']) {
          const { details } = await api.refused(400, 'GET', 'invoices/', { query: { year: 2026, month } });
          expect(details).toMatch(/^month: /);
        }
        for (const year of ['abc', '20.26', '1e3', '0', '99999999999999999999']) {
          expect((await api.refused(400, 'GET', 'invoices/', { query: { year } })).details).toMatch(/^year: /);
        }
      },
    },
    {
      id: 'limits.phone',
      says: 'A phone number belongs to at most one customer, also when two ask for it at once',
      async test(api) {
        const json = { name: 'Twin', phone_number: newPhone() };
        const replies = await Promise.all(Array.from({ length: 8 }, () => api.post<Customer>('customers/', json)));
        expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
        expect(replies.filter(({ status }) => status === 400)).toHaveLength(7);
      },
    },
    {
      id: 'limits.rate',
      says: 'Rate limits are not shown: none',
      choice: 'Rate limits',
      async test(api) {
        const replies = await Promise.all(Array.from({ length: 300 }, () => api.get('profile/')));
        expect(replies.every(({ status }) => status === 200)).toBe(true);
      },
    },
    {
      id: 'limits.size',
      says: 'Request size limits are not shown: 1 MiB, then 413 in the form of the other errors',
      choice: 'Request size',
      async test(api) {
        const frame = JSON.stringify({ phone_number: newPhone(), name: '' }).length;
        const bodyOf = (bytes: number) => ({ phone_number: newPhone(), name: 'x'.repeat(bytes - frame) });
        expect((await api.post('customers/', bodyOf(MIB))).status).toBe(201);
        for (const { method, path } of Object.values<Operation>(operations).filter(({ method }) => method !== 'GET')) {
          const error = await api.refused(413, method, path.replaceAll(/\{\w+\}/g, '1'), { json: bodyOf(MIB + 1) });
          expect(error).toMatchObject({ error: 'true', message: 'Request too large.' });
        }
        for (const encoding of ['form', 'multipart'] as const) {
          const fields = [
            ['phone_number', newPhone()],
            ['name', 'x'.repeat(2 * MIB)],
          ] as const;
          await api.refused(413, 'POST', 'customers/', { [encoding]: fields });
        }
      },
    },
    {
      id: 'limits.lengths',
      says: 'Lengths of other text fields are not shown: only the size of the body binds them',
      choice: 'Lengths of other text fields',
      async test(api) {
        const long = 'ط'.repeat(100_000);
        const order = await newOrder(api, { notes: long, description: long, reference_id: long });
        expect(order).toMatchObject({ notes: long, description: long, reference_id: long });
        expect((await api.read<Order>(`orders/${order.order_id}/`)).notes).toBe(long);
        expect((await newCustomer(api, { name: long })).name).toBe(long);
      },
    },
  ]),
  ...section('Events', [
    {
      id: 'events',
      says: 'Events are not shown: there are none',
      choice: 'Events',
      needs: ['openapi'],
      test: async (api) => expect(api.contract?.document).not.toHaveProperty('webhooks'),
    },
  ]),
  ...section('Versioning', [
    {
      id: 'version.prefix',
      says: 'The version is carried in the prefix of the path: without it there is nothing',
      async test(api) {
        for (const prefix of ['/', '/v1/', '/external/', '/v2/external/']) {
          const reply = await api.send('GET', new URL(`${prefix}orders/`, api.target.url));
          expect(reply.status, prefix).toBe(404);
        }
      },
    },
    {
      id: 'version.placeholder',
      says: 'The machine-readable description carries the placeholder version 0.0.0',
      needs: ['openapi'],
      test: async (api) => expect(api.contract?.document.info.version).toBe('0.0.0'),
    },
    {
      id: 'version.policy',
      says: 'The policy for changes and deprecation is not shown: none is announced',
      choice: 'Policy for changes and deprecation',
      async test(api) {
        const { headers } = await api.get('profile/');
        expect(headers).not.toHaveProperty('deprecation');
        expect(headers).not.toHaveProperty('sunset');
        for (const { operation } of api.contract?.described ?? []) expect(operation).not.toHaveProperty('deprecated');
      },
    },
  ]),
];
