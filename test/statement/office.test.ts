import { beforeAll, describe, expect, it } from 'vitest';
import { readResolutions } from '../../src/books/formats/resolutions.ts';
import { withLedger } from '../helpers/ledger.ts';
import { hasLibreOffice, hasOpenpyxl, readByOpenpyxl, recalculated, savedByOpenpyxl } from '../helpers/office.ts';
import { PIXEL, setAccount, workbookOf } from '../helpers/statement.ts';
import { type ReadWorkbook, readWorkbook } from '../helpers/workbook.ts';

/** Amounts that floats add up wrong, in two currencies, over several invoices. */
function invoices() {
  return Array.from({ length: 6 }, (_, i) => ({
    number: 500 + i,
    status: i % 2 ? 'PAID' : 'PENDING_PAYMENT',
    rows: Array.from({ length: 40 }, (_, k) => ({
      order_id: `000${i}${k}`,
      reference_id: ['=1+1', 'مرجع', 'two\nlines', '🎁', '_x0041_'][k % 5]!,
      amounts: {
        USD: [`${(i * 37 + k * 13) % 90}.${String((k * 7 + 1) % 100).padStart(2, '0')}`, '0.10'] as const,
        LBP: [`${((i + k) % 9) + 1}50000.05`, '0.00'] as const,
      },
      ...(k === 7 ? { book: { amounts: { USD: ['1.01', '0.10'] as const } } } : {}),
    })),
  }));
}

let bytes: Buffer;
let book: ReadWorkbook;
beforeAll(async () => {
  bytes = await withLedger({ invoices: invoices() }, async (ledger) => {
    await setAccount(ledger, 'شركة', '#0B6E4F', PIXEL);
    return workbookOf(ledger);
  });
  book = await readWorkbook(bytes);
});

describe.skipIf(!hasLibreOffice)('LibreOffice', () => {
  it('saves it so that what was typed can be told from what was not', async () => {
    const { mark, cells } = readResolutions(await recalculated(bytes), 'book.xlsx');
    expect(mark?.cells).toBe(cells);
  });

  it('calculates every formula to the result that the file holds, to the last digit', async () => {
    const { sheets } = await readWorkbook(await recalculated(bytes));
    let formulas = 0;
    for (const [name, sheet] of book.sheets) {
      for (const [address, { formula, value, type }] of sheet) {
        if (formula === null) continue;
        formulas += 1;
        const got = sheets.get(name)!.get(address)?.value ?? '';
        const same = type === 'str' ? [got, value] : [Number(got), Number(value)];
        expect([name, address, same[0]]).toEqual([name, address, same[1]]);
      }
    }
    expect(formulas).toBeGreaterThan(40);
  });
});

describe.skipIf(!hasOpenpyxl)('openpyxl', () => {
  it('saves it so that what was typed can be told from what was not', () => {
    const { mark, cells, rows } = readResolutions(savedByOpenpyxl(bytes, 'asked'), 'book.xlsx');
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
