import { request } from 'node:http';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { createOperatorKey } from '../../../src/sandbox/store/merchants.ts';
import { newFile, orderBody, runService } from './support.ts';

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A request with any headers, which `fetch` would not send. */
function raw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

/** Bytes sent as they are, and all that came back. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

const places = (url: string, order: string) =>
  ['profile/', 'orders/', `/track/${order}/`, '/brand/1/logo.png', '/docs', '/openapi.json', '/nowhere'].map(
    (at) => new URL(at, url).href,
  );

async function placed(): Promise<Awaited<ReturnType<typeof runService>> & { order: string }> {
  const service = await runService();
  const { body } = await service.post('orders/', orderBody(service.pickup));
  return { ...service, order: body.order_id };
}

test.each(['evil.example', 'evil.example:4010', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', '::1'])(
  'a request for the host %s is not for this service: 421, whatever the path',
  async (host) => {
    const { url, key, order } = await placed();
    for (const place of places(url, order)) {
      const { status, text } = await raw(place, { host, 'x-api-key': key });
      expect([place, [400, 421].includes(status)]).toEqual([place, true]);
      expect(JSON.parse(text)).toMatchObject({ error: 'true', details: expect.stringMatching(/^Host: /) });
      expect(text).not.toContain(order);
    }
  },
);

test.each(['localhost', 'LOCALHOST:9', 'shop.localhost', '127.0.0.1', '127.9.9.9:80', '[::1]:4010', 'localhost.'])(
  'the host %s is this machine, at any port',
  async (host) => {
    const { url, key } = await runService();
    expect((await raw(`${url}profile/`, { host, 'x-api-key': key })).status).toBe(200);
  },
);

test('a request without a host, or with one that is none, is 400 in the error form', async () => {
  const { url, key } = await runService();
  const line = `GET /v1/external/profile/ HTTP/1.1\r\nX-Api-Key: ${key}\r\nConnection: close\r\n`;
  for (const host of ['', 'Host: \r\n', 'Host: a b\r\n', 'Host: x/y\r\n']) {
    const answer = await exchange(url, `${line}${host}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Host: A host is required.');
  }
});

test('--host gives the service its name; listening everywhere, any plain address and the machine are taken', async () => {
  const { file, key } = newFile();
  const running = await startSandbox({ file, port: 0, host: '0.0.0.0', results: 'flat' });
  onTestFinished(() => running.close());
  const statusOf = async (host: string) => (await raw(`${running.url}profile/`, { host, 'x-api-key': key })).status;
  for (const host of ['localhost', '192.168.1.20:4010', '[fe80::1]', hostname()])
    expect(await statusOf(host)).toBe(200);
  for (const host of ['evil.example', '0.0.0.0.evil.example']) expect(await statusOf(host)).toBe(421);
});

const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': expect.stringMatching(/^default-src 'none'; frame-ancestors 'none'; /),
};

test('every answer forbids sniffing, framing and loading what it does not name', async () => {
  const { url, key, order } = await placed();
  for (const place of places(url, order)) {
    for (const own of [key, 'wrong']) {
      const { headers } = await raw(place, { 'x-api-key': own });
      expect({ place, ...headers }).toMatchObject({ place, ...SAFE });
    }
  }
  const badPath = await raw(new URL('/v1/external/%c0/', url).href);
  expect(badPath).toMatchObject({ status: 404, headers: SAFE });
  expect(await exchange(url, 'no HTTP at all\r\n\r\n')).toMatch(/X-Content-Type-Options: nosniff\r\n/i);
});

test('pages load their own style and scripts, nothing inline and nothing from elsewhere', async () => {
  const { url, order } = await placed();
  const policyOf = ({ headers }: Raw) => String(headers['content-security-policy']);
  const docs = await raw(new URL('/docs', url).href);
  expect(policyOf(docs)).toContain("script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'");
  expect(docs.text).not.toMatch(/<script>|<style|\son\w+=|https?:\/\//);
  const initializer = await raw(new URL('/docs/static/swagger-initializer.js', url).href);
  expect(initializer.text).toMatch(/validatorUrl"?:\s*null/);

  const tracking = await raw(new URL(`/track/${order}/`, url).href);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(tracking.text) ?? [];
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64');
  expect(policyOf(tracking)).toContain(`style-src 'sha256-${digest}'`);
  expect(policyOf(tracking)).not.toMatch(/script-src|unsafe/);
});

test("the operator's port is as careful: loopback hosts only, its own key, the same headers", async () => {
  const { file, store, key } = newFile();
  const running = await startSandbox({ file, port: 0, host: '0.0.0.0', results: 'flat', operatorPort: 0 });
  onTestFinished(() => running.close());
  const operatorUrl = running.operatorUrl ?? '';
  const own = createOperatorKey(store, new Date());
  expect(new URL(operatorUrl).hostname).toBe('127.0.0.1');
  const elsewhere = await raw(operatorUrl, { host: 'evil.example', 'x-operator-key': own });
  expect(elsewhere).toMatchObject({ status: 421, headers: SAFE });
  expect((await raw(operatorUrl, { host: '192.168.1.20', 'x-operator-key': own })).status).toBe(421);
  expect(await raw(operatorUrl, { 'x-api-key': key })).toMatchObject({ status: 401, headers: SAFE });
  expect(await raw(operatorUrl, { 'x-operator-key': own })).toMatchObject({ status: 404, headers: SAFE });
});
