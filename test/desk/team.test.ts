import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

const SECRET = 'a-secret-of-the-proxy-and-the-desk';
const ORIGIN = 'https://desk.example.com';

let books: OwnBooks;

beforeEach(async () => {
  books = await deskBooks('[desk]\nclerks = ["rana", "karim"]\nreaders = ["auditor"]');
  writeFileSync(path.join(books.folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
});

async function withTeam<T>(argv: readonly string[], use: (desk: RunningDesk) => Promise<T>): Promise<T> {
  const desk = await startDesk(['--public-origin', ORIGIN, '--auth-header', 'X-User', ...argv], { cwd: books.folder });
  try {
    return await use(desk);
  } finally {
    await desk.stop();
  }
}

const asProxy = (user: string) => ({ host: 'desk.example.com', 'x-remit-proxy-secret': SECRET, 'x-user': user });

describe('a desk of a team', () => {
  it('knows its people by the header of its proxy, and their roles by the settings', () =>
    withTeam(['--proxy-secret-file', 'secret'], async (desk) => {
      expect(desk).toMatchObject({ url: `${ORIGIN}/`, openUrl: null });
      const get = async (headers: Record<string, string>) => (await desk.send('/runs', { headers })).status;
      expect(await get(asProxy('rana'))).toBe(200);
      expect(await get(asProxy('auditor'))).toBe(200);
      expect(await get(asProxy('mallory'))).toBe(403);
      expect(await get(asProxy('rana, karim'))).toBe(403);
      expect(await get(asProxy(''))).toBe(401);
      expect(await get({ ...asProxy('rana'), 'x-remit-proxy-secret': 'guess' })).toBe(401);
      expect(await get({ host: 'desk.example.com', 'x-user': 'rana' })).toBe(401);
      expect(await get({ ...asProxy('rana'), host: new URL(desk.listens).host })).toBe(421);
      expect((await desk.send('/open?token=x', { headers: asProxy('rana') })).status).toBe(404);
      const two = await desk.send('/runs', {
        headers: { ...asProxy('rana'), 'x-user': ['rana', 'karim'] as never },
      });
      expect(two.status).toBe(400);
    }));

  it('keeps a decision under the name of the user; a reader decides nothing, nor does another site', () =>
    withTeam(['--proxy-secret-file', 'secret'], async (desk) => {
      const page = await desk.send('/api/v1/mismatches', { headers: asProxy('rana') });
      const [{ id }] = JSON.parse(page.text).rows;
      const own = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const ack = (user: string, more: Record<string, string> = {}) =>
        desk.send('/api/v1/mismatches/ack', {
          method: 'POST',
          headers: { ...asProxy(user), ...own, ...more },
          body: JSON.stringify({ ids: [id] }),
        });
      expect((await ack('auditor')).status).toBe(403);
      expect((await ack('rana', { origin: 'https://evil.test' })).status).toBe(403);
      expect((await ack('rana', { origin: new URL(desk.listens).origin })).status).toBe(403);
      expect((await ack('karim')).status).toBe(200);
      const { history } = await books.json<{ history: object[] }>(['mismatch', 'show', id]);
      expect(history.at(-1)).toMatchObject({ actor: 'karim', to_status: 'acknowledged' });
    }));

  it('lets one of two clerks decide who decide at once, and tells the other who was first', () =>
    withTeam(['--proxy-secret-file', 'secret'], async (desk) => {
      const { text } = await desk.send('/api/v1/mismatches', { headers: asProxy('rana') });
      const [{ id }] = JSON.parse(text).rows;
      const own = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const resolve = (user: string) =>
        desk.send('/api/v1/mismatches/resolve', {
          method: 'POST',
          headers: { ...asProxy(user), ...own },
          body: JSON.stringify({ ids: [id], note: `by ${user}` }),
        });
      const answers = await Promise.all(['rana', 'karim', 'rana', 'karim'].map(resolve));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      const { by } = JSON.parse(answers.find(({ status }) => status === 200)!.text);
      for (const answer of answers.filter(({ status }) => status === 409)) {
        expect(JSON.parse(answer.text).error.details).toMatchObject({ first: { by }, note: `by ${by}` });
      }
      const { history } = await books.json<{ history: object[] }>(['mismatch', 'show', id]);
      expect(history.slice(1)).toMatchObject([{ actor: by, to_status: 'resolved' }]);
    }));

  it.skipIf(process.platform === 'win32')('listens on a socket that only its user and group reach', async () => {
    const socket = path.join(books.folder, 'desk.sock');
    await withTeam(['--socket', 'desk.sock'], async (desk) => {
      expect(desk.listens).toBe(socket);
      expect(statSync(socket).mode & 0o777).toBe(0o660);
      const second = books.remit([
        'serve',
        '--public-origin',
        ORIGIN,
        '--auth-header',
        'X-User',
        '--socket',
        'desk.sock',
      ]);
      expect(await second).toMatchObject({ code: 2, stderr: expect.stringContaining('another program listens') });
      const answer = await desk.send('/runs', { headers: { host: 'desk.example.com', 'x-user': 'rana' } });
      expect(answer.status).toBe(200);
    });
    writeFileSync(socket, 'no socket');
    const taken = await books.remit([
      'serve',
      '--public-origin',
      ORIGIN,
      '--auth-header',
      'X-User',
      '--socket',
      socket,
    ]);
    expect(taken.code).toBe(2);
  });

  it('is refused where an origin is none, or nothing keeps others from posing as the proxy', async () => {
    const code = async (...argv: string[]) => (await books.remit(['serve', ...argv])).code;
    const header = ['--auth-header', 'X-User'];
    const secret = ['--proxy-secret-file', 'secret'];
    for (const origin of [
      'http://a.test',
      'https://a.test/',
      'https://a.test/desk',
      'https://u@a.test',
      'a.test',
      'https://*',
    ]) {
      expect({ origin, code: await code('--public-origin', origin, ...header, ...secret) }).toEqual({
        origin,
        code: 2,
      });
    }
    expect(await code('--public-origin', ORIGIN, ...header)).toBe(2);
    expect(await code('--public-origin', ORIGIN, ...secret)).toBe(2);
    expect(await code(...header)).toBe(2);
    expect(await code('--public-origin', ORIGIN, '--auth-header', 'Cookie', ...secret)).toBe(2);
    books.file('short', 'abc');
    expect(await code('--public-origin', ORIGIN, ...header, '--proxy-secret-file', 'short')).toBe(2);
    expect(await code('--public-origin', ORIGIN, ...header, '--proxy-secret-file', 'no-such')).toBe(2);
  });
});
