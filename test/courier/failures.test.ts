import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ApiError, AuthError, ConfigError, ContractError, UsageError } from '../../src/base/errors.ts';
import { createClient } from '../../src/courier/index.ts';
import { API_KEY, against, answerJson, failureOf, PROFILE, usingClient, usingServer } from './support.ts';

describe('an answer that no retry cures stops at once', () => {
  test.each([401, 403])('%i: the key is refused', async (status) => {
    await against(
      (response) => answerJson(response, {}, status),
      async (client, { seen }) => {
        const error = await failureOf(client.profile());
        expect(error).toBeInstanceOf(AuthError);
        expect(error.message).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ refused the API key \\(${status}\\)$`));
        expect(error.hint).toMatch(/REMIT_API_KEY.*api_key_file.*dashboard settings, in the API keys section/);
        expect(error.status).toBe(status);
        expect(seen).toHaveLength(1);
      },
    );
  });

  test.each([
    [
      400,
      { error: 'true', message: 'Validation failed.', details: 'workflow: "X" is not a valid choice.' },
      'was refused with 400: Validation failed. (workflow: "X" is not a valid choice.)',
    ],
    [400, { error: true, message: 'Validation failed.', details: { phone: ['taken'] } }, '({"phone":["taken"]})'],
    [
      404,
      { error: 'true', message: 'Resource not found.', details: 'not found' },
      'was not found: Resource not found.',
    ],
    [413, { detail: 'too large' }, 'was refused with 413: too large'],
    [405, 'just text', 'was refused with 405'],
  ])('%i carries what the service said', async (status, body, message) => {
    await against(
      (response) => answerJson(response, body, status),
      async (client, { seen }) => {
        const error = await failureOf(client.order('A1'));
        expect(error).toBeInstanceOf(ApiError);
        expect(error).not.toBeInstanceOf(AuthError);
        expect(error.status).toBe(status);
        expect(error.message).toContain(message);
        expect(seen).toHaveLength(1);
      },
    );
  });

  test('what the service said stays on one line, cut, with nothing that a terminal obeys', async () => {
    await against(
      (response) => answerJson(response, { message: `\u001b[31mred\u009b0m\u202e\nline two${'x'.repeat(9999)}` }, 400),
      async (client) => {
        const { message } = await failureOf(client.profile());
        expect(message).toContain('␛[31mred�0m line two');
        expect(message.length).toBeLessThan(700);
      },
    );
  });

  test.each([
    [
      'text/html; charset=utf-8',
      '<!doctype html><title>Dashboard</title>',
      'answered HTML, not JSON: is the base URL right (it ends in /v1/external/)?',
    ],
    ['text/plain', 'pong', 'answered text/plain, not JSON: is the base URL right'],
  ])('%s instead of JSON', async (type, body, message) => {
    await against(
      (response) => response.writeHead(200, { 'content-type': type }).end(body),
      async (client, { seen }) => {
        const error = await failureOf(client.profile());
        expect(error).toBeInstanceOf(ContractError);
        expect(error.message).toContain(message);
        expect((error as ContractError).body?.toString()).toBe(body);
        expect(seen).toHaveLength(1);
      },
    );
  });

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed, not even on the same host', async (status) => {
    await usingServer(
      (response) => answerJson(response, PROFILE),
      async (other) => {
        for (const location of [`${other.origin}/v1/external/profile/?a=b`, '/v1/external/profile/']) {
          await against(
            (response) => response.writeHead(status, { location }).end(),
            async (client, { seen }) => {
              const error = await failureOf(client.profile());
              expect(error).toBeInstanceOf(ApiError);
              expect(error.message).toMatch(
                /answered 30\d, a redirect to http:\S+\/v1\/external\/profile\/; it was not followed/,
              );
              expect(seen).toHaveLength(1);
            },
          );
        }
        expect(other.seen).toEqual([]);
      },
    );
  });

  test('a compression that was not asked for', async () => {
    await against(
      (response) => answerJson(response, PROFILE, 200, { 'content-encoding': 'br' }),
      async (client) => {
        const error = await failureOf(client.profile());
        expect(error).toBeInstanceOf(ContractError);
        expect(error.message).toContain('in a compression that was not asked for');
      },
    );
  });
});

describe('a server that cannot be spoken to', () => {
  test('a host that does not exist', async () => {
    const error = await usingClient('https://no-such-host.invalid/v1/external/', (client) =>
      failureOf(client.profile()),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain('no-such-host.invalid');
    expect(error.hint).toMatch(/network connection.*base URL/);
    expect(error.status).toBeNull();
  });

  test('https where http is spoken', async () => {
    await usingServer(
      (response) => answerJson(response, PROFILE),
      async ({ origin }) => {
        const error = await usingClient(origin.replace('http:', 'https:'), (client) => failureOf(client.profile()));
        expect(error).toBeInstanceOf(ApiError);
        expect(error.message).toMatch(/^127\.0\.0\.1:\d+ does not speak https \(\w+\)/);
        expect(error.hint).toContain('write http://');
        expect(error.cause).toBeInstanceOf(Error);
      },
    );
  });

  test('something that is not HTTP', async () => {
    const server = net.createServer((socket) => socket.once('data', () => socket.end('220 mail ready\r\n')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const error = await usingClient(`http://127.0.0.1:${port}/`, (client) => failureOf(client.profile()));
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ answered something that is not HTTP \(NOT_HTTP\)/);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('answers that are read although they are unusual', () => {
  test.each([
    ['gzip', { 'content-encoding': 'gzip', 'content-type': 'application/json' }, gzipSync(JSON.stringify(PROFILE))],
    ['a byte order mark', { 'content-type': 'application/json' }, `\ufeff${JSON.stringify(PROFILE)}`],
    ['no content type', {}, JSON.stringify(PROFILE)],
    ['a vendor content type', { 'content-type': 'application/vnd.api+json' }, JSON.stringify(PROFILE)],
    ['JSON said to be text', { 'content-type': 'text/plain' }, JSON.stringify(PROFILE)],
  ])('%s', async (_, headers, body) => {
    await against(
      (response) => response.writeHead(200, headers).end(body),
      async (client) => {
        const answer = await client.profile();
        expect(answer.value).toEqual(PROFILE);
        expect(JSON.parse(answer.body.toString().replace('\ufeff', ''))).toEqual(PROFILE);
      },
    );
  });

  test.each([200, 202, 204])('request-pickup and cancel without a body (%i)', async (status) => {
    await against(
      (response) => response.writeHead(status).end(),
      async (client) => {
        expect(await client.requestPickup('A1')).toMatchObject({ value: null, status });
        expect(await client.cancelOrder('A1')).toMatchObject({ value: null, status });
      },
    );
  });
});

describe('settings that cannot work are refused before anything is sent', () => {
  test.each([
    ['not a url', /^the base URL "not a url" is not an http or https address$/],
    ['ftp://example.com/', /is not an http or https address/],
    ['ftp://example.com/?key=s3cret', /^the base URL "ftp:\/\/example.com\/\?…" is not an http or https address$/],
    ['https://me:s3cret@example.com/v1/', /^the base URL of example.com holds a user name or password$/],
    ['me:s3cret@example.com', /^the base URL is not an http or https address$/],
    ['https://example.com/v1/?key=s3cret', /^the base URL of example.com has something after its path/],
  ])('base URL %s', (baseUrl, message) => {
    const make = () => createClient({ baseUrl, apiKey: API_KEY });
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/s3cret/);
  });

  test.each(['', 'two words', 'line\nend', 'مفتاح'])('key %j', (apiKey) => {
    const make = () => createClient({ baseUrl: 'https://example.com/', apiKey });
    expect(make).toThrow(ConfigError);
    if (apiKey !== '') expect(make).not.toThrow(apiKey);
  });

  test('what a program read from an environment that lacks it', () => {
    const make = (options: object) => () => createClient(options as never);
    expect(make({ apiKey: API_KEY })).toThrow('there is no base URL');
    expect(make({ baseUrl: 'https://example.com/', apiKey: undefined })).toThrow('there is no API key');
  });

  test.each([{ concurrency: 0 }, { maxAttempts: 1.5 }, { timeoutMs: Number.NaN }, { deadlineMs: -1 }, { pageSize: 0 }])(
    '%j',
    (option) => {
      expect(() => createClient({ baseUrl: 'https://example.com/', apiKey: API_KEY, ...option })).toThrow(ConfigError);
    },
  );

  test.each(['', '.', '..'])('an order id %j, which would lead to another path', async (id) => {
    await against(
      (response) => answerJson(response, PROFILE),
      async (client, { seen }) => {
        expect(await failureOf(client.order(id))).toBeInstanceOf(UsageError);
        expect(seen).toEqual([]);
      },
    );
  });

  test('an order id with signs of its own stays one part of the path', async () => {
    await against(
      (response) => answerJson(response, {}, 404),
      async (client, { seen }) => {
        await failureOf(client.order('../a b/ç?x=1#y'));
        expect(seen[0]?.url).toBe('/v1/external/orders/..%2Fa%20b%2F%C3%A7%3Fx%3D1%23y/');
      },
    );
  });
});
