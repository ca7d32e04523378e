import path from 'node:path';
import { Decimal } from 'decimal.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type FakeCourier,
  type FakeInvoice,
  type FakeRow,
  invoiceOf,
  startFakeCourier,
} from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { randomFrom } from '../../helpers/random.ts';
import { syncInto } from '../../helpers/sync.ts';

const SETTINGS = `[receipts]
payers = ["Cedar Road"]
[maps.sheet]
kind = "settlement"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Date", status = "Status", order = "AWB", reference = "Ref", workflow = "Type", cod = { USD = "COD $", LBP = "COD LL" }, fee = { USD = "Fee $", LBP = "Fee LL" }, net = { USD = "Net $", LBP = "Net LL" } }
`;
const CURRENCIES = ['USD', 'LBP'] as const;

/** A payout of random orders; some are in two currencies, and one totals row is wrong. */
function payout(random: () => number, number: number, status: string): FakeInvoice {
  const orders = Array.from({ length: 3 + Math.floor(random() * 5) }, (_, at): FakeRow => {
    const of = (most: number) => (Math.floor(random() * most * 100) / 100).toFixed(2);
    const both = random() < 0.3;
    return {
      order_id: `C-${number}-${at}`,
      reference_id: `SO-${number}-${at}`,
      workflow: 'STANDARD',
      delivery_state: 'DELIVERED',
      payment_state: status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
      cod: [['USD', of(200)], ...(both ? [['LBP', `${Math.floor(random() * 9_000_000)}.00`] as [string, string]] : [])],
      delivery_fee: [['USD', of(5)], ...(both ? [['LBP', of(10_000)] as [string, string]] : [])],
    };
  });
  const invoice = invoiceOf(number, `2026-10-${10 + (number % 20)}T12:00:00Z`, orders);
  const wrong = number % 3 === 0;
  return {
    ...invoice,
    status,
    ...(wrong ? { cod: invoice.cod.map(([c, a]) => [c, (Number(a) + 1).toFixed(2)]) } : {}),
  };
}

/** The same payout as rows of a sheet, with its totals. */
function rowsOf({ number, issued_at, status, orders, ...header }: FakeInvoice): string[] {
  const of = (pairs: readonly (readonly string[])[], currency: string) =>
    pairs.find(([c]) => c === currency)?.[1] ?? '';
  const figures = (cod: FakeInvoice['cod'], fee: FakeInvoice['cod'], net: FakeInvoice['cod'] | null) =>
    [cod, fee, net ?? []].flatMap((pairs) => CURRENCIES.map((currency) => of(pairs, currency)));
  return [
    ...orders.map(({ order_id, reference_id, cod, delivery_fee }) =>
      [
        number,
        issued_at.slice(0, 10),
        status === 'PAID' ? 'Settled' : 'Pending',
        order_id,
        reference_id,
        'Delivered',
        ...figures(cod, delivery_fee, null),
      ].join(','),
    ),
    ['Total', '', '', '', '', '', ...figures(header.cod, header.delivery_fee, header.net_due_to_merchant)].join(','),
  ];
}

/**
 * Books synced from the API, and books of the same business whose courier sends sheets; the bank and the shop are the
 * same.
 */
async function bothBooks(courier: FakeCourier): Promise<{ readonly api: OwnBooks; readonly sheets: OwnBooks }> {
  const [api, sheets] = [ownBooks(SETTINGS), ownBooks(SETTINGS)];
  await syncInto(path.join(api.folder, 'ledger.db'), courier, { now: () => new Date('2026-11-10T09:00:00Z') });
  const head = 'Payout,Date,Status,AWB,Ref,Type,COD $,COD LL,Fee $,Fee LL,Net $,Net LL';
  const text = `${[head, ...invoices.flatMap(rowsOf)].join('\n')}\n`;
  await sheets.json(['import', 'settlement', sheets.file('october.csv', text), '--map', 'sheet']);
  const cash = invoices
    .filter(({ status }) => status === 'PAID')
    .flatMap(({ number, net_due_to_merchant }) =>
      // One is paid short. One that nobody saw paid would differ: a sheet says the day, and an API shows it when it is
      // asked.
      net_due_to_merchant.map(([currency, amount]) => {
        const [paid, invoice] = number === 104 ? [new Decimal(amount).minus(3).toFixed(2), number] : [amount, ''];
        return `2026-11-01,${paid},${currency},Cedar Road ${number},${invoice}`;
      }),
    );
  const orders = invoices.flatMap(({ orders: rows }) =>
    rows.flatMap(({ reference_id, cod }) =>
      cod.map(
        ([currency, amount], at) => `${reference_id},2026-10-01,handed_over,${currency},${at === 0 ? amount : '1.00'}`,
      ),
    ),
  );
  for (const books of [api, sheets]) {
    await books.json([
      'import',
      'receipts',
      books.file('bank.csv', `date,amount,currency,text,invoice\n${cash.join('\n')}\n`),
    ]);
    await books.json([
      'import',
      'orders',
      books.file('shop.csv', `reference,ordered_on,status,currency,cod\n${orders.join('\n')}\n`),
    ]);
  }
  return { api, sheets };
}

const random = randomFrom(18);
const invoices = Array.from({ length: 12 }, (_, at) => payout(random, 101 + at, at > 9 ? 'PENDING_PAYMENT' : 'PAID'));
const REPORTS = [
  'totals',
  'invoices',
  'orders',
  'receipts',
  'open-items',
  'ageing',
  'roll-forward',
  'fees',
  'returns',
  'charges',
  'journal',
];

/**
 * What a command prints as JSON, without when it was made, the numbers of its evidence, and what the courier is called.
 */
async function printed(books: OwnBooks, argv: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await books.remit([...argv, '--json']);
  const text = stdout
    .replace(/"import": ?\d+/g, '"import":0')
    .replace(/"PAY-(\d+)-\d+-/g, '"PAY-$1-')
    .replace(/"(courier|courier_name)": ?"[^"]*"/g, '"$1":""');
  const { generated_at: _, ...rest } = JSON.parse(text);
  return rest;
}

/** What a check finds, a text each. */
function found({ mismatches }: Record<string, unknown>): string[] {
  return (mismatches as { code: string; invoice_number: number; currency: string; effect: string | null }[])
    .map(({ code, invoice_number, currency, effect }) => [code, invoice_number, currency, effect].join(' '))
    .sort();
}

describe('a settlement sheet', () => {
  it('gives the figures of the same business synced from the API', async () => {
    const courier = await startFakeCourier({ invoices });
    onTestFinished(() => courier.close());
    const { api, sheets } = await bothBooks(courier);
    for (const report of REPORTS) {
      const argv = ['report', report, '2026-10'];
      const [ofSheets, ofApi] = [await printed(sheets, argv), await printed(api, argv)];
      // Only an invoice of an API has no kinds of charges.
      expect({ ...ofSheets, notes: null }).toEqual({ ...ofApi, notes: null });
      if (report !== 'returns') expect(ofSheets.rows).not.toEqual([]);
    }
    const check = ['check', '2026-10'];
    const [ofSheets, ofApi] = [await printed(sheets, check), await printed(api, check)];
    expect(ofSheets.bridge).toEqual(ofApi.bridge);
    expect(found(ofSheets)).toEqual(found(ofApi));
    expect(found(ofSheets).length).toBeGreaterThan(10);

    const close = ['close', '2026-10', '--by', 'rana', '--first', '--with-open', 'known'];
    const [closed, other] = [await printed(sheets, close), await printed(api, close)];
    expect(closed.figures_sha256).toEqual(other.figures_sha256);
    expect(closed).toHaveProperty('figures_sha256');
    await sheets.verify();
    await api.verify();
  });
});
