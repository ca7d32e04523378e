import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildOperatorApp } from '../../../src/sandbox/operator/app.ts';
import { createOperatorKey } from '../../../src/sandbox/store/merchants.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { seedWorld } from '../../../src/sandbox/world/seed.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
let store: Store;
let app: FastifyInstance;
let key: string;
let merchantKey: string;

beforeEach(async () => {
  store = openStore(':memory:');
  const months = { from: '2026-10', to: '2026-10' };
  const world = seedWorld(store, { months, orders: 150, seed: '1', asOf: new Date('2026-11-01'), plant: false });
  merchantKey = world.merchants[0]?.key ?? '';
  key = createOperatorKey(store, NOW);
  app = await buildOperatorApp({ store, now: () => NOW });
});

async function post(path: string, body?: object | string, headers: Record<string, string> = { 'x-operator-key': key }) {
  const answer = await app.inject({
    method: 'POST',
    url: `/v1/operator/${path}`,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

function inTransit(): string {
  const sql = `select order_id from delivery_order where delivery_state = 'AT_WAREHOUSE' and merchant_id = 1 limit 1`;
  return store.get<{ order_id: string }>(sql)?.order_id ?? '';
}

describe("the operator's API", () => {
  test('delivers, bills and pays', async () => {
    const id = inTransit();
    expect((await post(`orders/${id}/dispatch/`)).body).toEqual({
      order_id: id,
      delivery_state: 'IN_TRANSIT',
      payment_state: 'UNPAID',
    });
    expect((await post(`orders/${id}/deliver/`, {})).body).toMatchObject({ delivery_state: 'DELIVERED' });
    const issued = await post('invoices/', { merchant: 'Cedar Threads', date: '2026-11-15' });
    expect(issued).toMatchObject({
      status: 201,
      body: {
        issued_at: '2026-11-15T12:00:00.000000+00:00',
        order_count: 1,
        totals: expect.arrayContaining([expect.objectContaining({ currency: 'USD' })]),
      },
    });
    expect(await post(`invoices/${issued.body.number}/pay/`)).toMatchObject({ status: 200, body: { status: 'PAID' } });
  });

  test('answers 401 without its own key of today', async () => {
    const path = `orders/${inTransit()}/dispatch/`;
    for (const headers of [
      {},
      { 'x-operator-key': 'opr_wrong' },
      { 'x-operator-key': merchantKey },
      { 'x-api-key': merchantKey },
    ]) {
      expect(await post(path, undefined, headers as Record<string, string>)).toMatchObject({
        status: 401,
        body: { error: 'true', message: 'Authentication failed.' },
      });
    }
    createOperatorKey(store, NOW);
    expect((await post(path)).status).toBe(401);
  });

  test('refuses in the error form of the service, and says what to do', async () => {
    const id = inTransit();
    const cases: [path: string, body: object | string | undefined, status: number, details: RegExp][] = [
      [`orders/${id}/deliver/`, undefined, 400, /is AT_WAREHOUSE and UNPAID, which does not allow deliver/],
      ['orders/NOPE/deliver/', undefined, 404, /there is no order NOPE/],
      [`orders/${id}/fly/`, undefined, 404, /the moves are assign, scan/],
      ['invoices/', {}, 400, /merchant: /],
      ['invoices/', { merchant: 'Nobody' }, 404, /no merchant named/],
      ['invoices/', { merchant: 'Cedar Threads' }, 400, /no delivered order/],
      ['invoices/', { merchant: 'Cedar Threads', date: 'yesterday' }, 400, /is not a day/],
      ['invoices/', '{"merchant":', 400, /Not valid JSON/],
      ['invoices/1/pay/', undefined, 404, /there is no invoice 1/],
      ['invoices/x/pay/', undefined, 404, /not found/],
      ['nowhere/', undefined, 404, /no such path/],
      [`orders/${'a'.repeat(300)}/assign/`, undefined, 404, /cannot be read/],
      ['invoices/', { merchant: 'x'.repeat(2 ** 20) }, 413, /1048576 bytes/],
    ];
    for (const [path, body, status, details] of cases) {
      const answer = await post(path, body);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.body).toEqual({
        error: 'true',
        message: expect.any(String),
        details: expect.stringMatching(details),
      });
    }
  });
});
