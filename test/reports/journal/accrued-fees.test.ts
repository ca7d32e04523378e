import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import {
  type FakeCourier,
  type FakeOrder,
  invoiceOf,
  KEY,
  type Pair,
  startFakeCourier,
} from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

const usd = (amount: string): Pair[] => [['USD', amount]];

const order = (order_id: string, district: string): FakeOrder => ({
  ...{ order_id, reference_id: '', workflow: 'STANDARD', delivery_state: 'DELIVERED' },
  payment_state: 'PENDING_PAYMENT_TO_MERCHANT',
  cod: usd('50.00'),
  delivery_fee: usd('4.75'),
  customer_location: { id: 1, area: { id: 1, name_en: district, name_ar: district, district } },
  statestamps: [
    {
      delivery_state: 'DELIVERED',
      payment_state: 'PENDING_PAYMENT_TO_MERCHANT',
      timestamp: '2026-10-20T10:00:00+00:00',
    },
  ],
});

const HEAD = 'workflow,district,area,merchant_location,from,to,currency,fee';

interface Line {
  readonly date: string;
  readonly transaction: string;
  readonly account: string;
  readonly debit: string | null;
  readonly credit: string | null;
}

function books(toml = '') {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n${toml}\n`);
  const run = async (day: string, ...argv: string[]) => {
    const outcome = await remit(argv, { cwd, env: { REMIT_API_KEY: KEY }, now: new Date(`${day}T09:00:00Z`) });
    expect(outcome.stderr).not.toMatch(/^remit: /m);
    return outcome.stdout;
  };
  const price = async (day: string, name: string, ...lines: string[]) => {
    writeFileSync(path.join(cwd, name), `${[HEAD, ...lines].join('\n')}\n`);
    await run(day, 'import', 'tariff', name);
  };
  const accrued = async (day: string, months: string) => {
    const { rows } = JSON.parse(await run(day, 'report', 'journal', months, '--format', 'json')) as { rows: Line[] };
    return rows
      .filter(({ account }) => account === 'Accrued delivery fees')
      .map(({ date, transaction, debit, credit }) => `${date} ${transaction} ${debit ?? `-${credit}`}`);
  };
  const waiting = async (day: string) => {
    const text = await run(day, 'report', 'not-invoiced', '2026-10', '--format', 'json');
    const { rows } = JSON.parse(text) as { rows: { order_id: string; delivery_fee: string; net: string }[] };
    return rows.map(({ order_id, delivery_fee, net }) => `${order_id} ${delivery_fee} ${net}`);
  };
  return { run, price, accrued, waiting };
}

describe('the fee of what is on no invoice yet', () => {
  it('is accrued at the agreed price, else at the order’s own, and taken back as it was', async () => {
    courier.world.orders = [order('A', 'Beirut'), order('B', 'Zahle')];
    courier.world.invoices = [];
    const { run, price, accrued, waiting } = books();
    await run('2026-10-25', 'sync', '2026-10', '--orders');
    await price('2026-10-26', 'prices.csv', 'STANDARD,Beirut,,,2026-01-01,,USD,3.75');
    expect(await accrued('2026-10-31', '2026-10')).toEqual([
      '2026-10-20 DEL-A-USD -3.75',
      '2026-10-20 DEL-B-USD -4.75',
    ]);
    expect(await waiting('2026-10-31')).toEqual(['A 3.75 46.25', 'B 4.75 45.25']);
    const rows = ['A', 'B'].map((order_id) => ({ order_id, cod: usd('50.00'), delivery_fee: usd('4.75') }));
    courier.world.invoices = [invoiceOf(1, '2026-11-03T10:00:00+00:00', rows)];
    await run('2026-11-04', 'sync', '2026-11');
    expect(await accrued('2026-11-05', '2026-11')).toEqual(['2026-11-03 ACR-1-USD 8.50']);
  });

  it('stays in a closed month as it was agreed then, whatever is agreed since', async () => {
    courier.world.orders = [order('A', 'Beirut')];
    courier.world.invoices = [];
    const { run, price, accrued, waiting } = books();
    await run('2026-11-02', 'sync', '2026-10', '--orders');
    await price(
      '2026-11-02',
      'prices.csv',
      'STANDARD,Beirut,,,2026-01-01,2026-10-19,USD,3.75',
      'STANDARD,,,,2026-10-20,,USD,3.75',
    );
    await run('2026-11-03', 'close', '2026-10', '--by', 'rana', '--first', '--with-open', 'as it is');
    await price('2026-11-06', 'new.csv', 'STANDARD,Beirut,,,2026-10-20,,USD,4.00');
    expect(await accrued('2026-11-07', '2026-10')).toEqual(['2026-10-20 DEL-A-USD -3.75']);
    expect(await waiting('2026-11-07')).toEqual(['A 3.75 46.25']);
    const both = await accrued('2026-11-07', '2026-10..2026-11');
    expect(both).toEqual(['2026-10-20 DEL-A-USD -3.75', expect.stringMatching(/^2026-11-01 ADJ-DEL-A-USD-\d+ -0.25$/)]);
    // What an invoice that came after the close lists was on none by then.
    const rows = [{ order_id: 'A', cod: usd('50.00'), delivery_fee: usd('4.75') }];
    courier.world.invoices = [invoiceOf(1, '2026-11-08T10:00:00+00:00', rows)];
    await run('2026-11-09', 'sync', '2026-10..2026-11', '--orders');
    expect(await waiting('2026-11-10')).toEqual(['A 3.75 46.25']);
    expect(await run('2026-11-10', 'verify')).toContain('sound');
  });
});

describe('a RETURN order that is on no invoice yet', () => {
  it.each(['as-stated', 'deducted', 'charged+return-fees'])(
    'counts %s: the accounts come to the Not-invoiced sheet, whose rows foot',
    async (returns) => {
      courier.world.orders = [order('A', 'Beirut'), { ...order('R', 'Tyre'), workflow: 'RETURN', cod: usd('5.00') }];
      courier.world.invoices = [];
      const { run } = books(`returns = "${returns}"`);
      await run('2026-10-25', 'sync', '2026-10', '--orders');
      const read = async (name: string) =>
        JSON.parse(await run('2026-11-01', 'report', name, '2026-10', '--format', 'json')) as {
          rows: (Line & { cod: string; delivery_fee: string; net: string })[];
          totals: { cod: string; delivery_fee: string; net: string }[];
        };
      const { rows, totals } = await read('not-invoiced');
      for (const { cod, delivery_fee, net } of rows) expect(Number(cod) - Number(delivery_fee)).toBe(Number(net));
      const lines = (await read('journal')).rows;
      const balance = (account: string) =>
        lines.reduce((sum, line) => {
          return line.account === account ? sum + Number(line.debit ?? 0) - Number(line.credit ?? 0) : sum;
        }, 0);
      expect([balance('Uninvoiced COD'), -balance('Accrued delivery fees')]).toEqual([
        Number(totals[0]!.cod),
        Number(totals[0]!.delivery_fee),
      ]);
    },
  );
});
