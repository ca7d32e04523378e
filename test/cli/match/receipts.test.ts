import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { syncInto } from '../../helpers/sync.ts';

const order = (id: string, cod: string) => ({
  order_id: id,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
});
const HEAD = 'date,amount,currency,text,invoice\n';
const NOW = new Date('2026-11-10T09:00:00Z');

let courier: FakeCourier;
let books: OwnBooks;

/** Nets 97, 47 and 47 dollars. */
beforeEach(async () => {
  courier = await startFakeCourier({
    invoices: [
      invoiceOf(10001, '2026-10-01T10:00:00+03:00', [order('A', '100.00')]),
      invoiceOf(10002, '2026-10-02T10:00:00+03:00', [order('B', '50.00')]),
      invoiceOf(10003, '2026-10-02T11:00:00+03:00', [order('C', '50.00')]),
    ],
  });
  books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
  await syncInto(path.join(books.folder, 'ledger.db'), courier);
});
afterEach(() => courier.close());

const receive = (name: string, ...lines: string[]) =>
  books.json(['import', 'receipts', books.file(name, `${HEAD}${lines.join('\n')}\n`)]);
const LINES = [
  '2026-10-06,90.00,USD,Cedar Road 10001,',
  '2026-10-07,47.00,USD,Cedar Road payment,',
  '2026-10-08,-12.50,USD,Rent,',
  '2026-10-09,5.00,USD,Cedar Road odd,',
];

interface Report {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly totals: readonly unknown[];
  readonly notes: readonly string[];
}

describe('receipts', () => {
  it('of a month that was never synced are shown where no month is asked for', async () => {
    await receive('a.csv', '2026-12-20,5.00,USD,Cedar Road odd,');
    const datesOf = async (...period: string[]) =>
      (await books.json<Report>(['report', 'receipts', ...period])).rows.map(({ date }) => date);
    expect(await datesOf()).toEqual(['2026-12-20']);
    expect(await datesOf('2026-10')).toEqual([]);
  });

  it('are a report: each line, whose it is, what it pays, what is left', async () => {
    await receive('a.csv', ...LINES);
    const { rows, totals } = await books.json<Report>(['report', 'receipts', '2026-10']);
    const names = ['receipt', 'date', 'kind', 'whose', 'status', 'amount', 'matched', 'left', 'invoices', 'rule'];
    expect(rows.map((row) => names.map((name) => row[name]))).toEqual([
      [1, '2026-10-06', 'received', 'payer', 'matched', '90.00', '90.00', '0.00', '10001', 'named-part'],
      [2, '2026-10-07', 'received', 'payer', 'ambiguous', '47.00', '0.00', '47.00', null, null],
      [3, '2026-10-08', 'paid-out', null, 'other', '-12.50', null, null, null, null],
      [4, '2026-10-09', 'received', 'payer', 'unmatched', '5.00', '0.00', '5.00', null, null],
    ]);
    expect(totals).toEqual([
      { courier: 'zahra-store', currency: 'USD', amount: '129.50', matched: '90.00', left: '52.00' },
    ]);
    const of = async (...filter: string[]) =>
      (await books.json<Report>(['report', 'receipts', '2026-10', ...filter])).rows.map(({ receipt }) => receipt);
    expect(await of('--invoice', '10001')).toEqual([1]);
    expect(await of('--status', 'unmatched')).toEqual([4]);
    // Of another month, and still what an invoice of that month is paid with.
    expect((await books.json<Report>(['report', 'receipts', '2026-10'])).notes).toEqual([
      expect.stringContaining('not from the courier'),
    ]);
  });

  it('of somebody whose amounts are those of invoices are asked about, and nothing is taken for granted', async () => {
    const { stdout } = await books.remit([
      'import',
      'receipts',
      books.file(
        'b.csv',
        `${HEAD}2026-10-06,97.00,USD,BOB FINANCE 77 COD,\n2026-10-07,47.00,USD,BOB FINANCE 78 COD,\n2026-10-08,5.00,USD,BOB FINANCE 79,\n2026-12-08,97.00,USD,LATE LTD,\n`,
      ),
    ]);
    expect(stdout).toContain(
      '2 lines from "BOB FINANCE" match invoices: is this the courier? If so, add to remit.toml: [receipts] payers = ["BOB FINANCE"]',
    );
    expect(stdout).not.toContain('LATE');
    const { rows } = await books.json<Report>(['report', 'receipts', '2026-10']);
    expect(rows.map(({ whose }) => whose)).toEqual([null, null, null]);
  });

  it('are shown one by one: the line as it stands in its file, where else it stands, its matches and its ways', async () => {
    await receive('a.csv', ...LINES);
    await receive('b.csv', LINES[1]!, '2026-10-12,1.00,USD,Cedar Road,');
    const shown = await books.json<Record<string, unknown>>(['show', 'receipt', '2']);
    expect(shown).toMatchObject({
      receipt: { id: 2, line: 3, amount: '47.00', currency: 'USD', text: 'Cedar Road payment' },
      raw: '2026-10-07\t47.00\tUSD\tCedar Road payment\t',
      import: { source: 'a.csv', format: 'csv' },
      seen_in: [{ source: 'b.csv' }],
      whose: 'payer',
      matches: [],
      left: '47.00',
      ways: { rule: 'equal', ways: [[10002], [10003]], too_many: false },
    });
    await books.json(['match', 'add', '2', '10003', '--by', 'Nour']);
    await books.json(['match', 'remove', '2', '--reason', 'it was for 10002', '--by', 'Nour']);
    const { stdout } = await books.remit(['show', 'receipt', '2']);
    expect(stdout).toMatch(/^receipt 2\n[\s\S]*Date +2026-10-07[\s\S]*Amount +47\.00[\s\S]*Left +47\.00/);
    expect(stdout).toContain('matched by hand alone');
    expect(stdout).toMatch(
      /Match 2 \(manual\) +10003 +47\.00 +USD +Nour[\s\S]*Match 2 taken away: it was for 10002 .*Nour/,
    );
    expect(stdout).toMatch(/\d+ +a\.csv +csv +root +3 /);
    const unknown = await books.remit(['show', 'receipt', '99']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('the ledger knows no receipt "99"')]);
  });

  it('lead to their files', async () => {
    await receive('a.csv', ...LINES);
    await receive('b.csv', LINES[0]!);
    const { subject, documents } = await books.json<{
      subject: string;
      documents: { kind: string; source: string; sha256: string }[];
    }>(['evidence', 'receipt', '1']);
    expect(subject).toBe('receipt 1');
    expect(documents.map(({ kind, source }) => [kind, source])).toEqual([
      ['import', 'a.csv'],
      ['import', 'b.csv'],
    ]);
    expect((await books.remit(['evidence', 'receipt', '9'])).code).toBe(2);
  });

  it('stand in the statement without the lines that are not from the courier', async () => {
    await receive('a.csv', ...LINES);
    const { code } = await books.remit(['statement', '2026-10', '--out', 'october.xlsx'], { now: NOW });
    expect(code).toBe(0);
    const { readFileSync } = await import('node:fs');
    const { readWorkbook } = await import('../../helpers/workbook.ts');
    const sheets = (await readWorkbook(readFileSync(path.join(books.folder, 'october.xlsx')))).sheets;
    const texts = [...sheets.get('Receipts')!.values()].map(({ value }) => value);
    expect(texts).toContain('Cedar Road odd');
    expect(texts).not.toContain('Rent');
    const summary = [...sheets.get('Summary')!.values()].map(({ value }) => value);
    expect(summary).toContain('of which received, by receipts');
  });

  it('meet their invoices in the night, which tells of it', async () => {
    await receive('a.csv', ...LINES, '2026-10-01,-9.00,USD,Rent,', '2026-10-20,200.00,USD,Cedar Road 10004,');
    const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY };
    const night = (...argv: string[]) => books.remit(['night', ...argv], { env, now: NOW });
    const first = JSON.parse((await night('--json')).stdout);
    expect(first.match).toEqual({ new: 0, matched: 1, unmatched: 2, ambiguous: 1 });
    expect((await night('--quiet')).stdout).toBe('');
    courier.world.invoices.push(invoiceOf(10004, '2026-10-09T10:00:00+03:00', [order('D', '203.00')]));
    const { stdout } = await night('--quiet', '--fail-on', 'never');
    expect(stdout).toMatch(/^remit night 2026-11-10: .*1 new match/);
    expect(stdout).toContain('receipts: 2 matched, 1 new match, 1 unmatched, 1 ambiguous');
  });
});
