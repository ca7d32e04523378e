import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/sqlite.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { type ReadSheet, type ReadWorkbook, readWorkbook } from '../../helpers/workbook.ts';

type Money = [string, string][];
const usd = (amount: string): Money => [['USD', amount]];
const row = (order_id: string, cod: string) => ({
  order_id,
  reference_id: `R-${order_id}`,
  cod: usd(cod),
  delivery_fee: usd('2.00'),
});
const order = (order_id: string, invoice: number, cod: string) => ({
  ...row(order_id, cod),
  workflow: 'STANDARD',
  delivery_state: 'DELIVERED',
  payment_state: 'PENDING_PAYMENT_TO_MERCHANT',
  merchant_invoice: invoice,
  statestamps: [],
});
const NOV3 = '2026-11-03T09:00:00Z';
const NOV5 = '2026-11-05T09:00:00Z';
const NOV9 = '2026-11-09T09:00:00Z';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

/** October holds invoices of 16.00 and 28.00 net; the record of C says 25.00 where its invoice credits 30.00. */
beforeEach(() => {
  courier.world.invoices = [
    invoiceOf(1, '2026-10-05T10:00:00+00:00', [row('A', '10.00'), row('B', '10.00')], { status: 'PENDING_PAYMENT' }),
    invoiceOf(2, '2026-10-28T10:00:00+00:00', [row('C', '30.00')], { status: 'PENDING_PAYMENT' }),
  ];
  courier.world.orders = [order('A', 1, '10.00'), order('B', 1, '10.00'), order('C', 2, '25.00')];
});

interface ClosedBooks {
  readonly cwd: string;
  readonly run: (now: string, ...argv: string[]) => Promise<Outcome>;
}

/** Books with October closed on 5 November, with what was open. */
async function closedBooks(ledger?: string): Promise<ClosedBooks> {
  const cwd = scratchFolder();
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: ledger ?? path.join(cwd, 'ledger.db') };
  const run: ClosedBooks['run'] = (now, ...argv) => remit(argv, { cwd, env, now: new Date(now) });
  expect((await run(NOV3, 'sync', '--orders')).code).toBe(0);
  const close = await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first', '--with-open', 'asked for');
  expect(close).toMatchObject({ code: 0, stderr: '' });
  return { cwd, run };
}

/**
 * After the close invoice 1 loses the 10.00 of B and gains an order, and invoice 3 of 8.00 comes with a date in
 * October.
 */
async function muchHappens({ run }: ClosedBooks): Promise<void> {
  courier.world.invoices = [
    invoiceOf(1, '2026-10-05T10:00:00+00:00', [row('A', '10.00'), row('B', '0.00'), row('E', '4.00')], {
      status: 'PENDING_PAYMENT',
    }),
    courier.world.invoices[1]!,
    invoiceOf(3, '2026-10-30T10:00:00+00:00', [row('D', '10.00')], { status: 'PENDING_PAYMENT' }),
  ];
  courier.world.orders = [
    order('A', 1, '10.00'),
    order('B', 1, '10.00'),
    order('C', 2, '25.00'),
    order('D', 3, '10.00'),
    order('E', 1, '4.00'),
  ];
  expect((await run(NOV9, 'sync', '2026-10', '--orders', '--full')).code).toBe(0);
}

/** Invoice 2 is paid on 8 November. */
async function isPaid({ cwd, run }: ClosedBooks): Promise<void> {
  writeFileSync(path.join(cwd, 'cash.csv'), 'date,amount,currency,text,invoice\n2026-11-08,28.00,USD,INV 2,2\n');
  expect((await run(NOV9, 'import', 'receipts', 'cash.csv', '--by', 'rana')).code).toBe(0);
}

/** Somebody resolves what was found about an order. */
async function resolve({ run }: ClosedBooks, order_id: string): Promise<void> {
  const { mismatches } = JSON.parse((await run(NOV9, 'check', '--json')).stdout) as {
    mismatches: { id: string; order_id: string | null }[];
  };
  const { id } = mismatches.find((one) => one.order_id === order_id)!;
  expect((await run(NOV9, 'mismatch', 'resolve', id, '--by', 'rana', '--note', 'agreed', '--yes')).code).toBe(0);
}

interface Written {
  readonly figures: unknown;
  readonly workbook: ReadWorkbook;
}

async function written({ cwd, run }: ClosedBooks, now: string): Promise<Written> {
  const { code, stdout, stderr } = await run(now, 'statement', '2026-10', '--out', 'october.xlsx', '--json');
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(/^(?!.*"error")/s)]);
  return {
    figures: JSON.parse(stdout).figures,
    workbook: await readWorkbook(readFileSync(path.join(cwd, 'october.xlsx'))),
  };
}

/** The rows of a sheet up to its total, by heading; without the columns that say what moved. */
function rowsOf(sheet: ReadSheet, without: RegExp = /moved since|at the close/): Record<string, string | null>[] {
  const cells = [...sheet].map(([address, { value }]) => {
    const [, column, line] = /^([A-Z]+)(\d+)$/.exec(address)!;
    return { column: column!, line: Number(line), value };
  });
  const headings = new Map(cells.filter(({ line }) => line === 1).map(({ column, value }) => [column, value!]));
  const rows: Record<string, string | null>[] = [];
  for (const { column, line, value } of cells) {
    const heading = headings.get(column);
    if (line === 1 || heading === undefined || without.test(heading)) continue;
    rows[line] = { ...rows[line], [heading]: value };
  }
  return rows.filter((one) => Object.values(one).some((value) => value !== null));
}

const sheetRows = ({ workbook }: Written, name: string, without?: RegExp) =>
  rowsOf(workbook.sheets.get(name)!, without);

function summaryTexts({ workbook }: Written): string {
  return [...workbook.sheets.get('Summary')!.values()].map(({ value }) => value ?? '').join('\n');
}

describe('the sheets of a closed month', () => {
  it('show what was closed, with what moved since beside it, in SQLite', () => showWhatWasClosed());
  it.skipIf(!hasPostgres)('and in PostgreSQL', async () => showWhatWasClosed((await newDatabase()).url));

  async function showWhatWasClosed(ledger?: string): Promise<void> {
    const books = await closedBooks(ledger);
    const before = await written(books, NOV5);
    await muchHappens(books);
    await isPaid(books);
    await resolve(books, 'C');
    const after = await written(books, NOV9);
    expect(after.figures).toEqual(before.figures);
    expect(after.figures).toMatchObject([
      {
        net_due_to_merchant: '44.00',
        received: '0.00',
        outstanding: '44.00',
        courier: '44.00',
        ours: '39.00',
        short: '5.00',
      },
    ]);

    // What was on the sheet is on it, and what came since has no figure of the close.
    const invoices = sheetRows(after, 'Invoices', /Mismatches|Days unpaid/).map((one) => [
      one.Invoice,
      one['Net due'],
      one.Outstanding,
      one['Net due, moved since'],
      one['Outstanding, moved since'],
    ]);
    expect(invoices).toEqual([
      ['1', '16', '16', '-8', '-8'],
      ['2', '28', '28', null, '-28'],
      ['3', null, null, '8', '8'],
      ['Total', '44', '44', '0', '-28'],
    ]);
    const orders = sheetRows(after, 'Orders', /Mismatches/).map((one) => [
      one.Invoice,
      one.Order,
      one.Net,
      one['Our net'],
      one['Net, moved since'],
      one['Our net, moved since'],
    ]);
    expect(orders).toEqual([
      ['1', 'A', '8', '8', null, null],
      ['1', 'B', '8', '8', '-10', null],
      ['1', 'E', null, null, '2', '2'],
      ['2', 'C', '28', '23', null, null],
      ['3', 'D', null, null, '8', '8'],
      ['Total', null, '44', '39', '0', '10'],
    ]);
    const receipts = sheetRows(after, 'Receipts', /Counterparty/).map((one) => [
      one.Booked,
      one.Amount,
      one['Amount, moved since'],
      one['Left, moved since'],
    ]);
    expect(receipts.slice(0, 2)).toEqual([
      [expect.anything(), null, '28', null],
      [null, null, '28', '0'],
    ]);
    const differs = sheetRows(after, 'Mismatches', /Note/).find(
      (one) => one.Check === 'order-amount-differs' && one.Order === 'C',
    )!;
    expect([differs.Status, differs['Status at the close'], differs['Effect at the close']]).toEqual([
      'resolved',
      'open',
      '5',
    ]);

    // The bridge is that of the close, and says beside it what it would be today.
    expect(summaryTexts(after)).toContain(
      'As it was closed. Today the courier’s figure is 44.00 USD, ours 49.00 USD, unexplained 0.00 USD, short or ahead -10.00 USD.',
    );
    expect(summaryTexts(after)).toContain('what had come of them at the close');
    // Open of it today is above it: what was outstanding at the close is another figure.
    expect(summaryTexts(after)).toContain('of which outstanding at the close');
    expect(summaryTexts(after)).not.toContain('outstanding today');
    expect(summaryTexts(after)).toContain('columns named “moved since” show what moved');
  }

  it('are as those of an open month where nothing became known since', async () => {
    const books = await closedBooks();
    const { workbook } = await written(books, NOV5);
    const headings = [...workbook.sheets.get('Invoices')!.values()].map(({ value }) => value ?? '');
    expect(headings.filter((heading) => /moved since/.test(heading))).toEqual([]);
  });

  it('can be asked for as of a day between the close and now', async () => {
    const books = await closedBooks();
    await muchHappens(books);
    await isPaid(books);
    const figures = async (...argv: string[]) =>
      JSON.parse((await books.run('2026-11-20T09:00:00Z', 'statement', '2026-10', '--json', ...argv)).stdout).figures;
    expect(await figures('--as-of', '2026-11-09')).toEqual(await figures());
  });

  it.each([
    [
      'net_due_to_merchant',
      '45.00',
      'net due of the invoices at 45.00 USD, and the evidence from before it comes to 44.00 USD',
    ],
    ['invoices', '3', 'number of invoices at 3, and the evidence from before it comes to 2'],
  ])('stop the statement where the evidence does not come to what the close froze: %s', async (figure, value, says) => {
    const books = await closedBooks();
    await muchHappens(books);
    const db = openDatabase(path.join(books.cwd, 'ledger.db'));
    db.exec('drop trigger period_close_figure_refuses_update');
    db.exec(
      `update period_close_figure set value = '${value}' where section <> 'roll-forward' and figure = '${figure}'`,
    );
    db.close();
    const { code, stderr } = await books.run(NOV9, 'statement', '2026-10', '--out', 'october.xlsx');
    expect(code).toBe(1);
    expect(stderr).toContain(`the close froze the ${says}`);
  });
});
