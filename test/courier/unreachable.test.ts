import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/base/errors.ts';
import { temporaryFolder } from '../helpers/sync.ts';
import { failureOf, usingClient } from './support.ts';

const servers: Server[] = [];

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** What a profile request fails with, after one attempt. */
async function failure(baseUrl: string): Promise<ApiError> {
  const error = await usingClient(baseUrl, (client) => failureOf(client.profile()), { maxAttempts: 1 });
  expect(error).toBeInstanceOf(ApiError);
  expect(error.hint).toMatch(/^[A-Z].*\.$/);
  return error as ApiError;
}

/** A certificate for `name`, made here; skips the test where there is no openssl. */
function certificate(name: string, ...flags: string[]): { key: Buffer; cert: Buffer } | null {
  const folder = temporaryFolder();
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    `/CN=${name}`,
  ];
  try {
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert, ...flags], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

describe('each way of not being reached has its own sentence, its remedy and its cause', () => {
  test('https to a port of plain http says that, not a word of certificates', async () => {
    const port = await listening(http.createServer((_, response) => response.end('{}')));
    const error = await failure(`https://127.0.0.1:${port}/`);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ does not speak https \(\w+\): GET \S+ failed$/);
    expect(error.hint).toContain('http://');
    expect(`${error.message} ${error.hint}`).not.toMatch(/certificate/i);
    expect(error.cause).toMatchObject({ code: expect.stringMatching(/SSL/) });
  });

  test('http to a port of https', async () => {
    const made = certificate('127.0.0.1', '-days', '2');
    if (made === null) return;
    const port = await listening(https.createServer(made));
    expect((await failure(`http://127.0.0.1:${port}/`)).message).toMatch(/not HTTP|broke before the answer was whole/);
  });

  test('a certificate that nobody vouches for', async () => {
    const made = certificate('127.0.0.1', '-days', '2');
    if (made === null) return;
    const port = await listening(https.createServer(made));
    const error = await failure(`https://127.0.0.1:${port}/`);
    expect(error.message).toMatch(/^the certificate of 127\S+ comes from nobody whom this machine trusts \(\w+\)/);
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('a name that is not known', async () => {
    const error = await failure('http://no-such-host.invalid/');
    expect(error.message).toMatch(
      /^the (host no-such-host\.invalid is not known|name of no-such-host\.invalid could not be looked up)/,
    );
    expect(error.cause).toMatchObject({ hostname: 'no-such-host.invalid' });
  });

  test('a port where nobody listens', async () => {
    const port = await listening(net.createServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const error = await failure(`http://127.0.0.1:${port}/`);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ refuses connections \(ECONNREFUSED\)/);
    expect(error.cause).toMatchObject({ syscall: 'connect' });
  });

  test('nothing in time', async () => {
    const port = await listening(net.createServer((socket) => socket.on('error', () => {}).resume()));
    const error = await usingClient(`http://127.0.0.1:${port}/`, (client) => failureOf(client.profile()), {
      maxAttempts: 1,
      timeoutMs: 100,
    });
    expect(error.message).toMatch(/sent no whole answer in time \(TIMED_OUT\)/);
  });
});

describe('behind a proxy', () => {
  const PASSWORD = 'pr0xy-s3cret';

  test.each([
    [407, /^the proxy 127\.0\.0\.1:\d+ did not connect through, and answered 407/, /user name and password/],
    [502, /^the proxy 127\.0\.0\.1:\d+ did not connect through, and answered 502/, /NO_PROXY/],
  ])('that answers %i', async (status, message, hint) => {
    const proxy = http.createServer();
    proxy.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    vi.stubEnv('HTTPS_PROXY', `http://me:${PASSWORD}@127.0.0.1:${await listening(proxy)}`);
    const error = await failure('https://api.example.invalid/');
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
    expect(`${error.message} ${error.hint}`).not.toContain(PASSWORD);
  });

  test('that is not there', async () => {
    const port = await listening(net.createServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    vi.stubEnv('HTTPS_PROXY', `http://me:${PASSWORD}@127.0.0.1:${port}`);
    const error = await failure('https://api.example.invalid/');
    expect(error.message).toMatch(new RegExp(`^the proxy 127\\.0\\.0\\.1:${port} refuses connections`));
    expect(error.hint).toContain('HTTPS_PROXY');
    expect(`${error.message} ${error.hint}`).not.toContain(PASSWORD);
  });

  test('whose name is not known', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://no-such-proxy.invalid:3128');
    const error = await failure('https://api.example.invalid/');
    expect(error.message).toMatch(/^the (proxy no-such-proxy\.invalid:3128 is not known|name of the proxy)/);
  });
});
