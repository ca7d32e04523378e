import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usingLedger } from '../../../src/ledger/index.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import {
  type FakeCourier,
  type FakeInvoice,
  invoiceOf,
  KEY,
  type Pair,
  send,
  startFakeCourier,
} from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { runRemit } from '../../helpers/remit.ts';

const row = (number: number) => ({
  order_id: `O${number}`,
  cod: [['USD', '25.00']] as Pair[],
  delivery_fee: [['USD', '3.00']] as Pair[],
});
const bill = (number: number, overrides: Partial<FakeInvoice> = {}) =>
  invoiceOf(number, '2026-11-20T09:00:00Z', [row(number)], { status: 'PENDING_PAYMENT', ...overrides });
/** The header takes 10.00 too much COD, and owes it. */
const wrong = (number: number) => bill(number, { cod: [['USD', '35.00']], net_due_to_merchant: [['USD', '32.00']] });

let courier: FakeCourier;
let cwd: string;
beforeEach(async () => {
  courier = await startFakeCourier({ invoices: [bill(1)] });
  cwd = scratchFolder();
});
afterEach(() => courier.close());

/**
 * Says on standard error, when the process ends, for which timers of 10 seconds and more it stayed: those that fired.
 */
const SAYS_LONG_WAITS = `
const long = new Map();
const waited = [];
require('node:async_hooks').createHook({
  init(id, type, _trigger, timer) { if (type === 'Timeout' && timer._idleTimeout >= 10_000) long.set(id, timer._idleTimeout); },
  before(id) { if (long.has(id)) waited.push(long.get(id)); },
}).enable();
process.on('exit', () => { if (waited.length > 0) require('node:fs').writeSync(2, 'waited ' + waited + ' ms'); });
`;

/** A night of December. */
function night(day: number, ...argv: string[]): Promise<Outcome> {
  return nightWith({ REMIT_API_KEY: KEY }, day, ...argv);
}

function nightWith(env: Record<string, string>, day: number, ...argv: string[]): Promise<Outcome> {
  const now = new Date(`2026-12-${String(day).padStart(2, '0')}T02:00:00Z`);
  return remit(['night', ...argv], {
    cwd,
    now,
    env: { REMIT_API_URL: courier.url, REMIT_LEDGER: 'ledger.db', ...env },
  });
}

const json = async (outcome: Promise<Outcome>) => {
  const { code, stdout } = await outcome;
  const told = JSON.parse(stdout);
  expect(told.exit_code).toBe(code);
  return told;
};

describe('a night', () => {
  it('without news is quiet, the running month and all', async () => {
    expect(await night(1, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout } = await night(2);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^remit night 2026-12-02: 0 new, 0 resolved\n/);
    expect(stdout).toContain('2026-12 is not over yet');
    expect(stdout).toMatch(/the last sync that brought everything: 2026-12-02 02:00:00 UTC, 0 seconds ago\n$/);
    expect(await night(3, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('with news says what opened, reopened and was resolved, and what it is worth', async () => {
    await night(1);
    courier.world.invoices.push(wrong(2));
    const { code, stdout } = await night(2, '--quiet');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^remit night 2026-12-02: 1 new, 0 resolved; ahead 10.00 USD\n/);
    expect(stdout).toContain(
      '\nA header’s COD is not the sum of its rows: invoice 2 · ahead 10.00 USD\n  error  invoice-cod-total  2026-11\n',
    );
    expect(stdout).toContain('  invoice-cod-total: 1 new; 1 open\n');
    expect(stdout).toContain('what is new is worth 10.00 USD\n');

    // Known already: nothing to say, and still an open error.
    expect(await night(3, '--quiet')).toEqual({ code: 3, stdout: '', stderr: '' });
    expect((await night(3, '--quiet', '--fail-on', 'never')).code).toBe(0);

    courier.world.invoices[1] = bill(2);
    const resolved = await json(night(4, '--json'));
    expect(resolved).toMatchObject({
      sync: { run: 5, status: 'complete', periods: ['2026-11', '2026-12'] },
      sync_failure: null,
      warnings: [],
      check_failure: null,
      last_good_sync: '2026-12-04T02:00:00.000Z',
      age_seconds: 0,
      notified: [],
      exit_code: 0,
    });
    expect(resolved.check.codes).toContainEqual(
      expect.objectContaining({ code: 'invoice-cod-total', opened: 0, resolved: 1, open: 0 }),
    );
    expect(resolved.check.resolved_effects).toEqual([{ currency: 'USD', effect: '10.00' }]);

    courier.world.invoices[1] = wrong(2);
    const again = await json(night(5, '--json'));
    expect(again.check).toMatchObject({ reopened: 1, running: ['2026-12'], incomplete: [] });
    expect(again.check.codes).toContainEqual({
      code: 'invoice-cod-total',
      severity: 'error',
      opened: 0,
      reopened: 1,
      resolved: 0,
      open: 1,
    });
    expect(again.check.short).toEqual([{ currency: 'USD', effect: '10.00' }]);
    expect(again.check.mismatches[0]).not.toHaveProperty('note');
  });
});

describe('a night that fails', () => {
  it('says that the service is dead, checks what is held, and says how old that is', async () => {
    courier.world.invoices.push(wrong(2));
    expect((await night(1)).code).toBe(3);
    await courier.close();
    const quiet = await nightWith({ REMIT_API_KEY: KEY }, 3, '--quiet');
    // Not 3, as every night: that nothing was looked at tonight comes first.
    expect(quiet.code).toBe(1);
    expect(quiet.stdout).toMatch(
      /^remit night 2026-12-03: 0 new, 0 resolved; ahead 10\.00 USD; the sync FAILED; 2026-11/,
    );
    expect(quiet.stdout).toContain('the sync failed: this is a check of what was held before');
    expect(quiet.stdout).toMatch(/\nthe sync failed: .*\n {2}→ .*/);
    expect(quiet.stdout).toContain('2026-12-01 02:00:00 UTC, 2 days ago');

    const told = await json(night(4, '--json'));
    expect(told).toMatchObject({ sync: null, sync_failure: { code: 'api', exit_code: 1 }, age_seconds: 3 * 86_400 });
    expect(told.check.open.error).toBe(1);
    expect(told.check.running).toEqual([]);
    expect(told.check.incomplete.map(({ period }: { period: string }) => period)).toContain('2026-11');
  });

  it('says that the key is refused, or that there is none; nothing is held then', async () => {
    const refused = await json(nightWith({ REMIT_API_KEY: 'wrong-key-altogether' }, 1, '--json'));
    expect(refused).toMatchObject({ exit_code: 1, check: null, last_good_sync: null, age_seconds: null });
    expect(refused.sync_failure.message).not.toContain('wrong-key-altogether');
    const none = await nightWith({}, 1, '--quiet');
    expect(none.code).toBe(2);
    expect(none.stdout).toContain('no API key is set');
    expect(none.stdout).toContain('no sync has brought everything yet');
  });

  it('says what could not be brought', async () => {
    courier.world.invoices.push(bill(2, { detail: { cod: 'much' } }));
    const { code, stdout, stderr } = await night(1, '--quiet', '--fail-on', 'never');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/not everything could be brought; 2026-11 incomplete\n/);
    expect(stdout).toContain('warning: invoice 2 cannot be read: ');
    expect(stdout).toContain('2026-11 is incomplete: ');
    expect(await json(night(2, '--json'))).toMatchObject({ exit_code: 3, sync: { status: 'partial' } });
  });

  it('says that a month lacks something, though all that was asked for came', async () => {
    const record = { ...row(9), workflow: 'STANDARD', delivery_state: 'DELIVERED', payment_state: 'UNPAID' };
    const delivered = { delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: '2026-08-05T09:00:00Z' };
    courier.world.invoices = [];
    courier.world.orders = [{ ...record, statestamps: [delivered] }];
    const { code, stdout } = await night(1, '--quiet', '--orders', '--fail-on', 'never');
    expect(code).toBe(1);
    expect(stdout).toContain('2026-08 is incomplete: it was never synced; run `remit sync 2026-08`');
    expect(stdout).toContain('complete');
    expect(stdout).not.toContain('2026-12 is incomplete');
  });

  it('names the month that is to be closed next, none of those before the first close', async () => {
    courier.world.invoices.push(invoiceOf(2, '2026-09-20T09:00:00Z', [row(2)], { status: 'PENDING_PAYMENT' }));
    const env = { REMIT_API_KEY: KEY, REMIT_API_URL: courier.url, REMIT_LEDGER: 'ledger.db' };
    const run = (...argv: string[]) => remit(argv, { cwd, env, now: new Date('2026-12-01T01:00:00Z') });
    expect((await run('sync', '2026-09..2026-11')).code).toBe(0);
    expect((await json(night(1, '--json'))).oldest_open_month).toBe('2026-09');
    expect((await run('close', '2026-10', '--first', '--with-open', 'begins here', '--by', 'rana')).code).toBe(0);
    expect((await json(night(2, '--json'))).oldest_open_month).toBe('2026-11');
  });

  it('leaves everything alone while a sync is at work', async () => {
    await night(1);
    const told = await usingLedger(path.join(cwd, 'ledger.db'), { exclusive: 'sync' }, () => json(night(2, '--json')));
    expect(told).toMatchObject({ exit_code: 4, sync: null, sync_failure: { code: 'busy' }, check: null });
    const { code, stdout } = await usingLedger(path.join(cwd, 'ledger.db'), { exclusive: 'sync' }, () =>
      night(2, '--quiet'),
    );
    expect([code, stdout]).toEqual([4, expect.stringContaining('another command is at work')]);
  });

  it('ends with 130 when it is interrupted', async () => {
    const signal = AbortSignal.abort();
    const env = { REMIT_API_URL: courier.url, REMIT_LEDGER: 'ledger.db', REMIT_API_KEY: KEY };
    const { code, stdout } = await remit(['night'], { cwd, env, signal, now: new Date('2026-12-01T02:00:00Z') });
    expect([code, stdout]).toEqual([130, '']);
  });
});

describe('a night tells', () => {
  let hook: Server;
  let posts: { body: string; headers: IncomingMessage['headers']; url: string }[];
  let answer: (response: ServerResponse) => void;
  beforeEach(async () => {
    posts = [];
    answer = (response) => send(response, 200, {});
    hook = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        posts.push({ body, headers: request.headers, url: request.url ?? '' });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    writeFileSync(
      path.join(cwd, 'told.mjs'),
      `import { readFileSync, writeFileSync } from 'node:fs';
       writeFileSync(process.argv[2], JSON.stringify({ text: readFileSync(0, 'utf8'), env: process.env }));
       process.exit(Number(process.argv[3] ?? 0));`,
    );
  });
  afterEach(() => new Promise((resolve) => hook.close(resolve)));

  const settings = (...lines: string[]) => writeFileSync(path.join(cwd, 'remit.toml'), `${lines.join('\n')}\n`);
  const hookUrl = () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hooks/s3cret?sig=1`;
  const command = (...args: string[]) =>
    `notify_command = ${JSON.stringify(`"${process.execPath}" told.mjs ${args.join(' ')}`)}`;

  it('a command and an address, on news only, and neither gets the key', async () => {
    settings(command('"told it.json"'), `notify_url = "${hookUrl()}"`);
    expect((await night(1, '--quiet')).code).toBe(0);
    expect([existsSync(path.join(cwd, 'told it.json')), posts]).toEqual([false, []]);

    courier.world.invoices.push(wrong(2));
    const { stdout } = await nightWith({ REMIT_API_KEY: KEY, COPY: `x${KEY}` }, 2, '--quiet');
    const told = JSON.parse(readFileSync(path.join(cwd, 'told it.json'), 'utf8'));
    expect(told.text).toBe(stdout);
    expect(told.env).toMatchObject({
      REMIT_API_URL: courier.url,
      REMIT_NIGHT_SUBJECT: 'remit night 2026-12-02: 1 new, 0 resolved; ahead 10.00 USD',
      REMIT_NIGHT_EXIT_CODE: '3',
    });
    expect(posts).toHaveLength(1);
    const { body, headers, url } = posts[0]!;
    expect(JSON.parse(body)).toMatchObject({ exit_code: 3, check: { new: 1 }, notified: [] });
    expect([headers['content-type'], url]).toEqual(['application/json', '/hooks/s3cret?sig=1']);
    expect(JSON.stringify([told, posts])).not.toContain(KEY);

    await night(3, '--quiet');
    expect(posts).toHaveLength(1);
  });

  it('on trouble too, and says what did not arrive without telling the address', async () => {
    settings(command('told.json', '7'), `notify_url = "${hookUrl()}"`);
    await night(1);
    await courier.close();
    answer = (response) => void response.writeHead(302, { location: '/elsewhere' }).end();
    const told = await json(night(2, '--json', '--fail-on', 'never'));
    expect(told.notified).toEqual([
      { to: 'command', ok: false, why: expect.stringMatching(/^`notify_command` \(.*\) ended with code 7$/) },
      { to: 'url', ok: false, why: expect.stringMatching(/ answered HTTP 302; redirects are not followed$/) },
    ]);
    expect(JSON.stringify(told)).not.toContain('s3cret');
    expect(posts).toHaveLength(1);
  });

  it('and a notification that fails makes the night fail', async () => {
    settings('notify_command = "no-such-program-anywhere"', 'notify_url = "http://127.0.0.1:9/"');
    courier.world.invoices.push(bill(2, { status: 'ON_HOLD' }));
    const { code, stdout } = await night(1, '--quiet');
    expect(code).toBe(1);
    expect(stdout).toContain('not notified: `notify_command` (no-such-program-anywhere) could not be run (ENOENT)');
    expect(stdout).toMatch(/not notified: `notify_url` \(127\.0\.0\.1:9\) gave no answer \(/);
  });

  it.each([
    ['in%20address', 'in address', 'db.example'],
    ['100%sure', '100%sure', 'db.example'],
    ['p@sswordlong', 'p@sswordlong', 'db.example'],
    ['in%20address', 'in address', 'a.example:5432,b.example:5432'],
  ])('a command, to which no secret of the environment is passed on (%s, %s, %s)', async (written, password, hosts) => {
    settings(command('told.json'));
    courier.world.invoices.push(wrong(2));
    const env = {
      REMIT_API_KEY: KEY,
      REMIT_LEDGER: `postgresql://rana:${written}@${hosts}/books`,
      PGPASSWORD: 'in the environment',
      COPY_OF_ADDRESS: `host=db.example password=${password}`,
      COPY_OF_PASSWORD: 'x in the environment x',
      LANG: 'C.UTF-8',
    };
    expect((await nightWith(env, 1, '--ledger', 'ledger.db', '--quiet')).code).toBe(3);
    const told = JSON.parse(readFileSync(path.join(cwd, 'told.json'), 'utf8'));
    expect(told.env).toMatchObject({ LANG: 'C.UTF-8', REMIT_NIGHT_EXIT_CODE: '3' });
    expect(Object.keys(told.env)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/REMIT_LEDGER|PGPASS|COPY/)]),
    );
    for (const secret of [written, password, 'in the environment']) expect(JSON.stringify(told)).not.toContain(secret);
  });

  it('a command that cannot be started, and ends at once', async () => {
    settings(`api_url = "${courier.url}"`, 'notify_command = "no-such-program-anywhere"');
    courier.world.invoices.push(bill(2, { status: 'ON_HOLD' }));
    writeFileSync(path.join(cwd, 'waits.cjs'), SAYS_LONG_WAITS);
    const env = { REMIT_API_KEY: KEY, NODE_OPTIONS: '--require=./waits.cjs' };
    const { stdout, stderr } = await runRemit(['night', '--quiet'], env, cwd);
    expect(stdout).toContain('`notify_command` (no-such-program-anywhere) could not be run (ENOENT)');
    expect(stderr).toBe('');
  });

  it('no address to which the figures would travel in the open', async () => {
    for (const url of ['http://example.com/', 'ftp://localhost/', 'https://me:pw@example.com/']) {
      settings(`notify_url = "${url}"`);
      const { code, stderr } = await night(1);
      expect([code, stderr]).toEqual([2, expect.stringContaining('`notify_url` must')]);
    }
  });
});

it('a JSON log has a line an event, each with the night’s sync', async () => {
  courier.world.invoices.push(bill(2, { detail: { cod: 'much' } }));
  await night(1);
  const { stderr } = await night(2, '--log-format', 'json');
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['note', 'done', 'synced', 'checked', 'night']),
  );
  expect(lines.filter(({ run }) => run !== 2)).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ event: 'night', exit_code: 3, new: 0 });
  await courier.close();
  const dead = await night(3, '--log-format', 'json', '--quiet');
  expect(JSON.parse(dead.stderr.trim())).toMatchObject({ level: 'error', event: 'failed', run: 3, code: 'api' });
});
