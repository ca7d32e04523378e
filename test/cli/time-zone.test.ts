import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { readWorkbook } from '../helpers/workbook.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

/**
 * An invoice of October, unpaid, of 8.00 net: half an hour before the month's end in UTC, and in November in Beirut.
 */
beforeEach(() => {
  const row = {
    order_id: 'A',
    reference_id: 'R-A',
    cod: [['USD', '10.00']] as [string, string][],
    delivery_fee: [['USD', '2.00']] as [string, string][],
  };
  courier.world.invoices = [invoiceOf(1, '2026-10-31T23:30:00+00:00', [row], { status: 'PENDING_PAYMENT' })];
  courier.world.orders = [
    {
      ...row,
      workflow: 'STANDARD',
      delivery_state: 'DELIVERED',
      payment_state: 'PENDING_PAYMENT_TO_MERCHANT',
      merchant_invoice: 1,
      statestamps: [],
    },
  ];
});

interface Books {
  readonly folder: string;
  set(zone: string): void;
  run(now: string, ...argv: string[]): Promise<Outcome>;
  rows(now: string, ...argv: string[]): Promise<Record<string, unknown>[]>;
}

async function books(zone: string, more = ''): Promise<Books> {
  const folder = scratchFolder();
  const set = (name: string) =>
    writeFileSync(
      path.join(folder, 'remit.toml'),
      `api_url = "${courier.url}"\ntime_zone = "${name}"\n[receipts]\npayers = ["Cedar Road"]\n${more}`,
    );
  const run: Books['run'] = (now, ...argv) =>
    remit(argv, { cwd: folder, env: { REMIT_API_KEY: KEY }, now: new Date(now) });
  set(zone);
  const { code, stderr } = await run('2026-11-03T09:00:00Z', 'sync', '2026-10..2026-11', '--orders');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const rows: Books['rows'] = async (now, ...argv) => {
    const { stdout, stderr } = await run(now, ...argv, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout).rows;
  };
  return { folder, set, run, rows };
}

const NOW = '2026-11-20T09:00:00Z';

describe('what is said near midnight', () => {
  const TURN = '2026-11-20T22:30:00Z';

  it.each([
    ['UTC', '2026-11-20'],
    ['Asia/Beirut', '2026-11-21'],
  ])('is of the day in %s: a claim, and what became of it', async (zone, day) => {
    const { run } = await books(zone);
    courier.world.invoices[0]!.net_due_to_merchant = [['USD', '7.00']];
    await run(NOW, 'sync', '2026-10', '--full');
    await run(NOW, 'check', '2026-10');
    const claimed = await run(TURN, 'dispute', '--code', 'invoice-net', '--by', 'Rana', '--yes', '--json');
    expect(JSON.parse(claimed.stdout)).toMatchObject({ on: day, lines: [{ code: 'invoice-net' }] });
    const { id } = JSON.parse(claimed.stdout).lines[0];
    const answer = await run(TURN, 'dispute', 'answer', id, '--refused', '--note', 'no', '--by', 'Rana');
    const said = `answered (refused) on ${day}, claimed on ${day} by Rana`;
    expect(answer.stdout).toContain(said);
    expect((await run(NOW, 'dispute', 'list')).stdout).toContain(said);
    expect((await run(NOW, 'dispute', 'show', id)).stdout).toContain(said);
    expect((await run(NOW, 'dispute', id)).stderr).toContain(said);
    expect((await run(NOW, 'mismatch', 'list')).stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  });

  it.each([
    ['UTC', '2026-11-20'],
    ['Asia/Beirut', '2026-11-21'],
  ])('is of the day in %s: a night, and a token', async (zone, day) => {
    const { run } = await books(zone);
    expect((await run(TURN, 'night')).stdout).toContain(`remit night ${day}: `);
    await run(TURN, 'serve', 'token', '--role', 'reader', '--name', 'BI', '--by', 'Rana');
    await run(TURN, 'serve', 'token', 'revoke', 'BI');
    expect((await run(NOW, 'serve', 'token', 'list')).stdout).toContain(`made ${day} by Rana  revoked ${day}`);
  });
});

describe('an invoice of the last minutes of a month', () => {
  it.each([
    ['UTC', '2026-10-31', 20],
    ['Asia/Beirut', '2026-11-01', 19],
  ])('ages in %s from %s on, and stays in the courier’s month', async (zone, day, age) => {
    const { rows } = await books(zone);
    expect(await rows(NOW, 'report', 'ageing', '2026-11')).toMatchObject([{ issued_on: day, days: age + 10 }]);
    // The courier's month is October in both, and it is owed at its end.
    const [october] = await rows(NOW, 'report', 'roll-forward', '2026-10');
    expect(october).toMatchObject({ period: '2026-10', currency: 'USD', invoiced: '8.00', closing: '8.00' });
    expect(await rows(NOW, 'report', 'ageing', '2026-10')).toMatchObject([{ issued_on: day, days: 0 }]);
    expect(await rows(NOW, 'report', 'open-items', '2026-10')).toMatchObject([{ issued_on: day, days: 0 }]);
  });

  it.each([
    ['UTC', '2026-10-31', 31],
    ['Asia/Beirut', '2026-11-01', 30],
  ])('is shown in %s on %s, and is overdue by those days', async (zone, day, age) => {
    const { folder, run, rows } = await books(zone);
    expect((await run(NOW, 'report', 'invoices', '2026-10')).stdout).toContain(`${day} `);
    expect(await rows(NOW, 'report', 'invoices', '2026-10')).toMatchObject([
      { issued_at: '2026-10-31T23:30:00+00:00' },
    ]);
    await run(NOW, 'statement', '2026-10', '--out', 'october.xlsx');
    const { sheets } = await readWorkbook(readFileSync(path.join(folder, 'october.xlsx')));
    const cells = [...sheets.get('Invoices')!];
    const [title] = cells.find(([, { value }]) => value === 'Issued')!;
    const below = title.replace(/\d+/, (line) => String(Number(line) + 1));
    expect(dayOf(sheets.get('Invoices')!.get(below)!.value)).toBe(day);
    // Half an hour short of 31 days of 24 hours.
    const checked = JSON.parse((await run('2026-12-01T12:00:00Z', 'check', '2026-10', '--json')).stdout);
    const overdue = checked.mismatches.filter(({ code }: { code: string }) => code === 'payment-overdue');
    expect(overdue.map(({ actual }: { actual: string }) => actual)).toEqual(age > 30 ? [String(age)] : []);
  });

  it.each([
    ['UTC', []],
    ['Asia/Beirut', ['remittance-missing']],
  ])('has a payment window of days in %s', async (zone, codes) => {
    courier.world.invoices[0]!.status = 'PAID';
    const { folder, run } = await books(zone);
    // The account is held from 1 November on: the whole window in Beirut, not its first day in UTC.
    const lines = ['2026-11-01,1.00,USD,Cedar Road,', '2026-11-19,1.00,USD,Cedar Road,'];
    writeFileSync(path.join(folder, 'cash.csv'), `date,amount,currency,text,invoice\n${lines.join('\n')}\n`);
    expect(await run(NOW, 'import', 'receipts', 'cash.csv')).toMatchObject({ code: 0 });
    const { mismatches } = JSON.parse((await run(NOW, 'check', '2026-10', '--json')).stdout);
    const found = mismatches.map(({ code }: { code: string }) => code);
    expect(found.filter((code: string) => code === 'remittance-missing')).toEqual(codes);
  });
});

describe('a decision near midnight', () => {
  it.each([
    ['UTC', '0.00'],
    ['Asia/Beirut', '8.00'],
  ])('is of its day in %s', async (zone, closing) => {
    const { rows, run } = await books(zone);
    const argv = ['settle', '1', '--as', 'write-off', '--by', 'Rana', '--note', 'agreed', '--yes'];
    expect(await run('2026-11-30T22:30:00Z', ...argv)).toMatchObject({ code: 0 });
    expect(await rows(NOW, 'report', 'roll-forward', '2026-11')).toMatchObject([{ opening: '8.00', closing }]);
    const { stdout } = await run(NOW, 'settle', 'list', zone === 'UTC' ? '2026-11' : '2026-12');
    expect(stdout).toContain(zone === 'UTC' ? '2026-11-30 22:30:00 UTC ' : '2026-12-01 00:30:00 +02:00 ');
  });
});

describe('an order delivered near midnight', () => {
  it.each([
    ['UTC', '2026-10-15'],
    ['Asia/Beirut', '2026-10-16'],
  ])('is delivered on its day in %s, on the Orders sheet too', async (zone, day) => {
    const stamp = {
      delivery_state: 'DELIVERED',
      payment_state: 'UNPAID',
      timestamp: '2026-10-15T23:30:00.000000+00:00',
    };
    courier.world.orders[0]!.statestamps = [stamp];
    const { folder, run } = await books(zone);
    expect(await run(NOW, 'statement', '2026-10', '--out', 'october.xlsx')).toMatchObject({ code: 0 });
    const { sheets } = await readWorkbook(readFileSync(path.join(folder, 'october.xlsx')));
    const cells = [...sheets.get('Orders')!];
    const [title] = cells.find(([, { value }]) => value === 'Delivered on')!;
    const below = title.replace(/\d+/, (line) => String(Number(line) + 1));
    expect(dayOf(sheets.get('Orders')!.get(below)!.value)).toBe(day);
  });
});

/** The day of a serial number, as spreadsheets count days. */
function dayOf(serial: string | null): string {
  return new Date((Number(serial) - 25_569) * 86_400_000).toISOString().slice(0, 10);
}

describe('a closed month', () => {
  it('keeps its zone: in another no figure is computed until it is put back, or the month is open again', async () => {
    const { run, set } = await books('UTC');
    const close = await run(
      '2026-11-05T09:00:00Z',
      'close',
      '2026-10',
      '--by',
      'rana',
      '--first',
      '--with-open',
      'no receipts yet',
    );
    expect(close).toMatchObject({ code: 0 });
    set('Asia/Beirut');
    for (const argv of [
      ['report', 'roll-forward', '2026-10'],
      ['check', '2026-10'],
      ['sync', '2026-11'],
      ['close', '2026-11', '--by', 'rana'],
    ]) {
      const { code, stdout, stderr } = await run(NOW, ...argv);
      expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: '' });
      expect(stderr).toContain('2026-10 was closed in the time zone UTC, and the books are set to Asia/Beirut');
      expect(stderr).toContain('time_zone = "UTC"');
      expect(stderr).toContain('remit reopen');
    }
    expect(await run(NOW, 'verify')).toMatchObject({ code: 0 });
    set('UTC');
    expect(await run(NOW, 'report', 'roll-forward', '2026-10')).toMatchObject({ code: 0 });
    set('Asia/Beirut');
    expect(await run(NOW, 'reopen', '2026-10', '--by', 'rana', '--reason', 'the zone was wrong')).toMatchObject({
      code: 0,
    });
    expect(await run(NOW, 'report', 'roll-forward', '2026-10')).toMatchObject({ code: 0 });
  });
});

it('names examples where there is no such zone', async () => {
  const { run, set } = await books('UTC');
  set('Beirut');
  const { code, stderr } = await run(NOW, 'check', '2026-10');
  expect(code).toBe(2);
  expect(stderr).toContain('remit.toml:2: `time_zone` must be the name of a time zone, such as "Asia/Beirut"');
});

describe('the month that is running', () => {
  /** Half past midnight on 1 December in Beirut. */
  const TURN = '2026-11-30T22:30:00Z';

  it.each([
    ['UTC', '2026-11', ['2026-10', '2026-11']],
    ['Asia/Beirut', '2026-12', ['2026-10', '2026-11', '2026-12']],
  ])('is that of the clock in %s', async (zone, month, synced) => {
    const { run } = await books(zone);
    const periodsOf = async (...argv: string[]) =>
      JSON.parse((await run(TURN, 'sync', ...argv, '--json')).stdout).periods;
    expect(await periodsOf()).toEqual(synced);
    expect(await periodsOf('this-month')).toEqual([month]);
  });

  it.each([
    ['America/Lima', '2026-11-01T03:00:00Z', true],
    ['UTC', '2026-11-01T03:00:00Z', false],
    ['UTC', '2026-10-31T22:30:00Z', true],
    ['Asia/Beirut', '2026-10-31T22:30:00Z', false],
  ])('cannot be closed: in %s at %s', async (zone, now, isRunning) => {
    const { run } = await books(zone);
    const argv = ['close', '2026-10', '--by', 'rana', '--first', '--with-open', 'no receipts yet', '--json'];
    const { code, stdout } = await run(now, ...argv);
    expect(code).toBe(isRunning ? 1 : 0);
    const { reasons = [] } = JSON.parse(stdout);
    expect(reasons).toMatchObject(
      isRunning ? [{ code: 'not-ended', remedy: expect.stringContaining(`(${zone})`) }] : [],
    );
  });

  it.each([
    ['UTC', 1],
    ['Asia/Beirut', 0],
  ])('was looked at before its end, in %s', async (zone, reasons) => {
    const { run } = await books(zone);
    await run(TURN, 'sync', '2026-11', '--orders');
    const { incomplete } = JSON.parse((await run('2026-12-02T09:00:00Z', 'check', '2026-11', '--json')).stdout);
    expect(incomplete).toHaveLength(reasons);
  });
});

describe('a day of --as-of', () => {
  it.each([
    ['UTC', '9.00'],
    ['Asia/Beirut', '8.00'],
  ])('ends at midnight in %s', async (zone, net) => {
    const { run } = await books(zone);
    courier.world.invoices[0]!.net_due_to_merchant = [['USD', '9.00']];
    await run('2026-11-04T22:30:00Z', 'sync', '2026-10', '--full');
    const { stdout } = await run(NOW, 'report', 'invoices', '2026-10', '--as-of', '2026-11-04', '--json');
    expect(JSON.parse(stdout).rows).toMatchObject([{ net_due_to_merchant: net }]);
  });

  it('goes by the record of the ledger that --ledger names, as this-month does', async () => {
    const { folder, run } = await books('Asia/Beirut');
    courier.world.invoices[0]!.net_due_to_merchant = [['USD', '9.00']];
    await run('2026-11-04T22:30:00Z', 'sync', '2026-10', '--full');
    const elsewhere = scratchFolder();
    writeFileSync(path.join(elsewhere, 'remit.toml'), `api_url = "${courier.url}"\n`);
    const report = async (now: string, ...argv: string[]) => {
      const typed = ['report', ...argv, '--ledger', path.join(folder, 'ledger.db'), '--json'];
      const { stdout, stderr } = await remit(typed, { cwd: elsewhere, now: new Date(now) });
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    const { rows } = await report(NOW, 'invoices', '2026-10', '--as-of', '2026-11-04');
    expect(rows).toMatchObject([{ net_due_to_merchant: '8.00' }]);
    // Half past midnight on 1 November in Beirut.
    expect(await report('2026-10-31T22:30:00Z', 'invoices', 'this-month')).toMatchObject({ period: '2026-11' });
  });
});

describe('an order of the last minutes of a month that no invoice lists', () => {
  it.each([
    ['UTC', '2026-10'],
    ['Asia/Beirut', '2026-11'],
  ])('is missing in the month of its delivery in %s, as the report has it', async (zone, month) => {
    const state = { delivery_state: 'DELIVERED', payment_state: 'PENDING_PAYMENT_TO_MERCHANT' };
    const stamps = [{ ...state, timestamp: '2026-10-31T22:30:00.000000+00:00' }];
    courier.world.invoices = [];
    courier.world.orders[0]!.statestamps = stamps;
    courier.world.orders[0]!.merchant_invoice = null;
    const { rows, run } = await books(zone);
    for (const asked of ['2026-10', '2026-11']) {
      const { mismatches } = JSON.parse((await run(NOW, 'check', asked, '--json')).stdout);
      const found = mismatches.filter(({ code }: { code: string }) => code === 'delivered-not-invoiced');
      expect(found).toMatchObject(asked === month ? [{ period: month, order_id: 'A' }] : []);
    }
    const waiting = await rows(NOW, 'report', 'not-invoiced', '2026-10');
    expect(waiting).toHaveLength(month === '2026-10' ? 1 : 0);
  });

  it('was taken out of the order book in the month of its delivery', async () => {
    const state = { delivery_state: 'DELIVERED', payment_state: 'PENDING_PAYMENT_TO_MERCHANT' };
    courier.world.invoices = [];
    courier.world.orders[0]!.statestamps = [{ ...state, timestamp: '2026-10-31T22:30:00.000000+00:00' }];
    courier.world.orders[0]!.merchant_invoice = null;
    const { run } = await books('Asia/Beirut');
    courier.world.orders = [];
    await run('2026-11-04T09:00:00Z', 'sync', '2026-10..2026-11', '--orders');
    const { mismatches } = JSON.parse((await run(NOW, 'check', '2026-10..2026-11', '--json')).stdout);
    const gone = mismatches.filter(({ code }: { code: string }) => code === 'order-vanished');
    expect(gone).toMatchObject([{ period: '2026-11', order_id: 'A' }]);
  });
});

describe('an agreed price', () => {
  it.each([
    ['UTC', []],
    ['Asia/Beirut', ['fee-off-tariff']],
  ])('is that of the day of delivery in %s', async (zone, codes) => {
    const state = { delivery_state: 'DELIVERED', payment_state: 'PENDING_PAYMENT_TO_MERCHANT' };
    courier.world.orders[0]!.statestamps = [{ ...state, timestamp: '2026-10-31T22:30:00.000000+00:00' }];
    const { folder, run } = await books(zone);
    writeFileSync(
      path.join(folder, 'tariff.csv'),
      'workflow,district,area,merchant_location,from,to,currency,fee\n,,,,,2026-10-31,USD,2.00\n,,,,2026-11-01,,USD,3.00\n',
    );
    expect(await run(NOW, 'import', 'tariff', 'tariff.csv')).toMatchObject({ code: 0 });
    const { mismatches } = JSON.parse((await run(NOW, 'check', '2026-10', '--json')).stdout);
    expect(
      mismatches.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('fee')),
    ).toEqual(codes);
  });
});
