import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { runRemit, startRemit } from '../helpers/remit.ts';

const MAIN = path.resolve('dist/bin/main.js');
const isWindows = process.platform === 'win32';

let courier: FakeCourier;
beforeAll(async () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => ({
    order_id: `ORDER-${i}`,
    cod: [['USD', '10.00']] as [string, string][],
    delivery_fee: [['USD', '1.00']] as [string, string][],
  }));
  const invoices = Array.from({ length: 20 }, (_, i) =>
    invoiceOf(i + 1, '2026-10-05T10:00:00+00:00', rows.slice(i * 100, i * 100 + 100)),
  );
  courier = await startFakeCourier({ invoices });
});
afterEach(() => {
  delete courier.world.intercept;
});
afterAll(() => courier.close());

const env = () => ({ REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db' });

it('the traces of --verbose name the sources, not what was bundled of them', async () => {
  const nobody = { REMIT_API_URL: 'http://127.0.0.1:1/', REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db' };
  const { code, stderr } = await runRemit(['sync', '2026-10', '--verbose'], nobody, scratchFolder());
  expect(code).toBe(1);
  expect(stderr).toMatch(/at .*src\/sync\/account\.ts:\d+:\d+/);
  expect(stderr).not.toMatch(/dist\/bin/);
});

describe.skipIf(isWindows)('Ctrl-C', () => {
  it('ends a sync with 130 and keeps what was done; the next sync does the rest', async () => {
    const cwd = scratchFolder();
    slow(40);
    const sync = startRemit(['sync', '2026-10', '--concurrency', '1'], env(), cwd);
    await until(() => courier.requests.filter((request) => /invoices\/\d/.test(request)).length > 3);
    sync.child.kill('SIGINT');
    const { code, stdout, stderr } = await sync.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(/remit: interrupted; what was done is kept\n {2}→ .+\n$/);
    delete courier.world.intercept;
    const rest = await runRemit(['sync', '2026-10', '--json'], env(), cwd);
    const { invoices, status } = JSON.parse(rest.stdout);
    expect(status).toBe('complete');
    expect(invoices.listed).toBe(20);
    expect(invoices.fetched).toBeLessThan(20);
    expect(invoices.unchanged).toBeGreaterThan(0);
  });

  it('a second time ends at once', async () => {
    const cwd = scratchFolder();
    // An answer that never comes: the first Ctrl-C gives it up as well.
    const asked = new Promise<void>((resolve) => {
      courier.world.intercept = () => {
        resolve();
        return true;
      };
    });
    const sync = startRemit(['sync', '2026-10'], env(), cwd);
    await asked;
    sync.child.kill('SIGINT');
    sync.child.kill('SIGINT');
    expect(await sync.ended).toMatchObject({ code: 130 });
  });

  it('stops the sandbox, which is how it is meant to end', async () => {
    const cwd = scratchFolder();
    await runRemit(['sandbox', 'key', 'create', '--data', 'c.db', '--merchant', 'Zahra'], {}, cwd);
    const { child, ended } = startRemit(['sandbox', 'serve', '--data', 'c.db', '--json'], {}, cwd);
    const [line] = await once(child.stdout!, 'data');
    expect(JSON.parse(String(line))).toMatchObject({ url: expect.stringMatching(/^http:.*\/v1\/external\/$/) });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

it.skipIf(process.platform !== 'linux')('a standard error that is full loses the message alone', () => {
  const full = openSync('/dev/full', 'w');
  try {
    const ended = spawnSync(process.execPath, [MAIN, 'nonsense'], { stdio: ['ignore', 'pipe', full] });
    expect(ended.status).toBe(2);
  } finally {
    closeSync(full);
  }
});

describe.skipIf(isWindows)('a broken pipe', () => {
  it('is silent', async () => {
    const cwd = scratchFolder();
    expect((await runRemit(['sync', '2026-10'], env(), cwd)).code).toBe(0);
    for (const format of ['csv', 'table', 'json']) {
      const command = `"${process.execPath}" "${MAIN}" report orders --format ${format} | head -n 1 >/dev/null; echo "$\{PIPESTATUS[0]}"`;
      const result = spawnSync('bash', ['--norc', '-c', command], {
        cwd,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, ...env() },
      });
      expect([format, result.stdout, result.stderr]).toEqual([format, '0\n', '']);
    }
  });

  it('on standard error does not stop the work', async () => {
    const cwd = scratchFolder();
    const child = spawn(process.execPath, [MAIN, 'sync', '2026-10'], {
      cwd,
      env: { PATH: process.env.PATH, ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.destroy();
    child.stdout.resume();
    expect((await once(child, 'close'))[0]).toBe(0);
  });
});

describe('a process of its own', () => {
  it('prints results alone on standard output, and no progress bar in a log', async () => {
    const cwd = scratchFolder();
    const { code, stdout, stderr } = await runRemit(['sync', '2026-10', '--json'], env(), cwd);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'complete', invoices: { fetched: 20 } });
    expect(stderr).toMatch(/^2026-10 invoices: 20 in [\d.]+ s\n$/);
    expect(await runRemit(['sync', '2026-10', '--quiet'], env(), cwd)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('tells an unexpected failure in one sentence, and the rest with --verbose only', async () => {
    const cwd = scratchFolder();
    const preload = path.join(cwd, 'break.mjs');
    writeFileSync(
      preload,
      "import os from 'node:fs'; os.existsSync = () => { throw new TypeError('x is not a function'); }; import('node:module').then((m) => m.syncBuiltinESMExports());",
    );
    const broken = { ...env(), NODE_OPTIONS: `--import file://${preload}` };
    const { code, stderr } = await runRemit(['check'], broken, cwd);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^remit: this should not have happened: x is not a function\n {2}→ .*--verbose.*\n$/);
    expect((await runRemit(['check', '--verbose'], broken, cwd)).stderr).toMatch(/\n\s+at /);
  });
});

function slow(ms: number): void {
  courier.world.intercept = (request, response) => {
    if (request.headers['x-waited']) return false;
    request.headers['x-waited'] = 'yes';
    setTimeout(() => courier.replay(request, response), ms);
    return true;
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5);
}
