import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvoiceListItem, Order, ReducedArea } from '../../src/api/wire.ts';
import { ContractError } from '../../src/base/errors.ts';
import { decodeList } from '../../src/courier/index.ts';
import { against, answerJson, failureOf, listItem, SHAPES, usingClient, usingServer } from './support.ts';

/** Text as people write it: Arabic, emoji, quotes, line breaks, formulas, controls. */
const text = fc.oneof(
  // The API's examples hold these as text, and they are read as what they say.
  fc.string({ unit: 'grapheme' }).filter((one) => !['null', 'true', 'false'].includes(one)),
  fc.constantFrom('بيت الزيتون', '👩‍👩‍👧 "طلب"', "O'Brien\n\ttab", '=1+1', '\u0000\u202e', '</script>'),
);
const orders = fc.array(
  fc.record({
    order_id: text.filter((id) => id !== ''),
    reference_id: text,
    workflow: text,
    delivery_state: text,
    payment_state: text,
    notes: fc.option(text),
    cod: fc.array(fc.tuple(fc.constantFrom('USD', 'LBP', 'usdt'), fc.constantFrom('0.00', '-12.50', '900000.00')), {
      maxLength: 3,
    }),
  }),
  { maxLength: 5 },
);

describe.each(Object.entries(SHAPES))('results as %s', (_, wrap) => {
  test('any items come out as they went in, with count and next', () => {
    fc.assert(
      fc.property(orders, fc.nat(), fc.option(fc.webUrl()), (items, count, next) => {
        const list = decodeList(Order, JSON.parse(JSON.stringify(wrap(items, count, next))));
        expect(list.items.map((item) => item.ok && item.value)).toEqual(items);
        expect(list.items.map((item) => item.index)).toEqual(items.map((_item, index) => index));
        expect(list).toMatchObject({ count, next });
      }),
    );
  });

  test('over HTTP, with text of every kind', async () => {
    const items = [listItem(1, { status_display: 'مدفوعة 💸 "نعم"\n=HYPERLINK("x")' }), listItem(2)];
    await against(
      (response) => answerJson(response, wrap(items, 2, null)),
      async (client) => {
        const page = await client.invoices({ year: 2026, month: 10 });
        expect(page.items.map((item) => item.ok && item.value)).toEqual(items);
        expect(JSON.parse(page.body.toString())).toEqual(wrap(items, 2, null));
        expect(page).toMatchObject({ count: 2, next: null, status: 200 });
      },
    );
  });
});

test('a bad item is a fault of its own, named by where it stands, and the others are read', () => {
  const items = [listItem(1), { ...listItem(2), cod: [['USD', '1,0']] }, listItem(3), 'x'];
  const places = { flat: 'results', array: 'results[0]', wrapper: 'results[0].results', object: 'results.results' };
  for (const [shape, wrap] of Object.entries(SHAPES)) {
    const { items: read } = decodeList(InvoiceListItem, wrap(items, 4, null));
    expect(read.map(({ ok }) => ok)).toEqual([true, false, true, false]);
    const messages = read.map((item) => (item.ok ? '' : item.fault.message));
    const place = places[shape as keyof typeof places];
    expect(messages[1]).toBe(`${place}[1].cod[0][1]: "1,0" is not a decimal amount`);
    expect(messages[3]).toBe(`${place}[3]: expected object, got string "x"`);
    expect(read[1]?.raw).toBe(items[1]);
  }
});

test.each([
  ['bare', [{ id: 1 }, { id: 2 }], 2],
  ['bare and empty', [], 0],
  ['nested', [[{ id: 1 }, { id: 2 }]], 2],
  ['nested and empty', [[]], 0],
  ['nested in two', [[{ id: 1 }], [{ id: 2 }]], 2],
  ['wrapped', { results: [{ id: 1 }] }, 1],
  ['wrapped and nested', { results: [[{ id: 1 }]] }, 1],
  ['in a list of one wrapper', [{ count: 1, next: null, previous: null, results: [{ id: 1 }] }], 1],
])('a flat list that is %s', async (_, document, length) => {
  await against(
    (response) => answerJson(response, document),
    async (client) => {
      const { items } = await client.areas();
      expect(items.map((item) => item.ok)).toEqual(Array(length).fill(true));
    },
  );
});

test('a list among objects is a bad item, not a nested list', () => {
  const { items } = decodeList(ReducedArea, { results: [{ id: 1 }, [{ id: 2 }]] });
  expect(items.map(({ ok }) => ok)).toEqual([true, false]);
});

test("the outer wrapper's count and next go before the inner one's", () => {
  const inner = { count: 1, next: 'inner', results: [] };
  expect(decodeList(Order, { count: 5, next: 'outer', results: [inner] })).toMatchObject({ count: 5, next: 'outer' });
  expect(decodeList(Order, { results: inner })).toMatchObject({ count: 1, next: 'inner' });
  expect(decodeList(Order, { count: null, next: '', results: [inner] })).toMatchObject({ count: 1, next: 'inner' });
});

test.each([
  ['an object without results', { detail: 'hello' }, 'expected a list, got object without results'],
  ['a text', 'hello', 'expected a list, got string "hello" without results'],
  ['results that are null', { results: null }, 'results: expected array, got null'],
  ['inner results that are null', { results: { results: 7 } }, 'results.results: expected array, got number 7'],
  ['a count that is a text', { count: '3', results: [] }, 'count: expected the number of items, got string "3"'],
  ['a count below zero', { count: -1, results: [] }, 'count: expected the number of items, got number -1'],
  ['a next that is a number', { next: 2, results: [] }, 'next: expected string or null, got number 2'],
])('%s is no list', async (_, document, message) => {
  await against(
    (response) => answerJson(response, document),
    async (client) => {
      const error = await failureOf(client.orders());
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toBe(message);
      expect((error as ContractError).body?.toString()).toBe(JSON.stringify(document));
    },
  );
});

describe('next', () => {
  test.each([
    ['relative', (_: string) => '?page=2', '/v1/external/invoices/?page=2'],
    ['a path', (_: string) => '/v1/external/invoices/?page=2&x=1', '/v1/external/invoices/?page=2&x=1'],
    ['absolute', (origin: string) => `${origin}/other/?page=2#top`, '/other/?page=2'],
  ])('%s is followed as given', async (_, next, expected) => {
    await usingServer(
      (response, { headers, url }) =>
        answerJson(
          response,
          SHAPES.flat(
            [listItem(url === expected ? 2 : 1)],
            2,
            url === expected ? null : next(`http://${headers.host}`),
          ),
        ),
      async ({ baseUrl, seen }) => {
        const walk = await usingClient(baseUrl, (client) => client.walkInvoices({ year: 2026, month: 10 }, () => {}));
        expect(walk).toEqual({ complete: true, statedCount: 2, seenCount: 2, walks: 1 });
        expect(seen.map(({ url }) => url)).toEqual([
          '/v1/external/invoices/?year=2026&month=10&page_size=100',
          expected,
        ]);
      },
    );
  });

  test('on another origin, it is not asked and the key does not go there', async () => {
    await usingServer(
      (response) => answerJson(response, SHAPES.flat([], 0, null)),
      async (other) => {
        const { port } = new URL(other.origin);
        for (const next of [
          `${other.origin}/v1/external/invoices/?page=2`,
          `http://localhost:${port}/`,
          `//127.0.0.1:${port}/x`,
        ]) {
          await against(
            (response) => answerJson(response, SHAPES.flat([listItem(1)], 2, next)),
            async (client, server) => {
              const error = await failureOf(client.walkInvoices({ year: 2026, month: 10 }, () => {}));
              expect(error).toBeInstanceOf(ContractError);
              expect(error.message).toMatch(/^the next page of .* is said to be at http:\/\/.*, not at http:\/\/127/);
              expect(error.message).toContain(server.origin);
              expect(server.seen).toHaveLength(1);
            },
          );
        }
        expect(other.seen).toEqual([]);
      },
    );
  });

  test.each([
    ['https://{host}/v1/', /is said to be at https:/],
    ['http://user:pw@{host}/', /^the next page of http:\S+ has a user name or password in its address; it was not/],
    ['ftp://{host}/', /is said to be at ftp:/],
    ['http://[?key=pw', /is said to be at "http:\/\/\[\?…", not at http:/],
    ['javascript:alert(1)', /is said to be at javascript:/],
  ])('%s is refused', async (next, what) => {
    await against(
      (response, { headers }) => answerJson(response, SHAPES.flat([], 0, next.replace('{host}', headers.host ?? ''))),
      async (client, server) => {
        const error = await failureOf(client.orders());
        expect(error).toBeInstanceOf(ContractError);
        expect(error.message).toMatch(what);
        expect(error.message).toContain('it was not asked for');
        expect(error.message).not.toContain('pw');
        expect(server.seen).toHaveLength(1);
      },
    );
  });
});

describe('of two counts, the one of the whole list holds', () => {
  const items = [listItem(1), listItem(2), listItem(3)];
  const inner = (count: number | null) => ({ count, next: null, previous: null, results: items });
  test.each([
    ['the outer counts the wrapper inside it', { count: 1, results: [inner(250)] }, 250],
    ['the outer counts the one wrapper of an empty list', { count: 1, results: [{ ...inner(0), results: [] }] }, 0],
    ['the outer counts the wrapper object', { count: 1, results: inner(250) }, 250],
    ['the inner counts its page', { count: 250, results: [inner(3)] }, 250],
    ['both say the same', { count: 3, results: inner(3) }, 3],
    ['the inner says nothing', { count: 250, results: [inner(null)] }, 250],
    ['the outer says nothing', { count: null, results: [inner(250)] }, 250],
    ['neither says anything', { results: [inner(null)] }, null],
  ])('%s', (_, document, count) => {
    expect(decodeList(InvoiceListItem, document).count).toBe(count);
  });
});
