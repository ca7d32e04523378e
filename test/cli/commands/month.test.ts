import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/sqlite.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

/** October holds two sound invoices, November one whose header is 5.00 USD short of its row. */
beforeEach(() => {
  const row = (id: string) => ({
    order_id: id,
    cod: [['USD', '10.00']] as [string, string][],
    delivery_fee: [['USD', '2.00']] as [string, string][],
  });
  courier.world.invoices = [
    invoiceOf(1, '2026-10-05T10:00:00+00:00', [row('A'), row('B')]),
    invoiceOf(2, '2026-10-12T10:00:00+00:00', [row('C')]),
    invoiceOf(3, '2026-11-02T10:00:00+00:00', [row('=D')], {
      cod: [['USD', '5.00']],
      net_due_to_merchant: [['USD', '3.00']],
    }),
  ];
});

const now = new Date('2026-11-20T09:00:00Z');

function at(cwd: string, ...argv: string[]): Promise<Outcome> {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db' };
  return remit(argv, { cwd, env, now });
}

async function synced(): Promise<string> {
  const cwd = scratchFolder();
  expect((await at(cwd, 'sync')).code).toBe(0);
  return cwd;
}

describe('remit sync', () => {
  it('without a period brings last month and this one', async () => {
    const cwd = scratchFolder();
    const { code, stdout } = await at(cwd, 'sync', '--json');
    expect(code).toBe(0);
    const brought = {
      run: 1,
      status: 'complete',
      periods: ['2026-10', '2026-11'],
      requests: 6,
      retries: 0,
      invoices: { listed: 3, fetched: 3, unchanged: 0, failed: 0 },
      orders: { listed: 0, changed: 0 },
      malformed: 0,
      bytes: expect.any(Number),
      seconds: expect.any(Number),
      budget: { used_this_month: 6, left: null, resets_on: '2026-12-01' },
      incomplete: [],
    };
    expect(JSON.parse(stdout)).toEqual({ ...brought, couriers: [{ name: 'zahra-store', ...brought }] });
  });

  it('--dry-run says what it would do, and does nothing', async () => {
    const cwd = scratchFolder();
    const { code, stdout } = await at(cwd, 'sync', '--dry-run');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '2026-10: 2 listed, 2 to fetch (2 new)\n2026-11: 1 listed, 1 to fetch (1 new)\n6 requests\n',
    });
    expect(existsSync(path.join(cwd, 'ledger.db'))).toBe(false);
    await at(cwd, 'sync');
    const before = readFileSync(path.join(cwd, 'ledger.db'));
    const again = await at(cwd, 'sync', '2026-10', '--dry-run', '--orders', '--json');
    expect(JSON.parse(again.stdout)).toEqual({
      dry_run: true,
      orders: true,
      periods: [{ courier: 'zahra-store', period: '2026-10', listed: 2, fetch: [] }],
      requests: { planned: 3, used_this_month: 6, left: null },
    });
    expect(readFileSync(path.join(cwd, 'ledger.db')).equals(before)).toBe(true);
  });

  it('asks before another merchant gets into the ledger', async () => {
    const cwd = await synced();
    courier.world.organisation = 'Another Shop';
    try {
      const { code, stderr } = await at(cwd, 'sync');
      expect(code).toBe(1);
      expect(stderr).toContain('--accept-account');
      expect((await at(cwd, 'sync', '--accept-account')).code).toBe(0);
    } finally {
      courier.world.organisation = 'Zahra Store';
    }
  });

  it('shows a bar on a terminal, and ends with the summary', async () => {
    const cwd = scratchFolder();
    const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db' };
    const { code, stdout, stderr } = await remit(['sync'], { cwd, env, now, terminal: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^synced 2026-10\.\.2026-11: complete\n {2}invoices {2}3 listed, 3 fetched, 0 unchanged\n/);
    expect(stderr).toContain('2026-10 invoices: 2 in');
  });

  it('writes plain lines to a terminal that obeys nothing', async () => {
    const cwd = scratchFolder();
    const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db', TERM: 'dumb' };
    const sync = await remit(['sync'], { cwd, env, now, terminal: true });
    const report = await remit(['report', 'totals'], { cwd, env, now, terminal: true });
    expect([sync.code, report.code]).toEqual([0, 0]);
    expect(sync.stderr).toContain('2026-10 invoices: 2 in');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys is what is looked for
    expect(sync.stdout + sync.stderr + report.stdout + report.stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
  });
});

describe('remit check', () => {
  it('exits with 3 for an error, and not below --fail-on', async () => {
    const cwd = await synced();
    expect((await at(cwd, 'check')).code).toBe(3);
    expect((await at(cwd, 'check', '2026-10')).code).toBe(0);
    // November is not over: a month that is incomplete is no clean one.
    expect((await at(cwd, 'check', '--fail-on', 'never')).code).toBe(1);
    expect((await at(cwd, 'check', '2026-10', '--only', 'payment-overdue')).code).toBe(0);
    expect((await at(cwd, 'check', '--only', 'payment-overdue,invoice-cod-total')).code).toBe(3);
  });

  it('exits with 3 for a warning only when asked to', async () => {
    courier.world.invoices = [
      invoiceOf(
        9,
        '2026-10-01T10:00:00+00:00',
        [{ order_id: 'A', cod: [['USD', '9.00']], delivery_fee: [['USD', '1.00']] }],
        { status: 'PENDING_PAYMENT' },
      ),
    ];
    const cwd = await synced();
    expect((await at(cwd, 'check', '2026-10')).code).toBe(0);
    expect((await at(cwd, 'check', '--fail-on', 'warning')).code).toBe(3);
  });

  it('tells people what, where and what to do; what was skipped; and the sum', async () => {
    const cwd = await synced();
    const { stdout } = await at(cwd, 'check', '--no-color');
    expect(stdout).toMatch(
      /^2026-11: you are short 5\.00 USD\nA header’s COD is not the sum of its rows: invoice 3 · short 5\.00 USD\n {2}error {2}invoice-cod-total {2}2026-11\n {2}Invoice 3 .+\n\n/,
    );
    expect(stdout).toMatch(/\nskipped order-amount-differs, .+: the order book was never synced; .+\n/);
    expect(stdout).toMatch(
      /\nbridge 2026-11 USD: courier 3\.00, no order book: .+\n {2}-5\.00 {2}invoice-cod-total \(1\)\n/,
    );
    expect(stdout).toMatch(/\n2026-10\.\.2026-11: incomplete; 1 error open, 1 new, 0 resolved\n$/);
  });

  it('tells machines the same', async () => {
    const cwd = await synced();
    const result = JSON.parse((await at(cwd, 'check', '--json')).stdout);
    expect(Object.keys(result).sort()).toEqual(
      'bridge coverage groups incomplete mismatches new open order_book period resolved skipped'.split(' '),
    );
    expect(result).toMatchObject({ period: '2026-10..2026-11', open: { error: 1, warning: 0, info: 0 } });
    expect(result.skipped[0]).toEqual({ courier: 'zahra-store', code: expect.any(String), why: expect.any(String) });
    expect(Object.keys(result.mismatches[0]).sort()).toEqual(
      'actual amount cause code courier currency difference effect expected field id invoice_number invoice_number_text message order_id period reference_id severity status subject unit'.split(
        ' ',
      ),
    );
  });

  it('says which months of a period it could not look at', async () => {
    const cwd = await synced();
    const { stderr } = await at(cwd, 'check', '2026-09..2026-10');
    expect(stderr).toBe('warning: 2026-09 is incomplete: it was never synced; run `remit sync 2026-09`\n');
  });

  it('--only takes checks, and a period that strayed there is told where it belongs', async () => {
    const { code, stderr } = await remit(['check', '--only', 'invoice-net', '2026-11'], { cwd: '/' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^remit: "2026-11" is no check but a period\n {2}→ .*PERIOD --only/);
  });

  it('keeps to the width of a terminal', async () => {
    courier.world.invoices[2]!.cod = [['USD', '-123456789012.00']];
    const cwd = await synced();
    const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db' };
    const { stdout } = await remit(['check'], { cwd, env, now, terminal: true, columns: 60 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    const lines = stdout.replace(/\u001b\[\d+m/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(lines.slice(1, 3)).toEqual([
      'A header’s COD is not the sum of its rows: invoice 3 · short',
      '123,456,789,022.00 USD',
    ]);
  });

  it('--quiet is silent where all is well', async () => {
    courier.world.invoices = courier.world.invoices.slice(0, 2);
    courier.world.orders = ['A', 'B', 'C'].map((order_id, i) => ({
      order_id,
      reference_id: order_id,
      workflow: 'STANDARD',
      delivery_state: 'DELIVERED',
      payment_state: 'PAID_TO_MERCHANT',
      cod: [['USD', '10.00']],
      delivery_fee: [['USD', '2.00']],
      merchant_invoice: i < 2 ? 1 : 2,
    }));
    const cwd = scratchFolder();
    expect(await at(cwd, 'sync', '--orders', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await at(cwd, 'sync', '--orders', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await at(cwd, 'check', '2026-10', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await at(cwd, 'check', '--quiet')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^warning: 2026-11 is incomplete/),
    });
    courier.world.orders = [];
  });
});

describe('remit report', () => {
  it('lists the reports', async () => {
    const { stdout } = await at(scratchFolder(), 'report');
    const names = stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(names.slice(0, 4)).toEqual(['totals', 'invoices', 'orders', 'mismatches']);
    expect(names.slice(-2)).toEqual(['runs', '']);
    expect(names).toEqual(
      expect.arrayContaining(['ageing', 'not-invoiced', 'roll-forward', 'changes', 'journal', 'fees', 'lag']),
    );
    expect(JSON.parse((await at(scratchFolder(), 'report', '--json')).stdout).reports[0]).toMatchObject({
      name: 'totals',
    });
  });

  it('prints a table for people, and JSON with --json', async () => {
    const cwd = await synced();
    expect((await at(cwd, 'report', 'totals')).stdout).toContain('Totals by month and currency, 2026-10..2026-11');
    const { rows, totals, generated_at } = JSON.parse((await at(cwd, 'report', 'totals', '2026-10', '--json')).stdout);
    expect(rows).toMatchObject([
      { period: '2026-10', currency: 'USD', invoices: 2, orders: 3, cod: '30.00', net_due_to_merchant: '24.00' },
    ]);
    expect(totals.length).toBe(1);
    expect(generated_at).toBe(now.toISOString());
  });

  it('takes the format from the ending of the file', async () => {
    const cwd = await synced();
    expect(await at(cwd, 'report', 'orders', '--out', 'o.csv', '--bom')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `wrote ${path.join(cwd, 'o.csv')}\n`,
    });
    expect(readFileSync(path.join(cwd, 'o.csv'), 'utf8')).toMatch(/^\uFEFFcourier,invoice_number,order_id,.*'=D,/s);
    await at(cwd, 'report', 'orders', '--out', 'o.xlsx');
    expect(readFileSync(path.join(cwd, 'o.xlsx')).subarray(0, 2).toString()).toBe('PK');
    await at(cwd, 'report', 'orders', '--out', 'o.json', '-q');
    expect(JSON.parse(readFileSync(path.join(cwd, 'o.json'), 'utf8')).report).toBe('orders');
  });

  it.each([
    ['totals --format csv --out t.xlsx', '--format csv and the ending of t.xlsx contradict each other'],
    ['totals --out t.pdf', 'the ending of "t.pdf" says no format'],
    ['totals --bom', '--bom is for CSV, and this is table'],
    ['runs 2026-10', 'the report runs is about the whole ledger and has no period'],
  ])('refuses what contradicts itself: %s', async (line, sentence) => {
    const cwd = scratchFolder();
    const { code, stderr } = await at(cwd, 'report', ...line.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(`remit: ${sentence}\n  → `);
    expect(readdirSync(cwd)).toEqual([]);
    const both = await at(cwd, 'report', 'totals', '--format', 'csv', '--json');
    expect(both.code).toBe(2);
    expect(JSON.parse(both.stderr).error.message).toBe('--format csv and --json contradict each other');
  });

  it('gives the same workbook for the same ledger, whenever it is asked', async () => {
    const cwd = await synced();
    const env = { REMIT_LEDGER: 'ledger.db' };
    for (const day of ['20', '21']) {
      const later = new Date(`2026-11-${day}T10:00:00Z`);
      const argv = ['report', 'orders', '2026-10', '--out', `${day}.xlsx`];
      expect((await remit(argv, { cwd, env, now: later })).code).toBe(0);
    }
    expect(readFileSync(path.join(cwd, '20.xlsx')).equals(readFileSync(path.join(cwd, '21.xlsx')))).toBe(true);
  });

  it('takes a format that the ending of the file does not say', async () => {
    const cwd = await synced();
    expect((await at(cwd, 'report', 'totals', '--out', 't.dat', '--format', 'csv')).code).toBe(0);
    expect((await at(cwd, 'report', 'totals', '--out', 't.txt', '--format', 'table')).code).toBe(0);
    expect((await at(cwd, 'report', 'totals', '--out', 't', '--json')).code).toBe(0);
  });

  it('does not pour a workbook over a terminal', async () => {
    const { code, stderr } = await remit(['report', 'totals', '--format', 'xlsx'], { cwd: '/', terminal: true });
    expect(code).toBe(2);
    expect(stderr).toContain('--out FILE.xlsx');
  });
});

describe('remit statement', () => {
  it('checks the month, writes its workbook beside the ledger, and prints the key figures', async () => {
    const cwd = await synced();
    const file = path.join(cwd, 'statements', '2026-11.xlsx');
    const { code, stdout } = await at(cwd, 'statement', 'this-month');
    expect(code).toBe(0);
    expect(stdout).toBe(
      `${file}\n2026-11: 1 invoice, 1 order\n  USD  COD 5.00  fees 2.00  net due 3.00  outstanding 0.00  unexplained (no order book)\n  1 error open\n`,
    );
    expect(existsSync(file)).toBe(true);
    // The checks have run: their mismatches are stored.
    expect((await at(cwd, 'report', 'mismatches', '2026-11', '--format', 'csv')).stdout).toContain('invoice-cod-total');
  });

  it('prints the figures for machines, and the path alone with --quiet', async () => {
    const cwd = await synced();
    const told = JSON.parse((await at(cwd, 'statement', '2026-10', '--out', 's.xlsx', '--json')).stdout);
    expect(told).toMatchObject({
      month: '2026-10',
      file: path.join(cwd, 's.xlsx'),
      invoices: 2,
      orders: 3,
      open: { error: 0 },
    });
    expect(told.figures).toEqual([
      {
        courier_name: 'zahra-store',
        currency: 'USD',
        cod: '30.00',
        delivery_fee: '6.00',
        net_due_to_merchant: '24.00',
        paid: '24.00',
        received: '0.00',
        differences: '0.00',
        paid_on_word: '24.00',
        outstanding: '0.00',
        basis: 'courier',
        courier: '24.00',
        ours: null,
        unexplained: null,
        short: '0.00',
        closing: '24.00',
      },
    ]);
    expect((await at(cwd, 'statement', '2026-10', '-q', '--out', 's.xlsx')).stdout).toBe(
      `${path.join(cwd, 's.xlsx')}\n`,
    );
  });
});

describe('remit statement, of what it lacks', () => {
  it('says which invoices are in no figure', async () => {
    courier.world.invoices[1]!.detail = { cod: [['USD', '12.3x']] };
    const cwd = scratchFolder();
    expect((await at(cwd, 'sync', '2026-10')).code).toBe(1);
    const { code, stderr } = await at(cwd, 'statement', '2026-10');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: 2026-10 is incomplete: no detail of invoice 2 was ever read; run `remit sync 2026-10`\n',
    });
  });

  it('is a workbook or a page, under no other ending', async () => {
    const cwd = scratchFolder();
    const { code, stderr } = await at(cwd, 'statement', '2026-10', '--out', 's.csv');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'remit: a statement is written as a workbook, HTML or PDF, and "s.csv" does not end in .xlsx, .html or .pdf\n  → Name a file that does.\n',
    );
  });
});

describe('remit backup', () => {
  it.each([[], ['--force']])('refuses a folder, and leaves nothing there %j', async (...flags) => {
    const cwd = await synced();
    mkdirSync(path.join(cwd, 'copies'));
    const { code, stderr } = await at(cwd, 'backup', 'copies', ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(`remit: ${path.join(cwd, 'copies')} is a folder\n  → `);
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('copies a ledger that is being written to, complete and sound', async () => {
    const cwd = await synced();
    const writer = openDatabase(path.join(cwd, 'ledger.db'));
    writer.exec('begin immediate');
    writer.exec(
      "insert into run (id, courier, command, started_at, status, remit_version) values (99, 'courier', 'sync', '2026', 'running', '0')",
    );
    const { code, stdout } = await at(cwd, 'backup', 'copy.db', '--json');
    writer.exec('rollback');
    writer.close();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: path.join(cwd, 'copy.db'), bytes: expect.any(Number) });
    const totals = (ledger: string) => at(cwd, 'report', 'totals', '--ledger', ledger, '--format', 'csv');
    expect((await totals('copy.db')).stdout).toBe((await totals('ledger.db')).stdout);
    const copy = openDatabase(path.join(cwd, 'copy.db'), { readonly: true });
    expect(copy.prepare('select count(*) from run').pluck().get()).toBe(1);
    copy.close();
  });
});
