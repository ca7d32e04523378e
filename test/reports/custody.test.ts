import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeOrder, invoiceOf, KEY, type Pair, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

type Stamp = readonly [day: string, payment_state: string];

const DRIVER = 'PENDING_PAYMENT_BY_DRIVER';
const COMPANY = 'PAID_BY_DRIVER';
const READY = 'PENDING_PAYMENT_TO_MERCHANT';
const PAID = 'PAID_TO_MERCHANT';

/** A delivered order with the days on which its payment state changed, the first of them that of its delivery. */
function order(order_id: string, usd: string, stamps: readonly Stamp[], more: Record<string, unknown> = {}): FakeOrder {
  return {
    order_id,
    reference_id: `#${order_id}`,
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: stamps.at(-1)![1],
    merchant_invoice: null,
    cod: [['USD', usd]] as Pair[],
    delivery_fee: [['USD', '2.00']] as Pair[],
    statestamps: stamps.map(([day, payment_state]) => ({
      delivery_state: 'DELIVERED',
      payment_state,
      timestamp: `2026-${day}T10:00:00Z`,
    })),
    ...more,
  };
}

const onInvoice = (order_id: string, usd: string) => ({
  order_id,
  reference_id: `#${order_id}`,
  cod: [['USD', usd]] as Pair[],
  delivery_fee: [['USD', '2.00']] as Pair[],
});

const billed = (number: number) => ({ merchant_invoice: number });

/** Four invoices: one paid by a receipt, one in part, one said to be paid and not received, one open. */
function fillCourier(): void {
  courier.world.invoices = [
    invoiceOf(1, '2026-10-05T10:00:00Z', [onInvoice('R1', '50.00'), onInvoice('R2', '30.00')]),
    invoiceOf(2, '2026-10-12T10:00:00Z', [onInvoice('T1', '40.00')], { status: 'PENDING_PAYMENT' }),
    invoiceOf(3, '2026-10-19T10:00:00Z', [onInvoice('P1', '25.00')]),
    invoiceOf(4, '2026-11-09T10:00:00Z', [onInvoice('W1', '60.00'), onInvoice('NOBOOK', '7.00')], {
      status: 'PENDING_PAYMENT',
    }),
  ];
  const received: Stamp[] = [
    ['10-01', DRIVER],
    ['10-02', COMPANY],
    ['10-05', READY],
    ['10-08', PAID],
  ];
  const ready: Stamp[] = [...received.slice(0, 2), ['10-12', READY]];
  courier.world.orders = [
    order('D1', '10.00', [['11-17', DRIVER]], {
      customer_location: { id: 1, area: { id: 1, name_en: 'Hamra', district: 'Beirut' } },
    }),
    order('D2', '11.00', [['11-19', DRIVER]]),
    order('C1', '20.00', [
      ['11-10', DRIVER],
      ['11-12', COMPANY],
    ]),
    order('C2', '21.00', [['11-18', COMPANY]], { delivery_state: 'DELIVERED_AT_WAREHOUSE' }),
    order('U1', '5.00', [['11-15', 'UNPAID']]),
    order('U2', '6.00', [['11-15', 'HELD_BY_CUSTOMS']]),
    order('ROAD', '99.00', [['11-15', 'UNPAID']], { delivery_state: 'IN_TRANSIT', statestamps: [] }),
    order('R1', '50.00', received, billed(1)),
    order('R2', '30.00', received, billed(1)),
    order('T1', '40.00', ready, billed(2)),
    order(
      'P1',
      '25.00',
      [
        ['10-14', DRIVER],
        ['10-19', READY],
        ['10-26', PAID],
      ],
      billed(3),
    ),
    order(
      'W1',
      '60.00',
      [
        ['11-01', DRIVER],
        ['11-03', COMPANY],
        ['11-09', READY],
      ],
      billed(4),
    ),
  ];
}

const CUSTODY_DAYS = 'custody_days = { driver = 2, company = 7, ready = 3 }';

/** Every day of October and November is held, so that receipts settle. */
const BANK = [
  'date,amount,currency,text,invoice',
  '2026-10-01,1.00,USD,Something else,',
  '2026-10-09,46.00,USD,Cedar Road,1',
  '2026-10-14,20.00,USD,Cedar Road,2',
  '2026-10-20,30.00,USD,Cedar Road,1',
  '2026-10-27,1.00,USD,Something else,',
  '2026-11-03,1.00,USD,Something else,',
  '2026-11-10,1.00,USD,Something else,',
  '2026-11-17,1.00,USD,Something else,',
].join('\n');

interface Books {
  set(settings: string): void;
  run(...argv: string[]): ReturnType<typeof remit>;
  json<T = { rows: Record<string, unknown>[]; totals: Record<string, unknown>[]; notes: string[] }>(
    ...argv: string[]
  ): Promise<T>;
}

async function books(settings = CUSTODY_DAYS): Promise<Books> {
  fillCourier();
  const cwd = scratchFolder();
  const set = (more: string) =>
    writeFileSync(
      path.join(cwd, 'remit.toml'),
      `api_url = "${courier.url}"\ntime_zone = "UTC"\n${more}\n[receipts]\npayers = ["Cedar Road"]\n`,
    );
  set(settings);
  writeFileSync(path.join(cwd, 'bank.csv'), BANK);
  const run: Books['run'] = (...argv) =>
    remit(argv, { cwd, env: { REMIT_API_KEY: KEY }, now: new Date('2026-11-20T09:00:00Z') });
  expect(await run('sync', '2026-10..2026-11', '--orders')).toMatchObject({ code: 0 });
  expect(await run('import', 'receipts', 'bank.csv')).toMatchObject({ code: 0 });
  return {
    run,
    set,
    json: async (...argv) => {
      const { stdout, stderr, code } = await run(...argv, '--json');
      expect({ argv, code, stderr }).toEqual({ argv, code: 0, stderr: '' });
      return JSON.parse(stdout);
    },
  };
}

const pick = (rows: readonly Record<string, unknown>[], ...names: string[]) =>
  rows.map((row) => names.map((name) => row[name]));

const SHOWN = ['where', 'district', 'orders', 'cod', 'oldest_on', 'days', 'overdue'] as const;

describe('report custody', () => {
  it('says where the COD of each delivered order is, since when, and what is overdue', async () => {
    const { json } = await books();
    const { rows, totals, notes } = await json('report', 'custody');
    expect(Object.keys(rows[0]!)).toEqual([
      ...['courier', 'currency', 'district', 'where', 'orders', 'cod', 'oldest_on', 'days', 'overdue'],
    ]);
    expect(pick(rows, ...SHOWN)).toEqual([
      ['driver', 'Beirut', 1, '10.00', '2026-11-17', 3, '10.00'],
      ['driver', null, 1, '11.00', '2026-11-19', 1, '0.00'],
      ['company', null, 2, '41.00', '2026-11-12', 8, '20.00'],
      ['ready', null, 3, '107.00', '2026-10-12', 39, '107.00'],
      ['paid', null, 1, '25.00', '2026-10-26', 25, '0.00'],
      ['received', null, 2, '80.00', '2026-10-20', 31, '0.00'],
      ['unknown', null, 2, '11.00', '2026-11-15', 5, '0.00'],
    ]);
    expect(totals).toEqual([{ courier: expect.any(String), currency: 'USD', cod: '285.00', overdue: '137.00' }]);
    const said = notes.join('\n');
    expect(said).toContain('The payment state of 2 orders with 11.00 USD does not say where the money is: U1 and U2.');
    expect(said).toContain('the oldest is order T1, there since 2026-10-12');
  });

  it('ties to what is not invoiced and to the balance, to the cent', async () => {
    const { json } = await books();
    const { notes } = await json('report', 'custody', '2026-11');
    expect(notes.filter((note) => note.startsWith('Not yet invoiced'))).toEqual([
      'Not yet invoiced, 73.00 USD. From what is receivable to the balance: 132.00 USD; fees of those invoices, and what their nets state otherwise -8.00 USD; received in part, marked paid or agreed -20.00 USD; closing balance 104.00 USD.',
    ]);
    expect((await json('report', 'not-invoiced', '2026-11')).totals).toMatchObject([{ currency: 'USD', cod: '73.00' }]);
    expect((await json('report', 'open-items', '2026-11')).totals).toMatchObject([{ currency: 'USD', open: '104.00' }]);
  });

  it('of a month is as it was at its end', async () => {
    const { json } = await books();
    const { rows } = await json('report', 'custody', '2026-10');
    expect(pick(rows, 'where', 'orders', 'cod', 'oldest_on', 'days')).toEqual([
      ['ready', 1, '40.00', '2026-10-12', 19],
      ['paid', 1, '25.00', '2026-10-26', 5],
      ['received', 2, '80.00', '2026-10-20', 11],
    ]);
  });

  it('of a closed month stays as it was, whatever becomes known later', async () => {
    const { run, json } = await books();
    const close = ['close', '2026-10', '--first', '--by', 'rana', '--with-open', 'planted'];
    expect(await run(...close)).toMatchObject({ code: 0 });
    const before = (await json('report', 'custody', '2026-10')).rows;
    const late = (day: string): Stamp[] => [
      ['10-20', DRIVER],
      [day, COMPANY],
    ];
    courier.world.orders = [
      ...courier.world.orders.filter(({ order_id }) => order_id !== 'T1'),
      order('LATE', '70.00', late('10-21')),
      order(
        'T1',
        '44.00',
        [
          ['10-01', DRIVER],
          ['10-02', COMPANY],
          ['10-12', READY],
          ['10-30', PAID],
        ],
        billed(2),
      ),
    ];
    expect(await run('sync', '2026-10..2026-11', '--orders', '--full')).toMatchObject({ code: 0 });
    expect((await json('report', 'custody', '2026-10')).rows).toEqual(before);
    expect(pick((await json('report', 'custody', '2026-11')).rows, 'where', 'cod')).toContainEqual([
      'company',
      '111.00',
    ]);
  });

  it('is a finding of what is overdue, grouped by where it is, and ends with the setting', async () => {
    const { run, set } = await books();
    const checked = async () => JSON.parse((await run('check', '--json')).stdout);
    const { groups } = await checked();
    const overdue = groups.filter(({ code }: { code: string }) => code === 'custody-overdue');
    expect(pick(overdue, 'severity', 'cause', 'count', 'amount')).toEqual([
      ['warning', 'The COD of 3 orders is ready for you for more than 3 days', 3, '107.00'],
      ['warning', 'The COD of 1 order is at the company for more than 7 days', 1, '20.00'],
      ['warning', 'The COD of 1 order is with the driver for more than 2 days', 1, '10.00'],
    ]);
    set('');
    expect((await checked()).groups.filter(({ code }: { code: string }) => code === 'custody-overdue')).toEqual([]);
  });

  it('calls nothing overdue where nobody said when it is', async () => {
    const { json } = await books('');
    const { rows, totals, notes } = await json('report', 'custody');
    expect(new Set(rows.map(({ overdue }) => overdue))).toEqual(new Set([null]));
    expect(totals).toEqual([{ courier: expect.any(String), currency: 'USD', cod: '285.00' }]);
    expect(notes[0]).toContain('`custody_days` is not set');
  });

  it('refuses days that are none', async () => {
    const { run } = await books('');
    const cwd = scratchFolder();
    writeFileSync(path.join(cwd, 'remit.toml'), 'api_url = "http://127.0.0.1:9/"\ncustody_days = { drivers = 2 }\n');
    const { code, stderr } = await remit(['report', 'custody'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('custody_days must be days') });
    expect(await run('report', 'totals', '--since', '2026-10-01')).toMatchObject({ code: 2 });
  });
});

describe('report paid-orders', () => {
  const PAID_ROWS = ['reference_id', 'order_id', 'currency', 'cod', 'received_on', 'receipt'] as const;

  it('lists the orders that several receipts pay whole, by the last of them, and none that is paid in part or by word', async () => {
    const { json } = await books();
    const { rows, totals } = await json('report', 'paid-orders', '--since', '2026-10-20');
    expect(Object.keys(rows[0]!).sort()).toEqual(['courier', ...PAID_ROWS].sort());
    expect(pick(rows, ...PAID_ROWS)).toEqual([
      ['#R1', 'R1', 'USD', '50.00', '2026-10-20', 4],
      ['#R2', 'R2', 'USD', '30.00', '2026-10-20', 4],
    ]);
    expect(totals).toMatchObject([{ currency: 'USD', cod: '80.00' }]);
    expect((await json('report', 'paid-orders', '--since', '2026-10-21')).rows).toEqual([]);
  });

  it('counts what a settlement completes from the day of that decision, and drops what is undone', async () => {
    const { run, json } = await books();
    const settle = ['settle', '2', '--as', 'write-off', '--note', 'agreed', '--by', 'rana', '--yes'];
    expect(await run(...settle)).toMatchObject({ code: 0 });
    expect(pick((await json('report', 'paid-orders', '--since', '2026-11-20')).rows, ...PAID_ROWS)).toEqual([
      ['#T1', 'T1', 'USD', '40.00', '2026-10-14', 3],
    ]);
    // Nobody paid invoice 3: to write it off brings no cash.
    expect(await run('settle', '3', ...settle.slice(2))).toMatchObject({ code: 0 });
    const { rows, notes } = await json('report', 'paid-orders');
    expect(rows.map(({ order_id }) => order_id)).toEqual(['T1', 'R1', 'R2']);
    expect(notes.join(' ')).toContain('1 order is settled without a receipt');
    const { matches } = await json<{ matches: { id: number; invoices: number[] }[] }>('match', 'list');
    const of1 = matches.filter(({ invoices }) => invoices.includes(1));
    expect(await run('match', 'remove', `${of1[0]!.id}`, '--reason', 'not theirs', '--by', 'rana')).toMatchObject({
      code: 0,
    });
    expect((await json('report', 'paid-orders')).rows.map(({ order_id }) => order_id)).toEqual(['T1']);
  });

  it('writes what bulk imports of Shopify and WooCommerce take', async () => {
    const { run } = await books();
    const since = ['report', 'paid-orders', '--since', '2026-10-01'];
    expect((await run(...since, '--format', 'shopify')).stdout).toBe(
      [
        'Name,Command,Line: Type,Transaction: Kind,Transaction: Processed At,Transaction: Amount,Transaction: Currency,Transaction: Status',
        '#R1,UPDATE,Transaction,sale,2026-10-20,50.00,USD,success',
        '#R2,UPDATE,Transaction,sale,2026-10-20,30.00,USD,success',
        '',
      ].join('\r\n'),
    );
    expect((await run(...since, '--format', 'woocommerce')).stdout).toBe(
      [
        'order_number,status,paid_date,payment_method,transaction_id',
        'R1,completed,10/20/2026 00:00:00,cod,receipt 4',
        'R2,completed,10/20/2026 00:00:00,cod,receipt 4',
        '',
      ].join('\r\n'),
    );
    expect(await run('report', 'totals', '--format', 'shopify')).toMatchObject({ code: 2 });
    expect(await run('report', 'paid-orders', '--since', '2026-02-30')).toMatchObject({ code: 2 });
  });
});
