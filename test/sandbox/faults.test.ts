import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { InvoiceDetail, InvoiceListItem } from '../../src/api/wire.ts';
import { UsageError } from '../../src/base/errors.ts';
import { parseUnits } from '../../src/money/units.ts';
import { buildApp } from '../../src/sandbox/app.ts';
import { parseFaults } from '../../src/sandbox/faults/faults.ts';
import { RESULT_SHAPES, type ResultShape } from '../../src/sandbox/http/shapes.ts';
import { openStore } from '../../src/sandbox/store/open.ts';
import type { Store } from '../../src/sandbox/store/store.ts';
import { seedWorld } from '../../src/sandbox/world/seed.ts';

let store: Store;
let key: string;
let running: FastifyInstance | undefined;

beforeAll(() => {
  store = openStore(':memory:');
  const months = { from: '2026-08', to: '2026-10' };
  const world = seedWorld(store, { months, orders: 60, seed: '3', asOf: new Date('2026-11-20'), plant: false });
  key = world.merchants[0]?.key ?? '';
});
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function serve(spec: string | null, results: ResultShape = 'flat'): Promise<FastifyInstance> {
  await running?.close();
  const faults = spec === null ? {} : { faults: parseFaults(spec) };
  running = await buildApp({ store, results, ...faults });
  return running;
}

async function get(app: FastifyInstance, path: string) {
  const answer = await app.inject({ url: `/v1/external/${path}`, headers: { 'x-api-key': key } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

/** The items and counts of a page in any of the four shapes. */
function unwrap(body: { count: number; results: unknown }): { count: number; items: InvoiceListItem[] } {
  let { results } = body;
  let { count } = body;
  while (!(Array.isArray(results) && (results.length === 0 || 'number' in results[0] || 'order_id' in results[0]))) {
    const inner = (Array.isArray(results) ? results[0] : results) as { count: number; results: unknown } | unknown[];
    if (Array.isArray(inner)) results = inner;
    else {
      expect(inner.count).toBe(count);
      ({ count, results } = inner);
    }
  }
  return { count, items: results };
}

/** All of a list, page by page. */
async function walk(app: FastifyInstance, path: string): Promise<{ count: number; numbers: number[] }> {
  const numbers: number[] = [];
  for (let page = 1; ; page++) {
    const { body } = await get(app, `${path}page=${page}&page_size=4`);
    const { count, items } = unwrap(body);
    numbers.push(...items.map((item) => item.number));
    if (body.next === null) return { count, numbers };
  }
}

describe('--faults', () => {
  test('is read part by part', () => {
    expect(parseFaults('latency=50..200, 500=0.05,429=0.1:retry-after=3,drop=.02,truncate=1,drift=0.5,seed=x')).toEqual(
      {
        latency: [50, 200],
        serverError: 0.05,
        tooMany: 0.1,
        retryAfter: 3,
        drop: 0.02,
        truncate: 1,
        drift: 0.5,
        vanish: { numbers: new Set(), probability: 0 },
        restate: { numbers: new Set(), probability: 0 },
        malformed: { numbers: new Set(), probability: 0 },
        incomplete: new Set(),
        deep: 0,
        endless: false,
        pageSize: 0,
        echo: false,
        bomb: 0,
        perMinute: 0,
        perMonth: 0,
        webhook: { drop: 0, double: 0, disorder: 0, forge: 0 },
        seed: 'x',
      },
    );
    expect(parseFaults('webhook-drop=0.1,webhook-double=.2,webhook-disorder=1,webhook-forge=0.3').webhook).toEqual({
      drop: 0.1,
      double: 0.2,
      disorder: 1,
      forge: 0.3,
    });
    expect(parseFaults('vanish=10001,vanish=10005,vanish=0.25,restate=7,latency=10')).toMatchObject({
      vanish: { numbers: new Set([10001, 10005]), probability: 0.25 },
      restate: { numbers: new Set([7]) },
      latency: [10, 10],
      serverError: 0,
    });
  });

  test.each([
    ...[
      '',
      'drop',
      'drop=',
      'drop=2.5',
      'drop=-1',
      '500=NaN',
      '429=0.1:retry-after=soon',
      'latency=9..1',
      'latency=1s',
    ],
    ...['incomplete=2026-13', 'deep=0', 'endless=invoices', 'page-size=many', 'echo=1', 'bomb=-1', 'malformed=x'],
    ...['constructor=1', 'vanish=abc', 'seed=', '=1', 'drift=1e-1'],
  ])('names the part that it cannot read: %j', (part) => {
    expect(() => parseFaults(`truncate=0.1,${part}`)).toThrow(UsageError);
    expect(() => parseFaults(`truncate=0.1,${part}`)).toThrow(JSON.stringify(part));
  });

  test('never fails but with a UsageError, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseFaults(text);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe('served faults', () => {
  test('500 and 429 come in the error form and before anything is done', async () => {
    expect(await get(await serve('500=1'), 'profile/')).toMatchObject({
      status: 500,
      body: { error: 'true', message: 'Unexpected error.' },
    });
    const app = await serve('429=1:retry-after=7');
    const before = store.get('select count(*) from customer');
    const post = await app.inject({
      method: 'POST',
      url: '/v1/external/customers/',
      headers: { 'x-api-key': key },
      payload: { phone_number: '1', name: 'n' },
    });
    expect([post.statusCode, post.headers['retry-after']]).toEqual([429, '7']);
    expect(store.get('select count(*) from customer')).toEqual(before);
  });

  test('strike about as often as was asked, and the same requests again with the same seed', async () => {
    const run = async (seed: number): Promise<string> => {
      const app = await serve(`500=0.3,seed=${seed}`);
      const statuses = [];
      for (let i = 0; i < 200; i++) statuses.push((await get(app, 'profile/')).status);
      return statuses.join();
    };
    const first = await run(1);
    expect(first.split('500').length - 1).toBeGreaterThan(40);
    expect(first.split('500').length - 1).toBeLessThan(80);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  });

  test('drop closes the connection without an answer, truncate in the middle of one', async () => {
    for (const [spec, expected] of [
      ['drop=1', 0],
      ['truncate=1', 1],
    ] as const) {
      const app = await serve(spec);
      const origin = await app.listen({ port: 0, host: '127.0.0.1' });
      let received = 0;
      const request = fetch(`${origin}/v1/external/orders/`, { headers: { 'x-api-key': key } }).then(async (answer) => {
        received = Number(answer.headers.get('content-length')) > 0 ? 1 : 0;
        return answer.text();
      });
      await expect(request).rejects.toThrow();
      expect(received).toBe(expected);
    }
  });

  test('latency holds an answer back', async () => {
    const app = await serve('latency=400..500');
    // A timer that was set earlier, for less, fires first however busy the machine is.
    let isLater = false;
    setTimeout(() => {
      isLater = true;
    }, 300);
    await get(app, 'profile/');
    expect(isLater).toBe(true);
  });

  test.each(RESULT_SHAPES)('a vanished invoice is in no page, in no count, and answers 404: %s', async (shape) => {
    const all = await walk(await serve(null, shape), 'invoices/?');
    const [gone = 0, also = 0] = [all.numbers[2], all.numbers[9]];
    const app = await serve(`vanish=${gone},vanish=${also}`, shape);
    const left = await walk(app, 'invoices/?');
    expect(left.numbers).toEqual(all.numbers.filter((number) => number !== gone && number !== also));
    expect(left.count).toBe(all.count - 2);
    expect(await get(app, `invoices/${gone}/`)).toMatchObject({
      status: 404,
      body: { message: 'Resource not found.' },
    });
    expect((await get(app, `invoices/${all.numbers[0]}/`)).status).toBe(200);
  });

  test('a restated invoice charges a dollar more, in the list, the detail and its first row alike', async () => {
    const { numbers } = await walk(await serve(null), 'invoices/?');
    const number = numbers[1]!;
    const detailOf = async (app: FastifyInstance): Promise<InvoiceDetail> =>
      (await get(app, `invoices/${number}/`)).body;
    const listedOf = async (app: FastifyInstance) =>
      unwrap((await get(app, 'invoices/')).body).items.find((item) => item.number === number)!;
    const before = await detailOf(await serve(null));
    const app = await serve(`restate=${number}`);
    const after = await detailOf(app);
    const dollars = (field: string[][]): bigint =>
      parseUnits(field.find(([currency]) => currency === 'USD')?.[1] ?? '0');
    expect(dollars(after.delivery_fee) - dollars(before.delivery_fee)).toBe(10_000n);
    expect(dollars(after.net_due_to_merchant) - dollars(before.net_due_to_merchant)).toBe(-10_000n);
    expect(dollars(after.orders[0]!.delivery_fee) - dollars(before.orders[0]!.delivery_fee)).toBe(10_000n);
    expect(after.orders.slice(1)).toEqual(before.orders.slice(1));
    const listed = await listedOf(app);
    expect([listed.cod, listed.delivery_fee, listed.net_due_to_merchant]).toEqual([
      after.cod,
      after.delivery_fee,
      after.net_due_to_merchant,
    ]);
  });

  test('a drifting list misses one item a page, and not its count', async () => {
    const all = await walk(await serve(null), 'invoices/?');
    const seen = await walk(await serve('drift=1'), 'invoices/?');
    expect(seen.count).toBe(all.count);
    expect(seen.numbers).toEqual(all.numbers.filter((_, i) => i < 4 || i % 4 > 0));
  });

  test('a malformed invoice is so in its detail alone', async () => {
    const { numbers } = await walk(await serve(null), 'invoices/?');
    const clean = await get(await serve(null), `invoices/${numbers[3]}/`);
    const app = await serve(`malformed=${numbers[3]}`);
    const spoilt = await get(app, `invoices/${numbers[3]}/`);
    expect(spoilt.body.net_due_to_merchant.map(([, amount]: string[]) => amount)).toEqual(
      clean.body.net_due_to_merchant.map(([currency, amount]: string[]) => `${amount} ${currency}`),
    );
    expect((await get(app, `invoices/${numbers[2]}/`)).status).toBe(200);
    expect((await walk(app, 'invoices/?')).numbers).toEqual(numbers);
  });

  test.each(RESULT_SHAPES)('an incomplete month states one more than it brings: %s', async (shape) => {
    const app = await serve('incomplete=2026-09', shape);
    const [september, october] = [
      await walk(app, 'invoices/?year=2026&month=9&'),
      await walk(app, 'invoices/?year=2026&month=10&'),
    ];
    expect([september.count - september.numbers.length, october.count - october.numbers.length]).toEqual([1, 0]);
  });

  test.each(RESULT_SHAPES)('pages are as long as they are asked to be, up to the limit: %s', async (shape) => {
    const app = await serve('page-size=2000', shape);
    const { body } = await get(app, 'orders/?page_size=5000');
    const { count, items } = unwrap(body);
    expect([items.length, body.next]).toEqual([count, null]);
    const narrow = await serve('page-size=101', shape);
    const first = unwrap((await get(narrow, 'orders/?page_size=101')).body);
    expect(first.items).toEqual(items.slice(0, 101));
    expect(unwrap((await get(narrow, 'orders/')).body).items).toHaveLength(20);
  });

  test('an endless order book has a next page after every page, and no id twice', async () => {
    const app = await serve('endless=orders');
    const seen: string[] = [];
    let next: string | null = 'orders/?page_size=30';
    for (let page = 1; page <= 7; page++) {
      const { body } = await get(app, String(next).replace(/^.*external\//, ''));
      expect(body.count).toBe(60);
      seen.push(...body.results.map(({ order_id }: { order_id: string }) => order_id));
      next = body.next;
      expect(next).toContain(`page=${page + 1}`);
    }
    expect(seen).toHaveLength(7 * 30);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('an order nests as deep as it is told', async () => {
    const app = await serve('deep=20000');
    const answer = await app.inject({ url: '/v1/external/orders/', headers: { 'x-api-key': key } });
    expect(answer.payload.includes('['.repeat(20_000) + ']'.repeat(20_000))).toBe(true);
    expect(JSON.parse(answer.payload.replace(/\[{1000,}\]+/, 'null')).results).toHaveLength(20);
  });

  test('a bomb is small on the wire and unpacks to what was asked for', async () => {
    const app = await serve('bomb=5');
    const answer = await app.inject({ url: '/v1/external/orders/', headers: { 'x-api-key': key } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.rawPayload.length).toBeLessThan(20_000);
    const text = gunzipSync(answer.rawPayload);
    expect(Math.round(text.length / 2 ** 20)).toBe(5);
    expect(JSON.parse(text.toString()).count).toBe(1);
  });

  test('an echo repeats the key, in the profile alone', async () => {
    const app = await serve('echo=key');
    expect((await get(app, 'profile/')).body.organisation_name).toBe(`Account of ${key}`);
    expect(JSON.stringify((await get(app, 'orders/')).body)).not.toContain(key);
  });

  test('without faults nothing is touched, and a key is still asked for', async () => {
    const app = await serve('latency=0,drift=0.5,vanish=0.5,restate=0.5');
    expect((await app.inject({ url: '/v1/external/invoices/' })).statusCode).toBe(401);
    expect((await get(app, 'orders/?page_size=100')).body).toEqual(
      (await get(await serve(null), 'orders/?page_size=100')).body,
    );
  });
});

test('a plan that is spent answers 429 until its minute or month ends', async () => {
  const clock = { now: new Date('2026-10-30T23:59:30Z') };
  const app = await buildApp({
    store,
    results: 'flat',
    now: () => clock.now,
    faults: parseFaults('per-minute=2,per-month=5'),
  });
  running = app;
  const ask = async () => {
    const { status, headers } = await get(app, 'profile/');
    return status === 200 ? 200 : `${status} ${headers['retry-after']}`;
  };
  const asked = [];
  for (let count = 0; count < 3; count += 1) asked.push(await ask());
  expect(asked).toEqual([200, 200, '429 30']);
  clock.now = new Date('2026-10-31T00:00:00Z');
  expect([await ask(), await ask()]).toEqual([200, 200]);
  clock.now = new Date('2026-10-31T23:00:00Z');
  expect(await ask()).toBe('429 3600');
  clock.now = new Date('2026-11-01T00:00:00Z');
  expect(await ask()).toBe(200);
});
