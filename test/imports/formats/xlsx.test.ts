import fc from 'fast-check';
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { read, refusal, sample, sheetRow, workbook } from '../../helpers/bank-files.ts';

const HEADER = sheetRow(1, 'date', 'amount', 'currency', 'text', 'invoice');
const book = (rows: string, options = {}, after = '') =>
  workbook([{ name: 'Cash', rows: HEADER + rows, after }], options);
const line = (date: string, amount: string) => sheetRow(2, date, amount, 'USD', 'x', '<c/>');
const only = (bytes: Uint8Array) => read('receipts', bytes, 'cash.xlsx').statements[0]!.lines[0]!;
const number = (text: string) => `<c><v>${text}</v></c>`;

describe('a cell of a workbook', () => {
  it.each([
    ['0.30', '0.30'],
    ['12.5', '12.50'],
    ['1234.5599999999999', '1234.56'],
    ['4.0999999999999996', '4.10'],
    ['-1E-2', '-0.01'],
    ['1.2E3', '1200.00'],
    ['100000000000000', '100000000000000.00'],
    ['99999999999.9999', '99999999999.9999'],
  ])('the number %s is %s', (text, amount) => {
    expect(only(book(line('2026-10-01', number(text)))).amount).toBe(amount);
  });

  it.each([
    [number('0.30000000000000004'), 'more digits than a spreadsheet keeps exactly'],
    [number('NaN'), 'holds "NaN" as a number'],
    ['<c t="e"><v>#DIV/0!</v></c>', 'holds the error #DIV/0!'],
    ['<c><f>A1+1</f></c>', 'holds a formula without its result'],
    ['<c t="b"><v>1</v></c>', '"true" is not an amount'],
    ['<c t="s"><v>9</v></c>', 'refers to a text that the workbook does not hold'],
    ['<c s="1"><v>46296</v></c>', 'the cell is a date'],
  ])('%s is refused as an amount', (cell, message) => {
    const error = refusal('receipts', book(line('2026-10-01', cell)), 'cash.xlsx');
    expect([error.line, error.column]).toEqual([2, 'amount']);
    expect(error.message).toContain(message);
  });

  it.each([
    ['<c s="1"><v>46296</v></c>', '2026-10-01', false],
    ['<c s="1"><v>44834.999999</v></c>', '2026-10-01', true],
    ['<c s="1"><v>46296.75</v></c>', '2026-10-01', false],
    ['<c s="1"><v>44834</v></c>', '2026-10-01', true],
    ['<c s="1"><v>61</v></c>', '1900-03-01', false],
    ['<c s="1"><v>59</v></c>', '1900-02-28', false],
    ['<c s="1"><v>0</v></c>', '1904-01-01', true],
    ['<c t="d"><v>2026-10-01T00:30:00</v></c>', '2026-10-01', false],
    ['<c t="d"><v>2026-10-01</v></c>', '2026-10-01', false],
  ])('the date %s is %s', (cell, date, from1904) => {
    const expected = cell.includes('.999999') ? '2026-10-02' : date;
    expect(only(book(line(cell, '1.50'), { from1904 })).date).toBe(expected);
  });

  it('refuses the 29 February 1900 that never was', () => {
    expect(refusal('receipts', book(line('<c s="1"><v>60</v></c>', '1.50')), 'a.xlsx').message).toContain('as a date');
  });

  it('takes every amount of two decimals exactly, as Excel writes its floats', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (cents) => {
        const value = cents / 100;
        const text = value.toPrecision(17).replace(/e\+/, 'E+');
        const plain = `${cents < 0 ? '-' : ''}${String(Math.abs(cents)).padStart(3, '0').replace(/(..)$/, '.$1')}`;
        expect(only(book(line('2026-10-01', number(text)))).amount).toBe(cents === 0 ? '0.00' : plain);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps text as text: escapes, blanks, what looks like a formula', () => {
    const bytes = workbook(
      [{ name: 'Cash', rows: HEADER + sheetRow(2, '2026-10-01', '1.50', 'USD', '<c t="s"><v>0</v></c>', '=1+1') }],
      { strings: ['a_x005F_x000D_ _x0041_'] },
    );
    expect(only(bytes)).toMatchObject({ text: 'a_x000D_ A', reference: '=1+1' });
  });
});

describe('a percentage of a workbook', () => {
  const FORMATS = ['0.0#%', '0 "%"', '0\\%', '[Red]0%;-0%', 'General'];
  const formats = FORMATS.map(
    (code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = strToU8(
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts>${formats.join('')}</numFmts><cellXfs>${[0, 9, 10, 164, 165, 166, 167, 168].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
  );
  const parts = { 'xl/styles.xml': styles };
  const shown = (style: number, value: string, name: string) => {
    const rows = sheetRow(1, 'currency', 'fee', name) + sheetRow(2, 'USD', '0', `<c s="${style}"><v>${value}</v></c>`);
    return workbook([{ name: 'Prices', rows }], { parts });
  };
  const percentOf = (style: number, value: string) =>
    read('tariff', shown(style, value, 'percent'), 'prices.xlsx').rows[0]!.percent;

  it.each([
    ['1.4999999999999999E-2', '1.5'],
    ['0.015', '1.5'],
    ['0.01525', '1.525'],
    ['7.0000000000000007E-2', '7.0'],
    ['1', '100.0'],
    ['0.001', '0.1'],
    ['0', '0.0'],
  ])('of %s is %s, exactly', (value, percent) => {
    expect(percentOf(1, value)).toBe(percent);
  });

  it('is told from a plain number by its format', () => {
    expect([1, 2, 3, 6].map((style) => percentOf(style, '0.015'))).toEqual(['1.5', '1.5', '1.5', '1.5']);
    expect([0, 4, 5, 7].map((style) => percentOf(style, '1.5'))).toEqual(['1.5', '1.5', '1.5', '1.5']);
  });

  it('is no amount, weight or date', () => {
    const messageOf = (name: string) => refusal('tariff', shown(1, '0.015', name), 'prices.xlsx').message;
    expect(messageOf('min')).toContain('"1.5%" is not an amount');
    expect(messageOf('weight_from')).toContain('"1.5%" is no number of kg');
    expect(messageOf('from')).toContain('"1.5%"');
  });
});

describe('a workbook', () => {
  it('reads hidden rows and says so, passes over hidden sheets, and ignores merges', () => {
    const bytes = workbook([
      { name: 'Old', rows: HEADER + line('2020-01-01', '9'), hidden: true },
      {
        name: 'Cash',
        rows: HEADER + line('2026-10-01', '1.50').replace('<row ', '<row hidden="1" '),
        after: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      },
    ]);
    const file = read('receipts', bytes, 'cash.xlsx');
    expect(file.statements[0]!.lines.map(({ date }) => date)).toEqual(['2026-10-01']);
    expect(file.notes).toEqual(['1 hidden row was read with the others']);
  });

  it('asks for the sheet where several fit', () => {
    const bytes = workbook([
      { name: 'October', rows: HEADER + line('2026-10-01', '1.50') },
      { name: 'November', rows: HEADER + line('2026-11-01', '1.50') },
    ]);
    const error = refusal('receipts', bytes, 'cash.xlsx');
    expect(error.message).toContain('it has 2 sheets, and several fit: "October", "November"');
    expect(error.map).toContain('sheet = "October"');
    expect(read('receipts', bytes, 'cash.xlsx', { sheet: 'november' }).statements[0]!.from).toBe('2026-11-01');
    expect(refusal('receipts', bytes, 'cash.xlsx', { sheet: 'May' }).message).toContain('it has no sheet "May"');
  });

  it('shows a person the columns of the sheet that the import would read', () => {
    const bytes = workbook([
      { name: 'October', rows: HEADER + line('2026-10-01', '1.50') },
      { name: 'November', rows: HEADER + line('2026-11-01', '1.50') },
      { name: 'Old', rows: HEADER + line('2020-01-01', '9'), hidden: true },
    ]);
    const firstDate = (sheet?: string) =>
      sample('receipts', bytes, 'cash.xlsx', sheet === undefined ? {} : { sheet }).values[0];
    expect(['november', 'old', undefined].map(firstDate)).toEqual([['2026-11-01'], ['2020-01-01'], ['2026-10-01']]);
    // A person who sees it says which sheet is meant now.
    expect(firstDate('May')).toEqual(['2026-10-01']);
  });

  it.each([
    ['a cell beyond all columns', '<row r="2"><c r="XFE2"><v>1</v></c></row>', 'is out of order'],
    ['a cell in the last column', '<row r="2"><c r="XFD2"><v>1</v></c></row>', 'column 16384'],
    ['a row beyond the last', '<row r="99999999"/>', 'is out of order'],
    ['a cell without a header', sheetRow(2, '2026-10-01', '1.50', 'USD', 'x', '', 'more'), 'beyond the header'],
    ['unknown cells', line('2026-10-01', '<c t="zz"><v>1</v></c>'), 'is of a kind that is not known'],
  ])('with %s is refused', (_, rows, message) => {
    expect(refusal('receipts', book(rows), 'cash.xlsx').message).toContain(message);
  });

  it('of another archive is told as what it is', () => {
    const other = (name: string) => workbook([], { parts: { 'xl/workbook.xml': strToU8(''), [name]: strToU8('x') } });
    expect(refusal('receipts', other('a.txt'), 'a.xlsx').message).toContain('not well-formed XML');
  });
});
