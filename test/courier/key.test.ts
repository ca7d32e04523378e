import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/base/errors.ts';
import { withoutKey } from '../../src/courier/mask-key.ts';
import { API_KEY, against, answerJson, failureOf, listItem, PROFILE, SHAPES, usingClient } from './support.ts';

const everything = (value: unknown) => inspect(value, { depth: 20, showHidden: true, getters: true });

test('every request carries the key, and says who asks and what is understood', async () => {
  await against(
    (response) => answerJson(response, PROFILE),
    async (client, { seen }) => {
      await client.profile();
      expect(seen[0]?.headers).toMatchObject({
        'x-api-key': API_KEY,
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': expect.stringMatching(/^remit\/\d+\.\d+\.\d+$/),
      });
      expect(seen[0]?.url).not.toContain(API_KEY);
    },
  );
});

test('looking into the client does not show the key', async () => {
  await against(
    (response) => answerJson(response, PROFILE),
    async (client) => {
      await client.profile();
      expect(everything(client)).not.toContain(API_KEY);
      expect(JSON.stringify(client)).not.toContain(API_KEY);
    },
  );
});

test('no error shows the key, though the server sends it back', async () => {
  const long = `${'x'.repeat(50)}${API_KEY}`;
  const bodies: [number, unknown][] = [
    [400, { message: `Key ${API_KEY}`, details: { key: API_KEY } }],
    [400, { message: 'x'.repeat(490) + API_KEY }],
    [404, { message: API_KEY }],
    [500, { details: encodeURIComponent(API_KEY) }],
    [401, { message: API_KEY }],
    [200, { organisation_name: [API_KEY], brand: { key: API_KEY } }],
    [200, { organisation_name: 'x', brand: 1, logo_url: API_KEY }],
    [302, {}],
    [200, SHAPES.flat([listItem(1, { cod: [['USD', API_KEY]] }), listItem(2, { cod: [['USD', long]] })], 1, null)],
    [200, SHAPES.flat([], 1, `http://elsewhere.example/${API_KEY}`)],
    [200, { results: API_KEY }],
  ];
  for (const [status, body] of bodies) {
    await against(
      (response) => answerJson(response, body, status, { location: `https://${API_KEY}.example/${API_KEY}` }),
      async (client) => {
        const results = await Promise.allSettled([client.profile(), client.orders(), client.invoices()]);
        for (const result of results) {
          if (result.status === 'rejected') {
            const { message, stack, hint, cause } = result.reason;
            for (const text of [message, stack, hint, everything(cause)]) expect(text).not.toContain(API_KEY);
            expect(message).not.toContain(API_KEY.slice(0, 8));
          } else if ('items' in result.value) {
            for (const item of result.value.items) {
              if (!item.ok) expect(`${item.fault.message} ${item.fault.stack}`).not.toContain(API_KEY.slice(0, 8));
            }
          }
        }
      },
    );
  }
});

test('nor does an error of the network', async () => {
  for (const baseUrl of ['http://127.0.0.1:9/', 'https://no-such-host.invalid/']) {
    const error = await usingClient(baseUrl, (client) => failureOf(client.profile()), { maxAttempts: 1 });
    expect(everything(error)).not.toContain(API_KEY);
  }
});

test('nor does a stack that was read before', () => {
  const error = new ApiError(`it said ${API_KEY}`, '');
  expect(error.stack).toContain(API_KEY);
  expect(everything(withoutKey(error, API_KEY))).not.toContain(API_KEY);
});

test('the address of a page does not show the key, though the server named it with the key in it', async () => {
  await against(
    (response, { url }) =>
      answerJson(
        response,
        SHAPES.flat(
          [listItem(url.includes('page=2') ? 2 : 1)],
          2,
          url.includes('page=2') ? null : `?page=2&k=${API_KEY}`,
        ),
      ),
    async (client) => {
      const pages: string[] = [];
      await client.walkInvoices({ year: 2026, month: 10 }, (page) => void pages.push(page.url));
      expect(pages).toHaveLength(2);
      expect(pages.join()).not.toContain(API_KEY);
    },
  );
});
