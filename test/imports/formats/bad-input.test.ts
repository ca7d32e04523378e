import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { read, refusal, sheetRow, workbook } from '../../helpers/bank-files.ts';

const HEADER = 'date,amount,currency,text,invoice';
const ROW = '2026-10-01,12.50,USD,x,';
const book = (text: string) => `${HEADER}\n2026-10-01,12.50,USD,${text},\n`;
const textOf = (bytes: Uint8Array, map: { encoding?: string } | null = null) =>
  read('receipts', bytes, 'book.csv', map).statements[0]!.lines[0]!.text;
const message = (content: string | Uint8Array, name = 'book.csv') => refusal('receipts', content, name).message;

describe('an encoding', () => {
  const arabic = 'دفعة 10009';

  it.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${book(arabic)}`)],
    ['UTF-16 little end first, with a mark', Buffer.from(`\uFEFF${book(arabic)}`, 'utf16le')],
    ['UTF-16 big end first, with a mark', Buffer.from(`\uFEFF${book(arabic)}`, 'utf16le').swap16()],
    ['UTF-16 little end first, without a mark', Buffer.from(book(arabic), 'utf16le')],
    ['UTF-16 big end first, without a mark', Buffer.from(book(arabic), 'utf16le').swap16()],
  ])('%s is known by itself', (_, bytes) => {
    expect(textOf(bytes)).toBe(arabic);
  });

  it('does not make an archive of a table whose first header begins with PK', () => {
    expect(message('PKR amount;when;why\n12.50;2026-10-01;x\n')).not.toContain('archive');
  });

  it.each(['windows-1256', 'iso-8859-6', 'cp720', 'cp864'])('%s is refused until a map names it', (encoding) => {
    const written = encoding === 'cp864' ? '\uFE8D 10009' : arabic;
    const bytes = iconv.encode(book(written), encoding);
    const error = refusal('receipts', bytes, 'book.csv');
    expect(error.message).toMatch(
      /^book\.csv, line 2, character \d+: it is not UTF-8, and nothing says which encoding it has$/,
    );
    expect(error.hint).toContain('encoding = "windows-1256"');
    expect(textOf(bytes, { encoding })).toBe(written);
  });

  it('that a map names wrongly is refused, never read as rubbish', () => {
    const bytes = Buffer.from([...Buffer.from(`${HEADER}\n2026-10-01,12.50,USD,`), 0x81, ...Buffer.from(',\n')]);
    expect(refusal('receipts', bytes, 'book.csv', { encoding: 'windows-1252' }).message).toContain(
      'bytes that mean nothing in "windows-1252"',
    );
    expect(textOf(Buffer.from(book('é')), { encoding: 'windows-1252' })).toBe('é');
  });

  it.each([
    [
      'UTF-16 that is cut within a character',
      Buffer.from(`\uFEFF${book('x')}`, 'utf16le').subarray(0, -1),
      'line 2, character 24: it is UTF-16 and ends within a character',
    ],
    ['NUL bytes after a mark', Buffer.from(`\uFEFF${book('x')}\0`), 'line 3, character 1: it holds NUL bytes'],
    ['NUL bytes', Buffer.from(`${book('x')}\0`), 'line 3, character 1: it holds NUL bytes'],
    [
      'a mark of UTF-8 and none',
      Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]),
      'line 1, character 2: it says that it is UTF-8',
    ],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), 'it is UTF-32'],
    ['half of a character', Buffer.from(book('é')).subarray(0, -3), 'not UTF-8'],
  ])('of %s is refused', (_, bytes, why) => {
    expect(message(bytes)).toContain(why);
  });
});

describe('rows', () => {
  it('with mixed line ends are read, with their lines', () => {
    const file = read('receipts', `${HEADER}\r\n${ROW}\n${ROW}\r${ROW}\r\n\n${ROW}`, 'book.csv');
    expect(file.statements[0]!.lines.map(({ line }) => line)).toEqual([2, 3, 4, 6]);
  });

  it('with breaks within quotes keep their lines', () => {
    const file = read('receipts', `${HEADER}\n2026-10-01,1,USD,"a\r\nb",\n${ROW}`, 'book.csv');
    expect(file.statements[0]!.lines.map(({ line, text }) => [line, text])).toEqual([
      [2, 'a b'],
      [4, 'x'],
    ]);
  });

  it.each([
    [`${HEADER}\n2026-10-01,12.50,USD,x`, 'book.csv, line 2: the row has 4 cells where the header has 5'],
    [`${HEADER}\n${ROW}\n${ROW},x`, 'book.csv, line 3: the row has 6 cells where the header has 5'],
    [`${HEADER}\n2026-10-01,12.50,USD,"x`, 'book.csv, line 2: a quote opens and is never closed'],
    [`${HEADER}\n2026-10-01,12.50,USD,a"b",`, 'book.csv, line 2: a quote stands in the middle of a cell'],
    [HEADER, 'no rows with a date and an amount'],
    [`${HEADER}\n2026-10-01,=1+1,USD,x,`, 'book.csv, line 2, amount: "=1+1" is not an amount'],
    [`${HEADER}\n2026-10-01,12.50,,x,`, 'nothing says which currency'],
    [`${HEADER}\n2026-02-30,12.50,USD,x,`, 'book.csv, line 2, date: "2026-02-30" is not a date'],
    [`${HEADER}\n2026-10-01,,USD,x,`, 'book.csv, line 2, amount: the row has no amount'],
    [`${HEADER}\n${'x'.repeat(2_000_000)}`, 'the row is too long'],
    [','.repeat(5_000), 'it has 5001 columns'],
  ])('as in %j are refused', (text, why) => {
    expect(message(text)).toContain(why);
  });

  it('keep formula text as text', () => {
    expect(textOf(Buffer.from(book("=HYPERLINK('x')")))).toBe("=HYPERLINK('x')");
  });
});

describe('a file of another kind', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['blanks', Buffer.from(' \r\n\t'), 'it is empty'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'it is a PDF'],
    ['a workbook of old Excel', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'old Excel (.xls)'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8]), 'gzip'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'PNG'],
    ['a web page', Buffer.from('\n<!DOCTYPE html><html><body>Session expired</body></html>'), 'a web page'],
    ['a web page as XHTML', Buffer.from('<?xml version="1.0"?><html xmlns="x"/>'), 'a web page'],
    ['JSON', Buffer.from('{"date":"2026-10-01"}'), 'it is JSON'],
    ['unknown XML', Buffer.from('<a/>'), 'XML of a kind that is not known'],
    ['bytes', Buffer.from([44, 10, 44, 2, 3, 4, 5, 44, 10]), 'line 2, character 2: this is not a text file'],
    ['a letter', Buffer.from('Dear Sir or Madam'), 'of no kind that is known'],
    ['a zip archive', Buffer.from(zipSync({ 'a.csv': strToU8('a') })), 'it is a zip archive'],
    ['an OpenDocument', Buffer.from(zipSync({ 'content.xml': strToU8('<a/>') })), 'OpenDocument'],
    ['half a zip archive', Buffer.from(workbook([])).subarray(0, 100), "the archive's directory is missing"],
    ['an empty archive', Buffer.from(zipSync({})), 'it is a zip archive'],
  ])('%s is told as what it is', (_, bytes, why) => {
    expect(message(bytes, 'file')).toContain(why);
    expect(refusal('receipts', bytes, 'file').hint).not.toBe('');
  });

  it('is known by its content, not its name; where only the name knows, by that', () => {
    expect(read('receipts', `${HEADER}\n${ROW}`, 'statement.dat').format).toBe('csv');
    expect(
      read(
        'receipts',
        workbook([
          { name: 'A', rows: sheetRow(1, ...HEADER.split(',')) + sheetRow(2, '2026-10-01', '1.50', 'USD', 'x') },
        ]),
        'a.xls',
      ).format,
    ).toBe('xlsx');
    expect(message(`${HEADER}\n${ROW}`, 'a.xlsx')).toContain('its name says a workbook and its content does not');
    expect(refusal('orders', ':20:A\n', 'a.sta').message).toContain('it is mt940, which holds no orders');
    expect(refusal('receipts', `${HEADER}\n${ROW}`, 'a.csv', { format: 'ofx' }).message).toContain(
      'it is csv, and the map test is for ofx',
    );
  });

  it('is named without what a terminal would act on', () => {
    const error = refusal('receipts', Buffer.alloc(0), 'a\u001b[31m\u202E.csv');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(error.message).not.toMatch(/[\u0000-\u001F\u202E]/);
  });
});

describe('a hostile archive', () => {
  it('that unpacks to far more than its size is refused before it is unpacked', () => {
    const rows = new Uint8Array(50 * 1024 * 1024);
    const bomb = workbook([], { parts: { 'xl/worksheets/sheet0.xml': rows } });
    expect(message(bomb, 'a.xlsx')).toMatch(/a part of it unpacks to \d+ times its size/);
  });

  it('that lies about its sizes is refused while it is unpacked', () => {
    const bytes = workbook([{ name: 'A', rows: sheetRow(1, 'date', 'amount', 'currency', 'text', 'invoice') }]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let at = 0; at + 4 < bytes.length; at++) {
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
    }
    expect(message(bytes, 'a.xlsx')).toContain('is larger than the archive says');
  });

  it('with entities, or nested without end, is refused', () => {
    const sheet = (inside: string) =>
      workbook([{ name: 'A', rows: '' }], {
        parts: { 'xl/sharedStrings.xml': strToU8('<sst/>'), 'xl/styles.xml': strToU8(inside) },
      });
    expect(message(sheet('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), 'a.xlsx')).toContain('declares a document type');
    expect(message(sheet('<a>'.repeat(100)), 'a.xlsx')).toContain('nested more than 64 deep');
  });
});

describe('a table that ends in a figure, without a line end', () => {
  const header = 'date,text,currency,amount';
  const map = { columns: { date: 'date', text: 'text', currency: 'currency', amount: 'amount' } };
  const row = (amount: string) => `2026-10-01,x,USD,${amount}`;
  const readTable = (...amounts: string[]) =>
    read('receipts', [header, ...amounts.map(row)].join('\n'), 'book.csv', map).notes;

  it('is refused where the figure is shorter than all others of its column', () => {
    const error = refusal('receipts', [header, row('25.00'), row('10.50'), row('12')].join('\n'), 'book.csv', map);
    expect(error.message).toBe(
      'book.csv, line 4: the file ends in the figure "12", where all others of its column have 2 decimals',
    );
    expect(error.hint).toContain('end its last line with a line end');
  });

  it('is read where it is like the others; where nothing shows that it is whole, that is said', () => {
    expect(readTable('25.00', '10.50', '12.00')).toEqual([]);
    expect(readTable('25000', '10500', '12')).toEqual([expect.stringContaining('ends with "12" and no line end')]);
    expect(readTable('25')).toHaveLength(1);
    expect(readTable('25.00', '10.50', '12.125')).toEqual([expect.stringContaining('ends with "12.125" and')]);
    expect(readTable('25.00', '10.50', '"12"')).toEqual([]);
  });

  it('is not blamed where a total stands below it', () => {
    const text = [header, row('25.00'), row('10.50'), row('12'), 'Total,47.50'].join('\n');
    const { statements, notes } = read('receipts', text, 'book.csv', map);
    expect(statements.flatMap(({ lines }) => lines)).toHaveLength(3);
    expect(notes.join()).not.toContain('no line end');
  });
});
