import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LAST_MONTH } from '../helpers/fleet.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { temporaryFolder } from '../helpers/sync.ts';

/** What `npm run executable` made; .ci/run names it on the Node.js that can make one. */
const EXECUTABLE = process.env.REMIT_EXECUTABLE;

/** The demo's faults leave months incomplete: which ones depends on the day. */
const INCOMPLETE = /^(warning: \S+ is incomplete: .*\n)*$/;

/** Bytes, of a file that people download. */
const MOST_BYTES = 140e6;

describe.skipIf(EXECUTABLE === undefined)('the single executable, where there is nothing else', () => {
  let cwd: string;
  const file = path.resolve(EXECUTABLE ?? '');
  // No PATH, no home, no settings.
  const run = (...args: string[]) => spawnSync(file, args, { cwd, env: {}, encoding: 'utf8' });

  beforeAll(() => {
    cwd = temporaryFolder();
    expect(run('demo', 'books', '--quiet')).toMatchObject({ status: 0 });
  });

  it('is no larger than what people like to download', () => {
    expect(statSync(file).size).toBeLessThan(MOST_BYTES);
  });

  it.each(['xlsx', 'html'])('writes a statement as %s', (format) => {
    const out = path.join(cwd, `statement.${format}`);
    expect(run('-C', 'books', 'statement', LAST_MONTH, '--format', format, '--out', out, '--quiet')).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(INCOMPLETE),
    });
    expect(statSync(out).size).toBeGreaterThan(10_000);
  });

  it.runIf(existsSync('/usr/bin/chromium'))('prints a statement as PDF', () => {
    const args = [
      '-C',
      'books',
      'statement',
      LAST_MONTH,
      '--format',
      'pdf',
      '--out',
      path.join(cwd, 'a.pdf'),
      '--quiet',
    ];
    const { status, stderr } = spawnSync(file, args, { cwd, env: { PATH: '/usr/bin' }, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(INCOMPLETE) });
    expect(readFileSync(path.join(cwd, 'a.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it.each<string[]>([
    ['report', 'orders', '--format', 'csv'],
    ['report', 'orders', '--format', 'json'],
    ['report', 'orders', '--format', 'html', '--out', 'orders.html', '--quiet'],
    ['report', 'orders', '--format', 'xlsx', '--out', 'orders.xlsx', '--quiet'],
    ['report', 'journal', LAST_MONTH, '--format', 'hledger'],
    ['report', 'journal', LAST_MONTH, '--format', 'beancount'],
    ['export', 'parquet', 'tables', '--quiet'],
    ['backup', 'copy.db', '--quiet'],
    ['verify', '--deep', '--quiet'],
  ])('%s %s %s %s', (...args) => {
    expect(run('-C', 'books', ...args)).toMatchObject({ status: 0, stderr: '' });
  });

  it.skipIf(!hasPostgres)("copies a server's ledger to a file", async () => {
    const { url } = await newDatabase();
    const on = (ledger: string, ...args: string[]) =>
      spawnSync(file, ['-C', 'books', ...args], { cwd, env: { REMIT_LEDGER: ledger }, encoding: 'utf8' });
    expect(run('-C', 'books', 'ledger', 'copy', url)).toMatchObject({ status: 0 });
    expect(on(url, 'backup', 'from-server.db', '--quiet')).toMatchObject({ status: 0, stderr: '' });
    const copy = path.join(cwd, 'from-server.db');
    expect(on(copy, 'verify', '--json').stdout).toBe(on(url, 'verify', '--json').stdout);
  });

  it('reads a file in a process of its own, and names one that is none', () => {
    const own = ['-C', 'books', 'import'];
    expect(run(...own, 'resolutions', path.join(cwd, 'statement.xlsx'), '--dry-run')).toMatchObject({ status: 0 });
    const wrong = run(...own, 'receipts', file);
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toContain('it is larger than');
  });

  it("names Node's own SQLite to the doctor", () => {
    expect(run('-C', 'books', 'doctor').stdout).toContain('✓ sqlite     node:sqlite\n');
  });

  it('serves the desk, whose checks run in a thread, and the page of the service', async () => {
    const desk = await serving(['-C', 'books', 'serve', '--port', '0', '--no-open'], /(http\S+open\?token=\S+)/);
    const entered = await fetch(desk.address, { redirect: 'manual', headers: { 'sec-fetch-site': 'none' } });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    const page = await fetch(new URL(`/months/${LAST_MONTH}`, desk.address), { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(LAST_MONTH);
    await desk.stop();
    const service = await serving(['sandbox', 'serve', '--data', 'books/courier.db', '--port', '0'], /(http\S+\/docs)/);
    const script = await fetch(`${service.address}/static/swagger-ui-bundle.js`);
    expect([script.status, (await script.text()).length > 1e6]).toEqual([200, true]);
    await service.stop();
  });

  async function serving(args: readonly string[], pattern: RegExp) {
    const child = spawn(file, args, { cwd, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    let said = '';
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          const found = pattern.exec(said)?.[1];
          if (found !== undefined) resolve(found);
        });
      ended.then(() => reject(new Error(said)));
    });
    return {
      address,
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
});
