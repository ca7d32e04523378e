import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postDelivered, postNamedDifference } from '../../../reports/journal/post.ts';
import { parseUnits } from '../../../src/money/units.ts';
import { journalFileName, journalFiles } from '../../../src/render/journal/index.ts';
import { journalSettings } from '../../../src/render/journal/settings.ts';
import { october, sums, transactions, withoutZeros } from './world.ts';

type Rows = Record<string, string>[];
const read = (pieces: Iterable<string>): Rows => parse([...pieces].join(''), { columns: true });

/** Enough deliveries to pass every limit. */
const many = Array.from(
  { length: 1_301 },
  (_, at) =>
    postDelivered({
      order_id: `86DW546HQX${at}`,
      reference_id: String(at),
      date: '2026-10-09',
      currency: at % 3 ? 'USD' : 'LBP',
      cod: 10_000n,
      delivery_fee: 0n,
    })!,
);

describe('our CSV', () => {
  it('gives back every line, balanced per transaction and currency', () => {
    const settings = journalSettings(undefined, 'csv');
    fc.assert(
      fc.property(transactions, (all) => {
        const journal = october(all);
        const [file, ...others] = journalFiles(journal, 'csv', settings);
        expect(others).toEqual([]);
        const rows = read(file!.pieces);
        const balances: Record<string, bigint> = {};
        const balanced: Record<string, bigint> = {};
        for (const row of rows) {
          expect([row.debit, row.credit].filter(Boolean)).toHaveLength(1);
          const amount = row.debit ? parseUnits(row.debit) : -parseUnits(row.credit!);
          const [key, one] = [`${row.account} ${row.currency}`, row.transaction!];
          balances[key] = (balances[key] ?? 0n) + amount;
          balanced[one] = (balanced[one] ?? 0n) + amount;
        }
        expect(withoutZeros(balances)).toEqual(sums(journal, (account) => settings.accounts[account as never]));
        expect(withoutZeros(balanced)).toEqual({});
      }),
      { numRuns: 100 },
    );
  });

  it('books a difference of a kind that only its name knows as another difference, whatever the name', () => {
    for (const kind of ['valueOf', '__proto__', 'a kind of its own'])
      expect(
        postNamedDifference({ id: '1', number: 10009, date: '2026-10-01', currency: 'USD', amount: 1n, kind })
          ?.lines[0],
      ).toMatchObject({ account: 'other_differences' });
  });

  it('never begins a cell with a formula', () => {
    const delivered = postDelivered({
      order_id: '=1+1',
      reference_id: '@SUM(A1)',
      date: '2026-10-09',
      currency: 'USD',
      cod: 1n,
      delivery_fee: 0n,
    })!;
    const text = [...journalFiles(october([delivered]), 'csv', journalSettings({ name: '=x' }, 'csv'))[0]!.pieces].join(
      '',
    );
    for (const cell of text.split(/[,\r\n]/)) expect(cell).not.toMatch(/^"?[=@+]/);
  });
});

describe.each([
  ['xero', 300],
  ['quickbooks', 1_000],
] as const)('files for %s', (format, most) => {
  const settings = journalSettings(undefined, format);
  const journal = october(many);
  const files = journalFiles(journal, format, settings);

  it(`hold one currency and at most ${most} lines, and lose none`, () => {
    let lines = 0;
    for (const file of files) {
      const rows = read(file.pieces);
      lines += rows.length;
      expect(rows.length).toBeLessThanOrEqual(most);
      expect(file.suffix).toMatch(new RegExp(`^-${file.currency}-\\d+$`));
    }
    expect(lines).toBe(2 * many.length);
    expect(new Set(files.map(({ suffix }) => suffix)).size).toBe(files.length);
  });

  it('keep a transaction whole, and balance', () => {
    const seen = new Set<string>();
    for (const file of files) {
      const sum: Record<string, bigint> = {};
      for (const row of read(file.pieces)) {
        const id = (row['*Narration'] ?? row['Journal No.'])!;
        const amount = row['*Amount'] ?? (row.Debits === '' ? `-${row.Credits}` : row.Debits!);
        sum[id] = (sum[id] ?? 0n) + parseUnits(amount);
      }
      expect(withoutZeros(sum)).toEqual({});
      for (const id of Object.keys(sum)) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
    }
    expect(seen.size).toBe(many.length);
  });

  it('are one file, without a number, where that is enough', () => {
    expect(journalFiles(october(many.slice(1, 3)), format, settings).map(({ suffix }) => suffix)).toEqual(['']);
    expect(journalFiles(october([]), format, settings).map(({ pieces }) => read(pieces))).toEqual([[]]);
  });
});

describe('what the programs ask for', () => {
  const journal = october(many.slice(1, 2));

  it('is Xero’s heading, its dates and its signs', () => {
    expect([...journalFiles(journal, 'xero', journalSettings(undefined, 'xero'))[0]!.pieces].join('')).toBe(
      [
        '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
        'DEL-86DW546HQX1-USD Delivered: order 86DW546HQX1,09/10/2026,order 86DW546HQX1; reference 1,UNINVOICED,Tax Exempt,1.00,,,,',
        'DEL-86DW546HQX1-USD Delivered: order 86DW546HQX1,09/10/2026,order 86DW546HQX1; reference 1,RECEIVABLE,Tax Exempt,-1.00,,,,',
        '',
      ].join('\r\n'),
    );
  });

  it('is QuickBooks’ heading, with one side blank', () => {
    const settings = journalSettings({ name: 'Example Delivery' }, 'quickbooks');
    expect([...journalFiles(journal, 'quickbooks', settings)[0]!.pieces].join('')).toBe(
      [
        'Journal No.,Journal Date,Account Name,Description,Debits,Credits,Name',
        'DEL-86DW546HQX1-USD,2026-10-09,Assets:Uninvoiced COD,Delivered: order 86DW546HQX1; order 86DW546HQX1; reference 1,1.00,,Example Delivery',
        'DEL-86DW546HQX1-USD,2026-10-09,Assets:Receivables,Delivered: order 86DW546HQX1; order 86DW546HQX1; reference 1,,1.00,Example Delivery',
        '',
      ].join('\r\n'),
    );
  });

  it('is a journal number of at most 21 characters, the same each time', () => {
    const long = ['A', 'B'].map(
      (end) =>
        postDelivered({
          order_id: `${'X'.repeat(40)}${end}`,
          reference_id: null,
          date: '2026-10-09',
          currency: 'USD',
          cod: 1n,
          delivery_fee: 0n,
        })!,
    );
    const numbers = () =>
      read(journalFiles(october(long), 'quickbooks', journalSettings(undefined, 'quickbooks'))[0]!.pieces).map(
        (row) => row['Journal No.']!,
      );
    expect(new Set(numbers()).size).toBe(2);
    expect(numbers().every((number) => number.length <= 21)).toBe(true);
    expect(numbers()).toEqual(numbers());
  });
});

describe('the name of a file', () => {
  it.each([
    ['journal.csv', '-USD-1', 'journal-USD-1.csv'],
    ['out/j.2026.csv', '', 'out/j.2026.csv'],
    ['out.d/journal', '-LBP-2', 'out.d/journal-LBP-2'],
  ])('%s and %j is %s', (out, suffix, expected) => {
    expect(journalFileName(out, { suffix })).toBe(expected);
  });
});
