import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usingBooks } from '../../src/app/books.ts';
import { saveView } from '../../src/app/desk/views.ts';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/index.ts';
import { remit } from '../helpers/cli.ts';
import { Heard, type RunningDesk, startDesk, surroundings } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';

const HOUR = 60 * 60 * 1_000;
const DIRECTIVES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
};

let folder: string;
let desk: RunningDesk;
const NOW = new Date('2026-11-10T09:00:00Z');
let now = NOW;

beforeEach(async () => {
  now = NOW;
  ({ folder } = await deskBooks());
  desk = await startDesk([], { cwd: folder, now: () => now });
});
afterEach(() => desk.stop());

/** A desk of its own, whose link nobody used. */
async function newDesk<T>(argv: readonly string[], use: (desk: RunningDesk) => Promise<T>): Promise<T> {
  const own = await startDesk(argv, { cwd: folder, now: () => now });
  try {
    return await use(own);
  } finally {
    await own.stop();
  }
}

/** Refuses to be framed, cached, sniffed, or to load anything from elsewhere. */
function expectSafe({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): void {
  const policy = String(headers['content-security-policy'])
    .split(';')
    .map((part) => part.trim().split(/ (.*)/));
  expect(policy.map(([name]) => name).sort()).toEqual(Object.keys(DIRECTIVES).sort());
  for (const [name, sources] of policy) expect(sources).toBe(DIRECTIVES[name!]);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
}

describe('the door of the desk', () => {
  it('listens on this machine alone, on a free port, and its link lets in one visitor, once', () =>
    newDesk([], async (own) => {
      expect(own.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      expect(own.openUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?token=[\w-]{43}$/);
      const wrong = await own.send(`/open?token=${'a'.repeat(43)}`);
      expect(wrong.status).toBe(401);
      expect(wrong.headers['set-cookie']).toBeUndefined();
      expect((await own.send('/open')).status).toBe(401);
      expect((await own.send('/open?token=a&token=b')).status).toBe(401);
      const looked = await own.send(own.openUrl, { method: 'HEAD' });
      expect(looked.headers['set-cookie']).toBeUndefined();
      const entered = await own.enter();
      expect(entered.status).toBe(200);
      expect(entered.text).toContain('http-equiv="refresh"');
      expectSafe(entered);
      const { port } = new URL(own.url);
      expect(String(entered.headers['set-cookie'])).toMatch(
        new RegExp(`^remit_desk_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
      );
      expect((await own.send('/', { headers: { cookie: own.cookie } })).status).toBe(200);
      const again = await own.send(own.openUrl);
      expect(again.status).toBe(401);
      expectSafe(again);
    }));

  it('is known by its exact host alone, which is looked at before the token', () =>
    newDesk([], async (own) => {
      const { port, host } = new URL(own.url);
      const token = new URL(own.openUrl).search;
      for (const name of [`localhost:${port}`, '127.0.0.1', `127.0.0.1.:${port}`, `evil.test:${port}`, '127.0.0.1:1']) {
        const answer = await own.send(`/open${token}`, { headers: { host: name } });
        expect({ name, status: answer.status }).toEqual({ name, status: 421 });
        expectSafe(answer);
      }
      expect((await own.send(`/open${token}`, { headers: { host } })).status).toBe(200);
    }));

  it('lets nobody in without a session, wherever, and says so with the same headers', async () => {
    for (const path of ['/', '/mismatches', '/api/v1/', '/evidence/x', '/no-such-page', '/desk.js']) {
      for (const cookie of ['', `remit_desk_${new URL(desk.url).port}=guess`, 'remit_desk_1=x']) {
        const answer = await desk.send(path, { headers: { cookie } });
        expect({ path, status: answer.status }).toEqual({ path, status: 401 });
        expectSafe(answer);
      }
    }
    // What the page that says so looks like.
    for (const path of ['/desk.css', '/desk.svg']) {
      const answer = await desk.send(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expectSafe(answer);
    }
    const bad = await desk.send('/%zz');
    expect(bad.status).toBe(400);
    expectSafe(bad);
  });

  it('takes a decision only from a page of its own', async () => {
    await desk.enter();
    const { cookie, origin } = desk;
    const port = Number(new URL(origin).port);
    const path = '/mismatches/ack';
    const legit = { origin, 'sec-fetch-site': 'same-origin' };
    const attacks: Record<string, string>[] = [
      { ...legit, origin: 'https://evil.test' },
      { ...legit, origin: `http://127.0.0.1:${port + 1}` },
      { ...legit, origin: `http://localhost:${port}` },
      { ...legit, origin: 'null' },
      { 'sec-fetch-site': 'same-origin' },
      { ...legit, 'sec-fetch-site': 'cross-site' },
      { ...legit, 'sec-fetch-site': 'same-site' },
      { origin },
    ];
    for (const headers of attacks) {
      const answer = await desk.send(path, {
        method: 'POST',
        headers: { cookie, ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'ids=x',
      });
      expect({ headers, status: answer.status }).toEqual({ headers, status: 403 });
      expectSafe(answer);
    }
  });

  it('ends a session after 12 hours of the wall clock without use, and no sooner', () =>
    newDesk([], async (own) => {
      const start = now;
      await own.enter();
      const status = async () => (await own.send('/runs', { headers: { cookie: own.cookie } })).status;
      for (const hours of [11, 22, 33]) {
        now = new Date(start.getTime() + hours * HOUR);
        expect(await status()).toBe(200);
      }
      now = new Date(start.getTime() + 45 * HOUR);
      expect(await status()).toBe(401);
      now = start;
      expect(await status()).toBe(401);
    }));

  it('with --read-only refuses whatever is more than looking', () =>
    newDesk(['--read-only'], async (own) => {
      await own.enter();
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
        const headers = { cookie: own.cookie, origin: own.origin, 'sec-fetch-site': 'same-origin' };
        const answer = await own.send('/mismatches/ack', { method, headers });
        expect({ method, status: answer.status }).toEqual({ method, status: 403 });
        expectSafe(answer);
      }
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await own.send('/', { method, headers: { cookie: own.cookie } })).status).toBe(200);
      }
    }));

  it('with --read-only refuses what a clerk may decide elsewhere, person or program, and shows no form', async () => {
    await desk.enter();
    const [{ id }] = (await desk.json<{ rows: { id: string }[] }>('/mismatches')).rows as [{ id: string }];
    const { token } = JSON.parse(
      (await remit(['serve', 'token', '--role', 'clerk', '--name', 'ERP', '--json'], { cwd: folder, now: NOW })).stdout,
    );
    const decide = async (at: RunningDesk) => [
      (await at.submit('/mismatches/ack', { ids: [id], note: 'asked' })).status,
      (
        await at.send('/api/v1/mismatches/ack', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'k', 'content-type': 'application/json' },
          body: JSON.stringify({ ids: [id], note: 'asked' }),
        })
      ).status,
    ];
    await newDesk(['--read-only'], async (own) => {
      await own.enter();
      expect(await decide(own)).toEqual([403, 403]);
      const page = await own.send(`/mismatches/${id}`, { headers: { cookie: own.cookie, accept: 'text/html' } });
      expect(page.text).not.toContain('method="post"');
      expect(await own.json(`/mismatches/${id}`)).toMatchObject({ mismatch: { status: 'open' } });
    });
    // The same person and the same program may decide where looking is not all.
    expect(await decide(desk)).toEqual([303, 409]);
  });

  it('opens the books of --read-only so that nothing could be written', async () => {
    const config = await loadConfig({ env: { TZ: 'UTC' }, cwd: folder });
    const signal = new AbortController().signal;
    const books = { config, now: () => NOW, signal, key: () => Promise.reject(new Error('none')), detail: () => {} };
    const save = (readOnly: boolean) => saveView({ ...books, readOnly }, { name: 'x', address: '/rows', by: 'rana' });
    await expect(save(true)).rejects.toThrow('nothing can be decided here');
    await expect(save(false)).resolves.toMatchObject({ name: 'x' });
    const writing = usingBooks(books, { readOnly: true, allCouriers: true }, ({ db }) =>
      db.deleteFrom('evidence').execute(),
    );
    await expect(writing).rejects.toThrow(/read-?only|attempt to write/i);
  });

  it.runIf(process.platform === 'linux')(
    'holds the file of --read-only so that the system refuses a write',
    async () => {
      /** Whether each handle on the ledger could write, while pages of both threads are read. */
      const handlesOf = async (own: RunningDesk): Promise<Set<boolean>> => {
        await own.enter();
        const mayWrite = new Set<boolean>();
        const look = setInterval(() => {
          for (const fd of readdirSync('/proc/self/fd')) {
            try {
              if (path.basename(readlinkSync(`/proc/self/fd/${fd}`)) !== 'ledger.db') continue;
              const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))!;
              mayWrite.add(Number.parseInt(flags!, 8) % 4 !== 0);
            } catch {
              // Closed meanwhile.
            }
          }
        });
        for (const page of ['/', '/months/2026-10', '/mismatches', '/receipts', '/runs', '/rows']) {
          expect((await own.send(page, { headers: { cookie: own.cookie } })).status).toBe(200);
        }
        clearInterval(look);
        return mayWrite;
      };
      expect(await newDesk(['--read-only'], handlesOf)).toEqual(new Set([false]));
      expect(await handlesOf(desk)).toContain(true);
    },
  );
});

describe.skipIf(process.platform === 'win32')('the browser that the desk opens', () => {
  it('is given a file that its owner alone reads, and never the link: others see what a process is given', async () => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    const told = path.join(folder, 'told');
    writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$*" > ${told}.new && mv ${told}.new ${told}\n`, {
      mode: 0o755,
    });
    copyFileSync(path.join(bin, 'xdg-open'), path.join(bin, 'open'));
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    const stopping = new AbortController();
    const stdout = new Heard();
    const ended = run(['serve', '--by', 'rana'], {
      ...surroundings(stdout, stopping.signal),
      cwd: folder,
      isTTY: { stdin: false, stdout: true, stderr: false },
    });
    const link = await stdout.line();
    const { search: token } = new URL(link);
    await vi.waitFor(() => expect(existsSync(told)).toBe(true), { timeout: 10_000 });
    const argument = readFileSync(told, 'utf8').trim();
    expect(argument).not.toContain(token.slice(7));
    const file = fileURLToPath(argument);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`url=${link}`);
    expect((await fetch(link)).status).toBe(200);
    await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 10_000 });
    stopping.abort();
    expect(await ended).toBe(0);
    vi.unstubAllEnvs();
  });
});
