import { beforeAll, describe, expect, it } from 'vitest';
import { readResolutions } from '../../src/imports/formats/resolutions.ts';
import { WORKBOOK_WORDS } from '../../src/words/terms.ts';
import { withLedger } from '../helpers/ledger.ts';
import {
  expectSameRecalculated,
  hasLibreOffice,
  hasOpenpyxl,
  readByOpenpyxl,
  recalculated,
  savedByOpenpyxl,
  withSheet,
} from '../helpers/office.ts';
import { PIXEL, setAccount, workbookOf } from '../helpers/statement.ts';
import { named, type ReadWorkbook, readWorkbook } from '../helpers/workbook.ts';

/** Amounts that floats add up wrong, in two currencies, over several invoices. */
function invoices() {
  return Array.from({ length: 6 }, (_, i) => ({
    number: 500 + i,
    status: i % 2 ? 'PAID' : 'PENDING_PAYMENT',
    rows: Array.from({ length: 40 }, (_, k) => ({
      order_id: `000${i}${k}`,
      reference_id: k === 9 ? `SO-${i}` : ['=1+1', 'مرجع', 'two\nlines', '🎁', '_x0041_'][k % 5]!,
      amounts: {
        USD: [`${(i * 37 + k * 13) % 90}.${String((k * 7 + 1) % 100).padStart(2, '0')}`, '0.10'] as const,
        LBP: [`${((i + k) % 9) + 1}50000.05`, '0.00'] as const,
      },
      ...(k === 7 ? { book: { amounts: { USD: ['1.01', '0.10'] as const } } } : {}),
    })),
  }));
}

/** The shop's own book and prices, which are not what the courier's records say. */
const OWN = {
  orders: ['SO-1,2026-10-01,handed_over,USD,77.77', 'SO-2,2026-10-01,handed_over,EUR,10.01'],
  tariff: ['STANDARD,,,,,,USD,0.07'],
};

let bytes: Buffer;
let book: ReadWorkbook;
beforeAll(async () => {
  bytes = await withLedger({ invoices: invoices(), own: OWN }, async (ledger) => {
    await setAccount(ledger, 'شركة', '#0B6E4F', PIXEL);
    return workbookOf(ledger);
  });
  book = await readWorkbook(bytes);
});

describe.skipIf(!hasLibreOffice)('LibreOffice', () => {
  it('saves it so that what was typed can be told from what was not', async () => {
    const { mark, cells } = readResolutions(await recalculated(bytes), 'book.xlsx', Object.values(WORKBOOK_WORDS));
    expect(mark?.cells).toBe(cells);
  });

  it('moves the result line when a status is changed, and the totals with a filter, which the Summary does not follow', async () => {
    const settled = await withSheet(bytes, 6, (xml) => xml.replace(/(<c r="H2"[^>]*><v>)open(<\/v>)/, '$1resolved$2'));
    const worked = await withSheet(settled, 3, (xml) =>
      xml.replace(/<row r="([4-9]|1[0-3])"/g, (row) => `${row} hidden="1"`),
    );
    const after = await readWorkbook(await recalculated(worked));
    const { value: currency } = book.sheets.get('Mismatches')!.get('G2')!;
    const effect = Number(book.sheets.get('Mismatches')!.get('E2')!.value);
    expect(effect).not.toBe(0);
    const short = (of: ReadWorkbook) => Number(named(of, `${currency}_SHORT`)!.value);
    expect(short(after)).toBeCloseTo(short(book) - effect, 6);
    expect(Number(named(after, 'ERRORS_OPEN')!.value)).toBe(Number(named(book, 'ERRORS_OPEN')!.value) - 1);
    const line = (of: ReadWorkbook) =>
      [...of.sheets.get('Summary')!.values()].find(({ value }) => value?.startsWith(`${currency}: you`))!.value;
    expect(line(after)).not.toBe(line(book));
    // The first invoice's two rows, one a currency, are what is left of twelve.
    const net = (of: ReadWorkbook, row: number) => Number(of.sheets.get('Invoices')!.get(`I${row}`)!.value);
    expect([15, 16].map((row) => net(after, row))).toEqual([2, 3].map((row) => net(book, row)));
    expect(named(after, 'USD_NET_DUE')!.value).toBe(named(book, 'USD_NET_DUE')!.value);
  });

  it('moves the balance with the Roll-forward and the Ageing sheet, and a cause with its mismatches', async () => {
    const cell = (column: string) => new RegExp(`(<c r="${column}2"[^>]*>(?:<f>[^<]*</f>)?<v>)[^<]*(</v>)`);
    const column = (sheet: string, title: string) =>
      [...book.sheets.get(sheet)!].find(([address, { value }]) => /^[A-Z]+1$/.test(address) && value === title)![0][0]!;
    const opened = await withSheet(bytes, 2, (xml) =>
      xml.replace(cell(column('Roll-forward', 'Opening balance due')), '$11000$2'),
    );
    const since = await withSheet(opened, 7, (xml) => xml.replace(cell(column('Ageing', 'Open today')), '$11000000$2'));
    const settled = await withSheet(since, 6, (xml) => xml.replace(/(<c r="H2"[^>]*><v>)open(<\/v>)/, '$1resolved$2'));
    const after = await readWorkbook(await recalculated(settled));
    const line = (of: ReadWorkbook, label: string) => {
      const [address] = [...book.sheets.get('Summary')!].find(
        ([at, { value }]) => at.startsWith('A') && value === label,
      )!;
      const summary = of.sheets.get('Summary')!;
      return ['B', 'C', 'D'].map((letters) => summary.get(letters + address.slice(1))?.value ?? null);
    };
    const currency = book.sheets.get('Roll-forward')!.get('B2')!.value!;
    const moved = (label: string) =>
      line(after, label)
        .map((value, at) => Number(value) - Number(line(book, label)[at]))
        .filter((by) => by !== 0);
    expect(moved('Opening balance')).toEqual([1000]);
    expect(Number(named(after, `${currency}_CLOSING`)!.value)).toBe(
      Number(named(book, `${currency}_CLOSING`)!.value) + 1000,
    );
    expect(moved('Open of it today')).toHaveLength(1);
    const mismatches = book.sheets.get('Mismatches')!;
    const [cause, amount] = ['B2', 'F2'].map((at) => mismatches.get(at)!.value!);
    const [before, now] = [line(book, cause!), line(after, cause!)];
    expect(Number(now[2])).toBe(Number(before[2]) - 1);
    expect(Number(now[0])).toBeCloseTo(Number(before[0]) - Number(amount), 6);
  });

  it('finds no figure on the Summary that is typed', () => {
    const typed = [...book.sheets.get('Summary')!].filter(
      ([, { type, value, formula }]) => type === 'n' && value !== null && formula === null,
    );
    expect(typed).toEqual([]);
  });

  it('calculates every formula to the result that the file holds, to the last digit', async () => {
    expect(await expectSameRecalculated(bytes)).toBeGreaterThan(60);
  });
});

describe.skipIf(!hasOpenpyxl)('openpyxl', () => {
  it('saves it so that what was typed can be told from what was not', () => {
    const { mark, cells, rows } = readResolutions(
      savedByOpenpyxl(bytes, 'asked'),
      'book.xlsx',
      Object.values(WORKBOOK_WORDS),
    );
    expect(mark?.cells).toBe(cells);
    expect(rows.map(({ note }) => note)).toEqual(['asked', ...rows.slice(1).map(() => '')]);
  });

  it('reads the same numbers, texts and cached results, without a warning', () => {
    const read = readByOpenpyxl(bytes);
    for (const [name, sheet] of book.sheets) {
      for (const [address, { type, value, formula }] of sheet) {
        if (value === null) continue;
        const cell = read[name]![address]!;
        const cached = type === 'str' ? value : Number(value);
        if (formula !== null) expect(cell).toEqual({ value: `=${formula}`, cached });
        else if (type === 'str') expect(cell.value).toBe(value);
        // Dates come back as text.
        else if (typeof cell.value === 'number') expect(cell.value).toBe(Number(value));
        else expect(cell.value).toMatch(/^2026-1\d-\d\dT\d\d:00:00$/);
      }
    }
  });
});
