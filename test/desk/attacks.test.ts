import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';

let desk: RunningDesk;
let host: string;
let own: string;

beforeEach(async () => {
  const { folder } = await deskBooks();
  desk = await startDesk([], { cwd: folder });
  await desk.enter();
  ({ host } = new URL(desk.origin));
  own = `Cookie: ${desk.cookie}\r\nOrigin: ${desk.origin}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n`;
});
afterEach(() => desk.stop());

/** What the desk answers to bytes that no client would send, until it hangs up. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(desk.origin).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    // What arrives after a refusal is not read, so the connection may be reset.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.on('close', () => resolve(answer));
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

const get = (path: string, more = '') => raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${own}${more}\r\n`);
const post = (type: string, body: string, more = `Content-Length: ${body.length}\r\n`, path = '/mismatches/ack') =>
  raw(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${own}${type && `Content-Type: ${type}\r\n`}${more}\r\n${body}`);
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

/** A refusal, with the headers of every answer, and nothing of the desk's inside. */
function expectRefused(what: string, answer: string, status: number): void {
  expect([what, statusOf(answer)]).toEqual([what, status]);
  expect([what, answer]).toEqual([what, expect.stringContaining("content-security-policy: default-src 'none';")]);
  expect([what, answer]).toEqual([what, expect.not.stringMatching(/node_modules|\.[jt]s:\d|SQLITE|Error:/)]);
}

describe('an attacker at the desk', () => {
  it('is not let in by a second host, nor by one in the first line', async () => {
    const session = `Cookie: ${desk.cookie}\r\nConnection: close\r\n`;
    for (const [line, hosts] of [
      ['/', [host, 'evil.test']],
      ['/', ['evil.test', host]],
      ['/', []],
      ['/', [`[::1]:${new URL(desk.origin).port}`]],
      ['http://evil.test/', [host]],
      [`http://${host}/`, [host]],
    ] as const) {
      const named = hosts.map((name) => `Host: ${name}\r\n`).join('');
      expectRefused(`${line} of ${hosts}`, await raw(`GET ${line} HTTP/1.1\r\n${named}${session}\r\n`), 421);
    }
  });

  it('is answered with the same headers where its bytes are no request', async () => {
    const chunked = 'Transfer-Encoding: chunked\r\n';
    const answers: Record<string, readonly [answer: Promise<string>, status: number]> = {
      'another protocol': [raw('\x16\x03\x01\x02\x00\x01\r\n\r\n'), 400],
      'an unknown method': [raw(`FOO / HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 400],
      'two lengths': [post('application/json', '{}', 'Content-Length: 2\r\nContent-Length: 3\r\n'), 400],
      'a length and chunks': [post('application/json', '0\r\n\r\n', `Content-Length: 5\r\n${chunked}`), 400],
      'no chunk': [post('application/json', 'zz\r\n\r\n', chunked), 400],
      'a folded header': [get('/', 'X-A: a\r\n b\r\n'), 400],
      'a huge header': [get('/', `X-A: ${'a'.repeat(20_000)}\r\n`), 431],
      'a huge address': [get(`/?text=${'a'.repeat(20_000)}`), 431],
      'an expectation': [post('application/json', '{}', 'Expect: gold\r\nContent-Length: 2\r\n'), 417],
    };
    for (const [what, [answer, status]] of Object.entries(answers)) expectRefused(what, await answer, status);
  });

  it('sends bodies that are none, and gets 400', async () => {
    const form = 'multipart/form-data; boundary=b';
    const broken = '--b\r\nContent-Disposition: form-data; name="kind"\r\n\r\nreceipts';
    const answers: Record<string, Promise<string>> = {
      'no type': post('', 'hello'),
      'an unknown type': post('image/png', 'hello'),
      'no type at all': post(';;;', 'hello'),
      'no JSON': post('application/json', 'hello'),
      'a prototype': post('application/json', '{"__proto__":{"a":1},"ids":["a"]}'),
      'JSON of a hundred thousand brackets': post('application/json', '['.repeat(100_000)),
      'no boundary': post('multipart/form-data', 'a=b', undefined, '/imports'),
      'a form that breaks off': post(form, broken, undefined, '/imports'),
      'a field of the prototype': post(
        form,
        `${broken.replace('kind', '__proto__')}\r\n--b--\r\n`,
        undefined,
        '/imports',
      ),
      'a form with files for what takes none': post(form, '--b--\r\n'),
    };
    for (const [what, answer] of Object.entries(answers)) expectRefused(what, await answer, 400);
  });

  it('names what is not there in its address, and is told so', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `a${at}=b`).join('&');
    const pages: Record<string, number> = {
      '/orders/%ff%fe': 400,
      '/orders/%zz': 400,
      '/orders/%00': 404,
      "/orders/'%20or%201=1--": 404,
      '/invoices/__proto__': 404,
      '/invoices/99999999999999999999': 404,
      '/receipts/1.5': 404,
      '/runs/9007199254740993': 404,
      '/reports/constructor': 404,
      '/runs?sort=constructor': 400,
      '/rows?sort=__proto__': 400,
      '/rows?courier=__proto__': 404,
      '/rows?limit=1e3': 400,
      '/evidence/..%2f..%2fetc%2fpasswd': 404,
      '/../../etc/passwd': 404,
      '//evil.test/': 404,
      '/mismatches/ack?_method=POST': 404,
      [`/mismatches?${many}`]: 200,
      '/mismatches?invoice=1e999&status=x&severity=__proto__': 200,
      '/search?q=%ff%fe%00%1b': 200,
    };
    for (const [path, status] of Object.entries(pages)) {
      expectRefused(path.slice(0, 60), await get(path), status);
    }
    for (const method of ['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PROPFIND']) {
      expectRefused(method, await raw(`${method} / HTTP/1.1\r\nHost: ${host}\r\n${own}\r\n`), 404);
    }
    expect(desk.stderr()).toBe('');
  });

  it('is known by its cookie, also beside others of its name, and by none that is not whole', async () => {
    const [name] = desk.cookie.split('=');
    const status = async (...cookies: string[]) =>
      statusOf(
        await raw(
          `GET /runs HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${cookies.map((one) => `Cookie: ${one}\r\n`).join('')}\r\n`,
        ),
      );
    expect(await status(`${desk.cookie}; ${name}=guess`)).toBe(200);
    expect(await status(`${name}=guess; ${desk.cookie}`)).toBe(200);
    expect(await status(`${name}=guess; ${name}=again`)).toBe(401);
    expect(await status(`__proto__=x; ${desk.cookie}`)).toBe(200);
    expect(await status(`${name}=%ff%zz`)).toBe(401);
    expect(await status(`${desk.cookie}x`)).toBe(401);
  });
});
