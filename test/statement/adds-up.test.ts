import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedFaults } from '../helpers/adds-up.ts';
import { type FakeRow, invoiceOf, KEY, type Pair, startFakeCourier } from '../helpers/courier.ts';
import { firstBooks } from '../helpers/first-ledger.ts';
import { withSheet } from '../helpers/office.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { printMonth } from '../helpers/print-month.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const CURRENCIES = ['AED', 'EUR', 'GBP', 'LBP', 'SAR', 'USD'] as const;
/** An amount in each currency, a different one in each. */
const each = (amount: number): Pair[] =>
  CURRENCIES.map((currency, at) => [currency, currency === 'LBP' ? `${amount}00000.00` : (amount + at).toFixed(2)]);

const row = (order_id: string, amount: number, more: Partial<FakeRow> = {}): FakeRow => ({
  order_id,
  reference_id: `SO-${order_id}`,
  cod: each(amount),
  delivery_fee: each(2),
  ...more,
});

const order = (one: FakeRow, day: string) => ({
  ...one,
  workflow: 'STANDARD',
  is_exchange: false,
  delivery_state: 'DELIVERED',
  payment_state: 'UNPAID',
  merchant_invoice: null,
  number_of_packages: 1,
  return_reason: null,
  statestamps: [{ delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: `${day}T08:00:00.000000+00:00` }],
  customer_location: { id: 1, area: { id: 1, name_en: 'Hamra', district: 'Beirut' } },
});

/**
 * Books of six currencies in which everything moved after the close: more came in, a receipt of October was used in
 * November, 3.00 was written off, an invoice was restated, a finding was resolved.
 */
async function movedBooks(): Promise<OwnBooks> {
  const courier = await startFakeCourier({
    invoices: [
      invoiceOf(10001, '2026-10-05T10:00:00+00:00', [row('A', 100), row('B', 40)], { status: 'PENDING_PAYMENT' }),
      invoiceOf(10002, '2026-10-12T10:00:00+00:00', [row('C', 30), row('C', 30)], {
        status: 'PENDING_PAYMENT',
        net_due_to_merchant: each(50),
      }),
      invoiceOf(10003, '2026-10-20T10:00:00+00:00', [row('D', 70)], { status: 'PENDING_PAYMENT', cod: each(64) }),
    ],
  });
  courier.world.orders = [
    ...['A', 'B', 'C', 'D'].map((id) => order(row(id, { A: 100, B: 40, C: 30, D: 70 }[id]!), '2026-10-03')),
    order(row('E', 25), '2026-10-04'),
  ];
  const books = ownBooks('', NOW);
  try {
    chmodSync(path.join(books.folder, books.file('key', KEY)), 0o600);
    books.file(
      'remit.toml',
      `api_url = "${courier.url}"\napi_key_file = "key"\ntime_zone = "UTC"\n[receipts]\npayers = ["CEDAR"]\n`,
    );
    const done = async (argv: readonly string[], at: string) => {
      const { code, stderr } = await books.remit([...argv, '--by', 'rana'], { now: new Date(`${at}T09:00:00Z`) });
      expect([argv, code < 2 || code === 3, stderr]).toEqual([argv, true, expect.anything()]);
    };
    const brought = async (at: string) => {
      const argv = ['sync', '2026-10..2026-11', '--orders', '--full', '--concurrency', '1'];
      expect((await books.remit(argv, { now: new Date(`${at}T08:00:00Z`) })).code).toBeLessThan(2);
      await books.remit(['check'], { now: new Date(`${at}T08:30:00Z`) });
    };
    await brought('2026-11-02');
    const cash = 'date,amount,currency,text,invoice\n2026-10-25,40.00,USD,CEDAR 10001,10001\n';
    await done(
      ['import', 'receipts', books.file('one.csv', `${cash}2026-10-28,90.00,USD,CEDAR advance,\n`)],
      '2026-11-02',
    );
    await done(['mismatch', 'resolve', '--code', 'invoice-cod-total', '--note', 'ours', '--yes'], '2026-11-02');
    await done(['close', '2026-10', '--first', '--with-open', 'planted'], '2026-11-03');
    courier.world.invoices = [
      ...courier.world.invoices.slice(0, 2),
      invoiceOf(10003, '2026-10-20T10:00:00+00:00', [row('D', 60)], { status: 'PENDING_PAYMENT' }),
      invoiceOf(10004, '2026-11-04T10:00:00+00:00', [row('F', 90)], { status: 'PENDING_PAYMENT' }),
    ];
    await brought('2026-11-05');
    await done(
      ['import', 'receipts', books.file('two.csv', 'date,amount,currency,text\n2026-11-06,20.00,EUR,CEDAR 10002\n')],
      '2026-11-06',
    );
    await done(
      ['settle', '10001', '--as', 'write-off', '--currency', 'USD', '--amount', '3.00', '--note', 'small', '--yes'],
      '2026-11-07',
    );
    await done(['mismatch', 'resolve', '--code', 'order-repeated', '--note', 'ours', '--yes'], '2026-11-08');
    await books.remit(['check'], { now: NOW });
    return books;
  } finally {
    await courier.close();
  }
}

/** A figure of a line, after what stands before it. */
const figureOf = (label: string) => new RegExp(`(${label}(?:(?!</tr>)[\\s\\S])*?<td class="figure[^"]*">-?)(\\d)`);

const WRONGED: readonly (readonly [file: string, figure: RegExp])[] = [
  ['en 2026-10.html', figureOf('Invoiced in the month')],
  ['en 2026-10.html', figureOf('Less received of it since')],
  ['en 2026-10.html', figureOf('Less settled of it since')],
  ['en 2026-10.html', figureOf('Restated or allocated since')],
  ['en 2026-10.html', figureOf('other steps')],
  ['en 2026-10.html', figureOf('Money outside the month’s invoices')],
  ['en 2026-10.html', figureOf('Resolved by us')],
  ['en 2026-10.html', /(USD: you are (?:short|ahead) <bdi>)(\d)/],
  ['en 2026-10.html', figureOf('Stated otherwise in the net')],
  ['en 2026-10.html', figureOf('of which received')],
  ['ar 2026-10.html', figureOf('يُطرح: سُوّي منه')],
  ['ar 2026-10.html', figureOf('محلول من جهتنا')],
  ['ar 2026-10.html', /((?:ينقصك|لك زيادة قدرها) <bdi>)(\d)/],
  ['dashboard.html', figureOf('Less settled of it since')],
  ['dashboard.html', figureOf('Resolved by us')],
  ['dashboard.html', figureOf('Unexplained')],
  ['dashboard.html', /(USD: you are (?:short|ahead) )(\d)/],
  ['desk-month.html', figureOf('Resolved by us')],
  ['desk-month.html', figureOf('Our figure')],
  ['desk-home.html', /(<a href="\/reports\/open-items[^>]*>)(\d)/],
  ['roll-forward.html', /(<tbody>[\s\S]*?>-?)(\d[\d,]*\.)/],
  ['open-items.html', /(<tfoot>[\s\S]*?>-?)(\d[\d,]*\.)/],
  ['ageing.html', /(<tfoot>[\s\S]*?>-?)(\d[\d,]*\.)/],
  ['check.txt', /(\n {2}-?)(\d[\d,.]* {2}resolved by us)/],
  ['check.txt', /(\n {2}-?)(\d[\d,.]* {2}order-repeated)/],
  ['check.txt', /(you are short )(\d)/],
];

/** The first numbers of the Summary with a formula, and of the Ageing sheet. */
const WRONGED_CELLS: readonly (readonly [file: string, sheet: number, cell: RegExp])[] = [
  ['en 2026-10.xlsx', 1, /(<\/f><v>)(?=\d)/],
  ['ar 2026-10.xlsx', 1, /(<\/f><v>)(?=\d)/],
  ['en 2026-10.xlsx', 7, /(<\/f><v>)(?=\d)/],
];

describe('what shows a total adds up', () => {
  it('in books of six currencies in which everything moved after the close', async () => {
    const { folder } = await movedBooks();
    const printed = await printMonth(folder, '2026-10', NOW);
    expect(await printedFaults(printed)).toEqual([]);
    // It is no proof in books that lack the lines which a total does not add up without.
    const shown = (name: string) => printed.get(name)!.toString();
    expect(shown('en 2026-10.html')).toMatch(
      /Less settled of it since[\s\S]*>3\.00<[\s\S]*Restated or allocated since[\s\S]*>-10\.00</,
    );
    expect(shown('check.txt')).toMatch(/-28\.00 {2}resolved by us[\s\S]*resolved by us/);

    // One figure of each surface made wrong is found, each alone.
    for (const [name, line] of WRONGED) {
      const wrong = shown(name).replace(line, (_, before: string, digits: string) => `${before}9${digits}`);
      expect([name, line, wrong === shown(name)]).toEqual([name, line, false]);
      expect([name, line, await printedFaults(new Map([[name, Buffer.from(wrong)]]))]).not.toEqual([name, line, []]);
    }
    for (const [name, sheet, cell] of WRONGED_CELLS) {
      const wrong = await withSheet(printed.get(name)!, sheet, (xml) =>
        xml.replace(cell, (_, before: string) => `${before}9`),
      );
      expect([name, cell, await printedFaults(new Map([[name, wrong]]))]).not.toEqual([name, cell, []]);
    }
  });

  it('in books of 1.0.0, of two couriers', async () => {
    const folder = firstBooks();
    expect(await printedFaults(await printMonth(folder, '2026-10', NOW))).toEqual([]);
  });
});
