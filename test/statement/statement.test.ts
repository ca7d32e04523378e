import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { statement } from '../../reports/statement/index.ts';
import { invoiceTable } from '../../reports/statement/invoices.ts';
import { orderTable } from '../../reports/statement/orders.ts';
import { readOwnSide } from '../../reports/statement/own-amounts.ts';
import { matchNow } from '../../src/app/match/run.ts';
import { readSettlements } from '../../src/checks/facts/receipts/settlements.ts';
import { readReturns } from '../../src/checks/facts/returns/convention.ts';
import type { Config } from '../../src/config/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { sqlMonthTotals } from '../../src/ledger/queries/invoices/control-totals.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { writeStatement } from '../../src/render/statement/index.ts';
import { checkContext, DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type Amounts, fill, type InvoiceSpec, type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { PIXEL, setAccount, workbookOf } from '../helpers/statement.ts';
import { named, type ReadWorkbook, readWorkbook, sheetText } from '../helpers/workbook.ts';

const HOSTILE = [
  '=1+1',
  '@SUM(A1)',
  '-2',
  '+3',
  '=HYPERLINK("http://x","y")',
  'محمد "علي"',
  '👩‍👩‍👧 <b>',
  'two\nlines',
  "it's",
];

function row(order_id: string, amounts: Amounts, reference_id = `ref-${order_id}`) {
  return { order_id, amounts, reference_id };
}

/** Two currencies, one paid invoice and one not, an order whose own record differs, and a header that is short. */
const OCTOBER: readonly InvoiceSpec[] = [
  {
    number: 1001,
    rows: [
      row('00000001', { USD: ['25.10', '3.00'] }, '=1+1'),
      row('00000002', { USD: ['0.20', '3.00'], LBP: ['4500000.00', '0.00'] }, 'طلب'),
      { ...row('00000003', { USD: ['40.00', '3.00'] }), book: { amounts: { USD: ['45.00', '3.00'] } } },
    ],
  },
  {
    number: 1002,
    status: 'PENDING_PAYMENT',
    issued_at: '2026-10-31T23:59:59.123456+03:00',
    rows: [row('00000004', { USD: ['100.00', '3.50'] }), row('00000005', { LBP: ['900000.00', '250000.00'] })],
    header: { USD: ['99.00', '3.50', '95.50'], LBP: ['900000.00', '250000.00', '650000.00'] },
  },
];
const SEPTEMBER: InvoiceSpec = { number: 900, period: '2026-09', rows: [row('old', { USD: ['10.00', '2.00'] })] };

async function bookOf(spec: LedgerSpec, prepare?: (ledger: Ledger) => Promise<unknown>): Promise<ReadWorkbook> {
  return withLedger(spec, async (ledger) => {
    await prepare?.(ledger);
    return readWorkbook(await workbookOf(ledger));
  });
}

const textsOf = (book: ReadWorkbook, sheet: string) => [...book.sheets.get(sheet)!.values()].map(({ value }) => value);

describe("the month's statement", () => {
  it('holds these cells', async () => {
    const book = await bookOf({ invoices: [...OCTOBER, SEPTEMBER] }, (ledger) =>
      setAccount(ledger, 'Cedar & Sons شركة', '#0B6E4F', PIXEL),
    );
    const text = [...book.sheets].map(([name, sheet]) => `== ${name}\n${sheetText(sheet)}`).join('\n');
    // The digest changes with every word; what it is good for is tested where workbooks come back.
    const masked = text
      .replace(/[0-9a-f]{64} \(row/, '… (row')
      .replace(/ chain [0-9a-f]{16} cells [0-9a-f-]+"/, ' chain … cells …"');
    await expect(masked).toMatchFileSnapshot('../goldens/statement/2026-10.txt');
  });

  it('states per currency what is due, live and named, and proves it', async () => {
    const book = await bookOf({ invoices: OCTOBER });
    expect(named(book, 'USD_COD')).toMatchObject({
      value: '164.3',
      formula: expect.stringMatching(/^ROUND\(SUMIFS\('Invoices'!/),
    });
    expect(named(book, 'USD_NET_DUE')?.value).toBe('151.8');
    expect(named(book, 'USD_PAID')?.value).toBe('56.3');
    expect(named(book, 'USD_OUTSTANDING')?.value).toBe('95.5');
    expect(named(book, 'LBP_NET_DUE')?.value).toBe('5150000');
    // One dollar is missing in a header, and five in a row: both are named, so nothing is unexplained.
    expect(named(book, 'USD_OURS')?.value).toBe('157.8');
    expect(named(book, 'USD_DIFFERENCE')).toMatchObject({ value: '-6', formula: 'ROUND(USD_COURIER-USD_OURS,2)' });
    expect(named(book, 'USD_EXPLAINED')?.value).toBe('-6');
    expect(named(book, 'USD_UNEXPLAINED')?.value).toBe('0');
    expect(book.names.has('GBP_NET_DUE')).toBe(false);
  });

  it('draws the COD of the last months as live bars, the longest month in full', async () => {
    const august: InvoiceSpec = { number: 800, period: '2026-08', rows: [row('older', { USD: ['82.15', '2.00'] })] };
    const book = await bookOf({ invoices: [...OCTOBER, SEPTEMBER, august] });
    const bars = [...book.sheets.get('Summary')!].filter(([, { formula }]) => formula?.startsWith('REPT('));
    // LBP has business in October alone; half of USD's October is August.
    expect(bars.map(([, { value }]) => value?.length)).toEqual([0, 0, 40, 20, 2, 40]);
    const [[at, { formula }]] = bars.slice(3) as [(typeof bars)[number]];
    const line = Number(at.slice(1));
    expect(formula).toBe(`REPT("█",ROUND(40*MAX(B${line},0)/MAX(B$${line}:B$${line + 2}),0))`);
  });

  it('has no bars where an amount has more digits than a spreadsheet holds', async () => {
    const rows = [row('a', { LBP: ['200000000000000.25', '0.00'] })];
    const book = await bookOf({ invoices: [{ number: 1, rows }] });
    expect(textsOf(book, 'Summary').join()).not.toContain('█');
  });

  it('has the brand’s colour and no picture', async () => {
    const book = await bookOf({ invoices: OCTOBER }, (ledger) => setAccount(ledger, 'A', '#0B6E4F', PIXEL));
    expect(book.styles).toContain('FF0B6E4F');
    expect(Object.keys(book.zip.files).filter((name) => /media|drawing|chart/.test(name))).toEqual([]);
  });

  it('keeps hostile text from every field as text', async () => {
    const invoices: InvoiceSpec[] = HOSTILE.map((text, i) => ({
      number: i + 1,
      status: text,
      rows: [{ order_id: `${text} ${i}`, reference_id: text, delivery_state: text, payment_state: text }],
    }));
    const book = await bookOf({ invoices }, (ledger) => setAccount(ledger, HOSTILE[0]!, HOSTILE[0]!, null));
    const orders = textsOf(book, 'Orders');
    for (const text of HOSTILE) expect(orders).toContain(text);
    for (const sheet of book.sheets.values()) {
      for (const { formula } of sheet.values()) {
        if (formula !== null)
          expect(formula).toMatch(
            /^((ROUND|SUMIFS|COUNTIFS|SUMPRODUCT|IF|REPT)\(|'Roll-forward'!\$[A-Z]+\$\d+$|HYPERLINK\("#'Mismatches'!A\d+","see rows"\)$)/,
          );
      }
    }
    expect(textsOf(book, 'Summary')).toContain('=1+1');
  });

  it('is readable for a month without invoices, and says so nowhere as an error', async () => {
    const book = await bookOf({ periods: ['2026-10'] });
    expect([...book.sheets.keys()]).toEqual([
      'Summary',
      'Roll-forward',
      'Invoices',
      'Orders',
      'Receipts',
      'Mismatches',
      'Ageing',
      'Where the cash is',
      'Not invoiced',
      'Changes',
      'Journal',
      'About',
    ]);
    expect(textsOf(book, 'Summary')).toContain(
      'No invoice is listed for this month: nothing was collected, charged or is due.',
    );
    expect(textsOf(book, 'Summary').join()).not.toContain('█');
  });

  it('has a column for each of three currencies, and a row for a currency that only the rows know', async () => {
    const rows = [row('a', { EUR: ['1.00', '0.10'], LBP: ['2.00', '0.00'], USD: ['3.00', '0.00'] })];
    const header = { EUR: ['1.00', '0.10', '0.90'], LBP: ['2.00', '0.00', '2.00'] } as const;
    const book = await bookOf({ invoices: [{ number: 1, rows, header }] });
    expect(['EUR', 'LBP', 'USD'].map((currency) => named(book, `${currency}_NET_DUE`)?.value)).toEqual([
      '0.9',
      '2',
      '0',
    ]);
    const invoices = book.sheets.get('Invoices')!;
    expect(['B2', 'B3', 'B4'].map((address) => invoices.get(address)?.value)).toEqual(['EUR', 'LBP', 'USD']);
    expect(invoices.get('N4')?.value).toBe('-3');
    expect(named(book, 'USD_UNEXPLAINED')?.value).toBe('0');
  });

  it('writes amounts beyond 15 digits as text, and figures over them without formulas', async () => {
    const rows = [row('a', { LBP: ['200000000000000.25', '0.00'] })];
    const book = await bookOf({ invoices: [{ number: 1, rows }] });
    expect(book.sheets.get('Orders')!.get('J2')).toMatchObject({ type: 'str', value: '200,000,000,000,000.25' });
    expect(named(book, 'LBP_NET_DUE')).toMatchObject({ type: 'str', value: '200,000,000,000,000.25', formula: null });
    expect(named(book, 'LBP_DIFFERENCE')).toMatchObject({ type: 'n', value: '0', formula: null });
    expect(textsOf(book, 'Orders').join()).toContain('Amounts on a yellow ground');
  });

  it('is the same to the byte as long as the ledger is', async () => {
    await withLedger({ invoices: OCTOBER }, async (ledger) => {
      const first = await workbookOf(ledger);
      expect((await workbookOf(ledger)).equals(first)).toBe(true);
      await ledger.db
        .transaction()
        .execute((trx) => fill(trx, { invoices: [{ ...OCTOBER[0]!, status: 'PENDING_PAYMENT' }] }));
      expect((await workbookOf(ledger)).equals(first)).toBe(false);
    });
  });

  it('sets what vanished below the totals, struck out and in none of them', async () => {
    const book = await bookOf({ invoices: [...OCTOBER, { number: 77, vanished: true, rows: [{ order_id: 'gone' }] }] });
    const invoices = book.sheets.get('Invoices')!;
    const at = [...invoices].find(([, { value }]) => value === 'Vanished')![0].slice(1);
    expect([invoices.get(`A${at}`)?.value, invoices.get(`I${at}`)?.value]).toEqual(['77', '22']);
    const total = [...invoices].findLast(([, { value }]) => value === 'Total')![0].slice(1);
    expect(Number(at)).toBeGreaterThan(Number(total));
    expect(invoices.get(`I${total}`)?.value).toBe('151.8');
    expect(named(book, 'USD_NET_DUE')?.value).toBe('151.8');
    const xml = await book.zip.file('xl/styles.xml')!.async('string');
    expect(xml).toMatch(/<dxf>.*<strike/s);
  });

  it('prints the heading of the documents on every page that they go on over', async () => {
    const book = await bookOf({ invoices: OCTOBER });
    const heading = [...book.sheets.get('About')!].find(([, { value }]) => value === 'SHA-256 of the document')!;
    const row = heading[0].slice(1);
    const names = await book.zip.file('xl/workbook.xml')!.async('string');
    const titles = /"_xlnm.Print_Titles"[^>]*>&apos;About&apos;!([^<]*)</.exec(names);
    expect(titles?.[1]).toBe(`$${row}:$${row}`);
  });

  it('offers the three statuses of a mismatch, and carries id and note for the way back', async () => {
    const book = await bookOf({ invoices: OCTOBER });
    const xml = await book.zip.file('xl/worksheets/sheet6.xml')!.async('string');
    expect(xml).toContain('<formula1>&quot;open,acknowledged,resolved&quot;</formula1>');
    const header = [...book.sheets.get('Mismatches')!.values()].slice(0, 19).map(({ value }) => value);
    expect(header.slice(0, 4)).toEqual(['Severity', 'Cause', 'Invoice', 'What and what to do']);
    expect(header.slice(7, 9)).toEqual(['Status', 'Note']);
    expect(header.at(-1)).toBe('Id');
  });
});

describe('what a reader must know', () => {
  const summary = async (spec: LedgerSpec, prepare?: (ledger: Ledger) => Promise<unknown>) =>
    textsOf(await bookOf(spec, prepare), 'Summary').join('\n');

  it('names the checks that were not run, and says when all were', async () => {
    expect(await summary({ invoices: OCTOBER, orderBook: 'none' })).toMatch(/order-unknown.*\n.*never synced/);
    const own = {
      orders: ['SO-1,2026-10-01,open,USD,1.00'],
      receipts: ['2026-10-01,-1.00,USD,Rent,'],
      tariff: ['STANDARD,,,,,,USD,3.00'],
      rates: ['2026-10-01,USD,LBP,89500'],
    };
    // What has an open error is not closed.
    const clean = [{ number: 1, rows: [row('a', { USD: ['25.10', '3.00'] })] }];
    expect(await summary({ invoices: clean, closes: ['2026-10'], nights: [{}], own })).toContain(
      'Every check of this version was run.',
    );
  });

  it('warns of a partial sync, of vanished and unreadable invoices, and of a month not over', async () => {
    expect(await summary({ invoices: OCTOBER, partial: ['2026-10'] })).toContain('did not bring all of it');
    expect(await summary({ invoices: [...OCTOBER, { number: 77, vanished: true }] })).toMatch(
      /no longer lists an invoice .*\(77\)/,
    );
    expect(await summary({ invoices: [...OCTOBER, { number: 77, detail: 'missing' }] })).toContain(
      'no detail of invoice 77 was ever read',
    );
    expect(await summary({ at: '2026-10-20T06:00:00Z', invoices: OCTOBER })).toContain('before the month’s end');
    expect(await summary({ invoices: OCTOBER })).not.toContain('Warnings\n');
  });

  it('says what outstanding rests on by the currencies of the month’s invoices alone', async () => {
    const asReceived = (ledger: Ledger) =>
      matchNow(ledger, { config: DEFAULT_SETTINGS as Config, now: () => new Date('2026-11-05T07:00:00Z') });
    const old: InvoiceSpec = {
      number: 900,
      period: '2026-09',
      status: 'PENDING_PAYMENT',
      issued_at: '2026-09-21T10:00:00+03:00',
      rows: [row('old', { LBP: ['900000.00', '0.00'] })],
    };
    const paid = { number: 1001, rows: [row('a', { USD: ['25.00', '3.00'] })] };
    const own = { receipts: ['2026-10-14,22.00,USD,Cedar Road,1001'] };
    // LBP is on the Summary for its opening balance.
    const text = await summary({ invoices: [old, paid], own }, asReceived);
    expect(text).toContain('Outstanding = net due − matched receipts − agreed differences.\n');
    expect(text).not.toContain('counts as paid, unseen');
    // No invoice of the month: no figure rests on anything.
    expect(await summary({ periods: ['2026-09', '2026-10'], invoices: [old] })).not.toContain('Outstanding goes by');
  });
});

describe('the control total', () => {
  it('refuses a month that was never synced', async () => {
    await withLedger({ invoices: OCTOBER }, async (ledger) => {
      await expect(workbookOf(ledger, '2026-01')).rejects.toMatchObject({ code: 'ledger' });
    });
  });

  it('leaves nothing behind when the rows do not come to what the database sums', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'remit-control-'));
    await withLedger({ invoices: OCTOBER }, (ledger) =>
      usingSnapshot(ledger, async (db) => {
        const model = await statement({
          db,
          month: '2026-10',
          settings: DEFAULT_SETTINGS,
          skipped: [],
          incomplete: [],
          uncompared: [],
          bridge: [],
        });
        const off = model.totals.currencies.map((sums) => ({ ...sums, order_cod: sums.order_cod.plus('0.0001') }));
        const context = await checkContext(db, '2026-10');
        const orders = orderTable({
          context,
          ownSide: await readOwnSide(context, '2026-10'),
          month: '2026-10',
          mismatches: [],
          control: { ...model.totals, currencies: off },
          bridge: [],
        });
        const writing = writeStatement(
          { ...model, tables: { ...model.tables, orders } },
          path.join(folder, 'out.xlsx'),
        );
        await expect(writing).rejects.toMatchObject({
          code: 'ledger',
          message: expect.stringContaining(
            'COD of the rows: 5400000.00 LBP row by row, 5400000.0001 LBP in the database',
          ),
        });
      }),
    );
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('stops at invoices that do not come to it either', async () => {
    await withLedger({ invoices: OCTOBER }, (ledger) =>
      usingSnapshot(ledger, async (db) => {
        const totals = await sqlMonthTotals(db, '2026-10');
        const settlements = await readSettlements(db, DEFAULT_SETTINGS);
        const control = { ...totals, currencies: [] };
        await expect(
          invoiceTable(db, '2026-10', {
            mismatches: [],
            control,
            rowSums: [],
            settlements,
            returns: await readReturns(db, 'auto'),
          }),
        ).rejects.toThrow(/control total/);
      }),
    );
  });
});
