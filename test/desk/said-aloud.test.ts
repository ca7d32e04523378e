import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';

const desks: RunningDesk[] = [];
afterEach(async () => {
  for (const one of desks.splice(0)) await one.stop();
});

async function desk(cwd: string, env: Record<string, string> = {}): Promise<RunningDesk> {
  const started = await startDesk([], { cwd, env });
  desks.push(started);
  await started.enter();
  return started;
}

it.skipIf(process.platform === 'win32')('takes no secret of a proxy that others can read', async () => {
  const books = await deskBooks('[desk]\nclerks = ["rana"]');
  const file = books.file('secret', 'a-secret-of-the-proxy-and-the-desk\n');
  const origin = ['--public-origin', 'https://desk.example.com', '--auth-header', 'X-User'];
  for (const mode of [0o666, 0o644, 0o640]) {
    chmodSync(path.join(books.folder, file), mode);
    const refused = startDesk([...origin, '--proxy-secret-file', file], { cwd: books.folder });
    await expect(refused).rejects.toThrow(/ended with 2: .*secret/s);
    await expect(refused).rejects.not.toThrow('a-secret-of-the-proxy-and-the-desk');
  }
});

it('says of a database that is away no user, host or port', async () => {
  const books = await deskBooks();
  const away = await desk(books.folder, { REMIT_LEDGER: 'postgresql://somebody@127.0.0.1:9/remit' });
  for (const page of ['/', '/api/v1/mismatches', '/approvals']) {
    const { status, text } = await away.send(page, { headers: { cookie: away.cookie } });
    expect([page, status]).toEqual([page, 503]);
    expect(text).not.toMatch(/somebody|127\.0\.0\.1:9\b|ECONNREFUSED/);
  }
});

it('leads no link of a page to another place, whatever its address begins with', async () => {
  const at = await desk((await deskBooks()).folder);
  for (const page of ['//evil.com/x', '/\\evil.com/x', '//evil.com/%2e%2e/mismatches']) {
    const { text } = await at.send(`${at.origin}${page}`, { headers: { cookie: at.cookie, accept: 'text/html' } });
    expect(text).toContain('hreflang');
    expect(text).not.toMatch(/href="(https?:)?[/\\]{2}/);
  }
});
