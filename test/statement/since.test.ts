import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../src/base/place.ts';
import { appendEvidence, usingLedger, usingTransaction } from '../../src/ledger/index.ts';
import { remit } from '../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { readWorkbook } from '../helpers/workbook.ts';

const row = (order_id: string, cod: string, currency = 'USD') => ({
  order_id,
  reference_id: `R-${order_id}`,
  cod: [[currency, cod]] as [string, string][],
  delivery_fee: [[currency, '3.00']] as [string, string][],
});
const order = (order_id: string, cod: string, currency?: string) => ({
  ...row(order_id, cod, currency),
  workflow: 'STANDARD',
  delivery_state: 'DELIVERED',
  payment_state: 'PAID_TO_MERCHANT',
  statestamps: [],
});
const DUE = { status: 'PENDING_PAYMENT' };

/** What the section says, a line a row: its cells' values, formulas behind them. */
async function sectionOf(file: string, title: string): Promise<string[]> {
  const book = await readWorkbook(readFileSync(file));
  const [summary] = book.sheets.values();
  const rows = new Map<number, string[]>();
  for (const [address, { value, formula }] of summary!) {
    if (value === null) continue;
    const number = Number(/\d+/.exec(address)![0]);
    rows.set(number, [
      ...(rows.get(number) ?? []),
      formula === null ? value : `${value}=${formula.replaceAll(/\$?[A-Z]\$?\d+/g, '#')}`,
    ]);
  }
  const lines = [...rows].sort(([a], [b]) => a - b).map(([, cells]) => cells.join(' | '));
  const from = lines.findIndex((line) => line.startsWith(title));
  const rest = lines.slice(from + 1);
  return rest.slice(
    0,
    rest.findIndex((line) => /^(Mismatches|الفروقات)$/.test(line)),
  );
}

const TITLE = 'What changed since the last statement';

async function tellSince(ledger: string | null): Promise<void> {
  const cwd = scratchFolder();
  const courier = await startFakeCourier({
    invoices: [
      invoiceOf(7, '2026-10-25T10:00:00+03:00', [row('A1', '25.00'), row('A2', '40.00')], DUE),
      invoiceOf(8, '2026-10-26T10:00:00+03:00', [row('A3', '10.00')], { ...DUE, cod: [['USD', '9.00']] }),
      invoiceOf(9, '2026-10-27T10:00:00+03:00', [row('B1', '90000', 'LBP')], DUE),
    ],
    orders: [order('A1', '25.00'), order('A2', '45.00'), order('A3', '10.00'), order('B1', '90000', 'LBP')],
  });
  onTestFinished(() => courier.close());
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n`);
  const env = { REMIT_API_KEY: KEY, ...(ledger === null ? {} : { REMIT_LEDGER: ledger }) };
  const at = async (day: string, ...argv: string[]) => {
    const outcome = await remit([...argv, '--json', '--quiet'], { cwd, env, now: new Date(`${day}T09:00:00Z`) });
    expect([argv, outcome.code]).toEqual([argv, 0]);
    return JSON.parse(outcome.stdout) as { file: string; files: { file: string }[] };
  };
  const statement = async (day: string, ...more: string[]) => {
    const { file, files } = await at(day, 'statement', '2026-10', ...more);
    return file ?? files.map((one) => one.file);
  };
  const bytes = async (day: string, ...more: string[]) => readFileSync((await statement(day, ...more)) as string);

  await at('2026-11-05', 'sync', '2026-10', '--orders');
  const first = (await statement('2026-11-06')) as string;
  expect(await sectionOf(first, TITLE)).toEqual(['This is the first statement of the month.']);
  const firstBytes = readFileSync(first);
  // Nothing became known since: it is no statement before itself.
  expect((await bytes('2026-11-07')).equals(firstBytes)).toBe(true);

  courier.world.invoices = [
    invoiceOf(7, '2026-10-25T10:00:00+03:00', [row('A1', '26.00'), row('A2', '40.00')], DUE),
    invoiceOf(9, '2026-10-27T10:00:00+03:00', [row('B1', '90000', 'LBP')], { status: 'PAID' }),
    invoiceOf(10, '2026-10-28T10:00:00+03:00', [row('A4', '5.00')], DUE),
  ];
  courier.world.orders = [
    order('A1', '26.00'),
    order('A2', '40.00'),
    order('A3', '10.00'),
    order('A4', '5.00'),
    order('B1', '90000', 'LBP'),
  ];
  await at('2026-11-08', 'sync', '2026-10', '--orders');
  const second = (await statement('2026-11-09')) as string;
  const told = await sectionOf(second, TITLE);
  expect(told).toMatchInlineSnapshot(`
    [
      "Compared with the last statement | Currency | Then | Now | Change",
      "Net due to you | LBP | 89997 | 89997=ROUND(LBP_NET_DUE,2) | 0=ROUND(#-#,2)",
      "USD | 66 | 62=ROUND(USD_NET_DUE,2) | -4=ROUND(#-#,2)",
      "of which outstanding today | LBP | 89997 | 0=ROUND(LBP_OUTSTANDING,2) | -89997=ROUND(#-#,2)",
      "USD | 66 | 62=ROUND(USD_OUTSTANDING,2) | -4=ROUND(#-#,2)",
      "Short (−) or ahead: steps and outside, unresolved | LBP | 0 | 0=ROUND(LBP_SHORT,2) | 0=ROUND(#-#,2)",
      "USD | -5 | -11=ROUND(USD_SHORT,2) | -6=ROUND(#-#,2)",
      "Mismatches not resolved | LBP | 0 | 0=COUNTIFS('Mismatches'!#:#,"LBP",'Mismatches'!#:#,"<>resolved")+COUNTIFS('Mismatches'!#:#,"LBP",'Mismatches'!#:#,"<>resolved") | 0=#-#",
      "USD | 3 | 7=COUNTIFS('Mismatches'!#:#,"USD",'Mismatches'!#:#,"<>resolved")+COUNTIFS('Mismatches'!#:#,"USD",'Mismatches'!#:#,"<>resolved") | 4=#-#",
      "all of them | 7 | 12=COUNTIFS('Mismatches'!#:#,"<>resolved")+COUNTIFS('Mismatches'!#:#,"<>resolved") | 5=#-#",
      "Mismatches found since: invoice-restated × 2, invoice-vanished × 1, order-invoice-link × 1 and order-restated × 2.",
      "Mismatches resolved since: order-amount-differs × 1.",
      "Invoices new since: 10.",
      "Invoices restated since: 7.",
      "Invoices no longer listed since: 8.",
      "Invoices with another status since: 9.",
      "Orders on these invoices whose record was restated, vanished or came back: 2.",
      "Compared with the statement written on 2026-11-06 09:00 UTC (row 14 of the evidence), the last one before anything newer became known.",
    ]
  `);
  const secondBytes = readFileSync(second);
  expect((await bytes('2026-11-10')).equals(secondBytes)).toBe(true);
  expect((await bytes('2026-11-11', '--as-of', '2026-11-07')).equals(firstBytes)).toBe(true);
  expect((await bytes('2026-11-11', '--as-of', '2026-11-10')).equals(secondBytes)).toBe(true);

  // A currency tells of its own alone, and in Arabic it tells the same figures.
  const [, usd] = (await statement('2026-11-11', '--split', 'currency')) as unknown as string[];
  const own = await sectionOf(usd!, TITLE);
  expect(own.filter((line) => /LBP|Invoices.*: 9\./.test(line))).toEqual([]);
  expect(own).toEqual(expect.arrayContaining(told.filter((line) => /restated since|new since|no longer/.test(line))));
  const arabic = await sectionOf(
    (await statement('2026-11-11', '--lang', 'ar', '--out', 'ar.xlsx')) as string,
    'ما تغيّر',
  );
  const figures = (lines: readonly string[]) =>
    lines
      .join(' ')
      .replace(/[\u2066-\u2069]/g, '')
      .match(/-?\d[\d.]*/g);
  expect(figures(arabic)).toEqual(figures(told));
}

/**
 * A statement of which an earlier remit kept no more than the file's hash, and an order whose record has another
 * currency since.
 */
async function tellSinceOldStatement(): Promise<void> {
  const cwd = scratchFolder();
  const courier = await startFakeCourier({
    invoices: [
      invoiceOf(8, '2026-10-26T10:00:00+03:00', [row('A1', '25.00')], DUE),
      invoiceOf(9, '2026-10-27T10:00:00+03:00', [row('B1', '90000', 'LBP')], DUE),
    ],
    orders: [order('A1', '25.00'), { ...order('B1', '90000', 'LBP'), delivery_state: 'IN_TRANSIT' }],
  });
  onTestFinished(() => courier.close());
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n`);
  const at = async (day: string, ...argv: string[]) => {
    const now = new Date(`${day}T09:00:00Z`);
    const outcome = await remit([...argv, '--json', '--quiet'], { cwd, env: { REMIT_API_KEY: KEY }, now });
    expect([argv, outcome.code]).toEqual([argv, 0]);
    return JSON.parse(outcome.stdout) as { files: { currency: string; file: string }[] };
  };
  await at('2026-11-05', 'sync', '2026-10', '--orders');
  await usingLedger(placeOf('ledger.db', cwd), {}, (ledger) =>
    usingTransaction(ledger, (trx) =>
      appendEvidence(trx, {
        at: new Date('2026-11-06T09:00:00Z'),
        kind: 'statement',
        subject: '2026-10',
        source: '2026-10.xlsx',
        data: { file_sha256: 'a'.repeat(64) },
      }),
    ),
  );
  courier.world.orders = [order('A1', '25.00'), { ...order('B1', '1.00'), delivery_state: 'IN_TRANSIT' }];
  await at('2026-11-08', 'sync', '2026-10', '--orders');
  const { files } = await at('2026-11-09', 'statement', '2026-10', '--split', 'currency');
  const told = new Map<string, string[]>();
  for (const { currency, file } of files) told.set(currency, await sectionOf(file, TITLE));
  const news = 'Orders on these invoices whose record was restated, vanished or came back: 1.';
  for (const currency of ['LBP', 'USD']) {
    expect(told.get(currency)).toEqual(
      expect.arrayContaining([news, 'The figures of the last statement were not kept, so none are compared.']),
    );
    expect(told.get(currency)!.filter((line) => line.startsWith('Net due'))).toEqual([]);
  }
}

describe('what changed since the last statement', () => {
  it('is told on the Summary, in SQLite', () => tellSince(null));

  it('says so where the figures of the last one were not kept, and misses no order whose currency is another', () =>
    tellSinceOldStatement());

  it.skipIf(!hasPostgres)('and in PostgreSQL', async () => tellSince((await newDatabase()).url));
});
