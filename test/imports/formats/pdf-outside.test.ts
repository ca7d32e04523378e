import { describe, expect, it } from 'vitest';
import type { PdfCell, PdfLine } from '../../../src/imports/formats/pdf-lines.ts';
import { labelledOutside, statedOutside } from '../../../src/imports/formats/pdf-outside.ts';

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
});
