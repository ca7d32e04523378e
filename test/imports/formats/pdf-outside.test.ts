import { describe, expect, it } from 'vitest';
import type { PdfCell, PdfLine } from '../../../src/imports/formats/pdf-lines.ts';
import { labelledOutside, statedOutside } from '../../../src/imports/formats/pdf-outside.ts';
import { readSafely } from '../../../src/imports/formats/read-safely.ts';
import type { ColumnMap } from '../../../src/imports/maps/column-map.ts';
import { writtenPdf } from '../../helpers/pdf/write.ts';

const cell = (text: string, at: number, kind: PdfCell['kind'] = 'words'): PdfCell => {
  return { text, kind, left: at * 100, right: at * 100 + 90, isRightToLeft: false, texts: [] };
};
const line = (number: number, ...cells: readonly PdfCell[]): PdfLine =>
  ({ line: number, page: 1, cells }) as unknown as PdfLine;
const page = (...texts: readonly string[]) => texts.map((text, i) => line(i + 1, cell(text, 0)));
const map = {
  name: 'x',
  kind: 'settlement' as const,
  columns: { invoice: 'Payout no.', issued_on: 'Paid on' },
};
const found = (...texts: readonly string[]) => labelledOutside(page(...texts), map).map(({ value }) => value);

describe('what a page states outside its table', () => {
  it('is one payout on every page, and never two', () => {
    expect(found('Payout no.: ES-902 page 1', 'Payout no.: ES-902 page 2')).toEqual(['ES-902']);
    expect(() => found('Payout no.: ES-902 page 1', 'Payout no.: ES-902 page 2', 'Payout no.: ES-903')).toThrow(
      /ES-903/,
    );
  });

  it('is the value as it is written, with the time of its day', () => {
    expect(found('Paid on: 31/10/2026 10:15')).toEqual(['31/10/2026 10:15']);
    expect(found('Payout no.:10009', 'Paid on 2026-10-31')).toEqual(['10009', '2026-10-31']);
    expect(found('Payout #10009  page 1')).toEqual([]);
  });

  it('is the balance, not its day', () => {
    const figures = (...cells: readonly PdfCell[]) => statedOutside([line(1, ...cells)]).map(({ figure }) => figure);
    expect(figures(cell('Closing balance as at 31.10.2026', 0), cell('1,234.00', 1, 'figure'))).toEqual(['1,234.00']);
    expect(figures(cell('Closing balance as at 31.10.2026 1,234.00', 0))).toEqual(['1,234.00']);
    expect(figures(cell('Closing balance as at 31.10.2026', 0))).toEqual([]);
  });

  it.each([
    ['31/10/2026', '13/10/2026', '02/10/2026'],
    ['10/31/2026', '10/13/2026', '10/02/2026'],
    ['04/02/2026', '03/28/2026', '03/27/2026'],
    ['31 Oct 2026', '13 Oct 2026', '2 Oct 2026'],
  ])('is put above and below rows of which the newest (%s) comes first', async (...days) => {
    const rows = [
      ['Date', 'Description', 'Debit', 'Credit', 'Balance'],
      [days[0]!, 'EXAMPLE DELIVERY 10011', '', '100.00', '1,344.50'],
      [days[1]!, 'Fees', '5.50', '', '1,244.50'],
      [days[2]!, 'EXAMPLE DELIVERY 10009', '', '250.00', '1,250.00'],
    ];
    const bytes = writtenPdf([
      [
        [40, 40, 'Opening balance: 1,000.00'],
        [40, 56, 'Closing balance: 1,344.50'],
        ...rows.flatMap((cells, row) =>
          cells
            .map((text, i) => [[40, 130, 330, 420, 500][i]!, 90 + row * 16, text] as const)
            .filter(([, , text]) => text),
        ),
      ],
    ]);
    const bank: ColumnMap = {
      name: 'bank',
      kind: 'receipts',
      currency: 'USD',
      columns: { date: 'Date', text: 'Description', debit: 'Debit', credit: 'Credit', balance: 'Balance' },
    };
    const { statements } = await readSafely('receipts', { bytes, name: 'bank.pdf' }, { map: bank });
    expect(statements).toMatchObject([{ balanced: true, lines: [{}, {}, {}] }]);
  });

  it('proves a charge and a tax of one name apart', async () => {
    const sheet = (total: string) =>
      writtenPdf([
        [
          ['Payout', 'Paid on', 'AWB', 'COD', 'VAT', 'Tax'],
          ['ES-902', '31/10/2026', 'CE-10001', '50.00', '3.00', '1.00'],
          ['ES-902', '31/10/2026', 'CE-10002', '20.00', '3.00', '1.00'],
          ['Total', '', '', '70.00', total, '2.00'],
        ].flatMap((cells, row) =>
          cells.flatMap((text, i) => (text === '' ? [] : [[40 + i * 90, 60 + row * 16, text] as const])),
        ),
      ]);
    const columns = { invoice: 'Payout', issued_on: 'Paid on', order: 'AWB', cod: 'COD' };
    const vat: ColumnMap = {
      ...{ name: 'cedar', kind: 'settlement', currency: 'USD' },
      columns: { ...columns, 'charges.vat': 'VAT', 'taxes.vat': 'Tax' },
    };
    const read = (total: string) => readSafely('settlement', { bytes: sheet(total), name: 'p.pdf' }, { map: vat });
    expect((await read('6.00')).settlements).toHaveLength(1);
    await expect(read('')).rejects.toThrow('vat');
  });
});
