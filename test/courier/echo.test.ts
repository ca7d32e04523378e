import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContractError } from '../../src/base/errors.ts';
import { maskBody } from '../../src/courier/mask-key.ts';
import { API_KEY, against, failureOf, listItem, PROFILE, SHAPES } from './support.ts';

const STARS = '*'.repeat(API_KEY.length);

/** The key with every character as JSON may escape it. */
const escaped = [...API_KEY].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
const percent = [...API_KEY].map((c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).join('');

const json = (body: string | Buffer, headers = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

describe('the key, sent back by the server,', () => {
  test.each([
    ['plain', API_KEY],
    ['with escapes', escaped],
    ['with some escapes', `\\u006${API_KEY[0] === 'k' ? 'b' : ''}${API_KEY.slice(1)}`],
    ['percent-encoded', percent],
  ])('%s is in nothing that leaves the client', async (_, form) => {
    const body = `{"organisation_name":"${form}","brand":"a ${form}, b ${form}","x-${form}":[{"deep":"${form}"}],"logo_url":"https://x.example/?k=${form}"}`;
    const warnings: string[] = [];
    for (const { headers, body: sent } of [json(body), json(gzipSync(body), { 'content-encoding': 'gzip' })]) {
      await against(
        (response) => response.writeHead(200, { ...headers, 'x-echo': API_KEY }).end(sent),
        async (client) => {
          const answer = await client.profile();
          await client.profile();
          expect(answer.value.organisation_name).toMatch(/^\*+$/);
          expect(JSON.parse(answer.body.toString())).toEqual(answer.value);
          expect(answer.body.length).toBe(body.length);
          expect(inspect(answer, { depth: 9 }) + answer.body.toString()).not.toContain(API_KEY);
        },
        { onWarning: (message) => warnings.push(message) },
      );
    }
    // Once a client, and without the key.
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/^127\S+ sends the API key back in its answers \(first in GET \S+profile\/\); stars/);
    expect(warnings.join()).not.toContain(API_KEY);
  });

  test('is in no page, item, address or next of a walk', async () => {
    const next = `?page=2&key=${API_KEY}`;
    const rows = [listItem(1, { status: API_KEY }), listItem(2, { number: API_KEY })];
    const asked: string[] = [];
    await against(
      (response, { url }) => {
        asked.push(url);
        const page = url.includes('page=2') ? SHAPES.flat([listItem(3)], 3, null) : SHAPES.flat(rows, 3, next);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
      },
      async (client) => {
        const pages: unknown[] = [];
        const walk = await client.walkInvoices({ year: 2026, month: 10 }, (page) => {
          pages.push(page, page.body.toString());
        });
        expect(walk).toMatchObject({ complete: true, seenCount: 3 });
        expect(inspect(pages, { depth: 20, maxStringLength: null })).not.toContain(API_KEY);
      },
    );
    expect(asked[1]).toContain(`key=${STARS}`);
  });

  test.each([
    ['no JSON', 'text/html', `<h1>${API_KEY}</h1>`],
    ['another shape', 'application/json', `["${API_KEY}"]`],
  ])('is not in the body of an error (%s)', async (_, type, body) => {
    await against(
      (response) => response.writeHead(200, { 'content-type': type }).end(body),
      async (client) => {
        const error = (await failureOf(client.profile())) as ContractError;
        expect(error).toBeInstanceOf(ContractError);
        expect(error.body?.toString()).toBe(body.replace(API_KEY, STARS));
        expect(inspect(error, { depth: 9 })).not.toContain(API_KEY);
      },
    );
  });
});

test('an answer without the key comes as it was received, and nothing is said', async () => {
  const warnings: string[] = [];
  const body = JSON.stringify({ ...PROFILE, brand: 'ليلى % \\u006b', x: API_KEY.slice(0, -1) });
  await against(
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    async (client) => expect((await client.profile()).body.toString()).toBe(body),
    { onWarning: (message) => warnings.push(message) },
  );
  expect(warnings).toEqual([]);
});

describe('maskBody', () => {
  const key = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: 8,
    maxLength: 40,
  });

  test('leaves JSON that says the same, without the key, whatever the key and the text', () => {
    fc.assert(
      fc.property(key, fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (apiKey, before, after) => {
        fc.pre(!(before + after).includes(apiKey) && !`${before}${'*'.repeat(apiKey.length)}${after}`.includes(apiKey));
        const body = Buffer.from(JSON.stringify({ text: before + apiKey + after }));
        const masked = maskBody(body, apiKey);
        const { text } = JSON.parse(masked.toString()) as { text: string };
        expect(text).not.toContain(apiKey);
        expect(text.startsWith(before)).toBe(true);
        expect(text.endsWith(after)).toBe(true);
        expect(text.slice(before.length, text.length - after.length)).toMatch(/^\*+$/);
      }),
    );
  });

  test('does not touch what was received, and makes no copy where there is nothing to hide', () => {
    const body = Buffer.from(`{"a":"${API_KEY}"}`);
    const copy = Buffer.from(body);
    expect(maskBody(body, API_KEY)).not.toBe(body);
    expect(body).toEqual(copy);
    expect(maskBody(body, 'another-key')).toBe(body);
  });

  test('a key that could be part of any amount is left: figures are never touched', () => {
    const body = Buffer.from('{"cod":[["USD","1234567.00"]]}');
    expect(maskBody(body, '1234567')).toBe(body);
  });
});
