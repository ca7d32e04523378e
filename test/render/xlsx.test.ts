import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../reports/model.ts';
import { renderReport } from '../../src/render/report.ts';
import { column, integer, money, rendered, reportOf, text } from '../helpers/render.ts';
import { type ReadCell, readWorkbook } from '../helpers/workbook.ts';

async function sheetOf(report: Report): Promise<(address: string) => ReadCell | undefined> {
  const { sheets } = await readWorkbook(await rendered(report, 'xlsx'));
  const sheet = [...sheets.values()][0]!;
  return (address) => sheet.get(address);
}

const columns = [column('invoice_number', 'number'), text('order'), text('currency'), money('cod'), integer('orders')];

/** The sum of three rows that no filter hides, in one currency. */
const shown = (column: string, currency: string, digits?: number) => {
  const rows = `${column}$2:${column}$4`;
  const sum = `SUMPRODUCT(SUBTOTAL(109,OFFSET(${column}$2,ROW(${rows})-2,0)),--($C$2:$C$4="${currency}"))`;
  return digits === undefined ? sum : `ROUND(${sum},${digits})`;
};

describe('a report as a workbook', () => {
  it('has numbers as numbers, ids as text, and totals as rounded formulas with their results', async () => {
    const rows = [
      { invoice_number: 7, order: '00042', currency: 'USD', cod: '0.10', orders: 1 },
      { invoice_number: 8, order: '123456789012345678901', currency: 'USD', cod: '0.20', orders: 2 },
      { invoice_number: 8, order: 'x', currency: 'LBP', cod: '-1500000.00', orders: 4 },
    ];
    const totals = () => [
      { currency: 'USD', cod: '0.30', orders: 3 },
      { currency: 'LBP', cod: '-1500000.00', orders: 4 },
    ];
    const cell = await sheetOf(reportOf(columns, rows, { totals }));
    expect(cell('A2')).toMatchObject({ type: 'n', value: '7' });
    expect(cell('B2')).toMatchObject({ type: 'str', value: '00042' });
    expect(cell('B3')).toMatchObject({ type: 'str', value: '123456789012345678901' });
    expect(cell('D4')).toMatchObject({ type: 'n', value: '-1500000' });
    expect(cell('D6')).toMatchObject({ type: 'n', value: '0.3', formula: shown('D', 'USD', 2) });
    expect(cell('D7')).toMatchObject({ value: '-1500000', formula: shown('D', 'LBP', 2) });
    expect(cell('E6')).toMatchObject({ value: '3', formula: shown('E', 'USD') });
  });

  it('has the number of an invoice as a number where a spreadsheet holds it to the letter', async () => {
    const numbers = ['10042', '0', '007', '999999999999999', '1000000000000000', 'P-12', '-1', '1.0'];
    const cell = await sheetOf(
      reportOf(
        columns,
        numbers.map((number) => ({ invoice_number: number })),
      ),
    );
    const read = numbers.map((_, i) => cell(`A${i + 2}`)!);
    expect(read.map(({ value }) => value)).toEqual(numbers);
    expect(read.map(({ type }) => type)).toEqual(['n', 'n', 'str', 'n', 'str', 'str', 'str', 'str']);
  });

  it('writes an amount that no spreadsheet number can hold as text, and the total over it, and says so', async () => {
    const rows = [
      { invoice_number: 1, order: 'a', currency: 'LBP', cod: '12345678901234567.25', orders: 1 },
      { invoice_number: 1, order: 'b', currency: 'LBP', cod: '1.00', orders: 1 },
    ];
    const cell = await sheetOf(
      reportOf(columns, rows, { totals: () => [{ currency: 'LBP', cod: '12345678901234568.25' }] }),
    );
    expect(cell('D2')).toMatchObject({ type: 'str', value: '12,345,678,901,234,567.25', formula: null });
    expect(cell('D3')).toMatchObject({ type: 'n', value: '1' });
    expect(cell('D5')).toMatchObject({ type: 'str', value: '12,345,678,901,234,568.25', formula: null });
    expect(cell('A7')?.value).toContain('Amounts on a yellow ground (1)');
    expect(cell('D2')!.style).not.toBe(cell('D3')!.style);
  });

  it('writes no formula where the rows do not come to the total, or a spreadsheet would not', async () => {
    const other = await sheetOf(
      reportOf(columns, [{ currency: 'USD', cod: '1.00' }], { totals: () => [{ currency: 'USD', cod: '5.00' }] }),
    );
    expect(other('D4')).toMatchObject({ type: 'n', value: '5', formula: null });
    // Two numbers of 15 digits whose sum has 16: as a number it would be another sum.
    const rows = Array.from({ length: 2 }, () => ({ currency: 'USD', cod: '9999999999999.99' }));
    const large = await sheetOf(
      reportOf(columns, rows, { totals: () => [{ currency: 'USD', cod: '19999999999999.98' }] }),
    );
    expect(large('D5')).toMatchObject({ type: 'str', value: '19,999,999,999,999.98', formula: null });
  });

  it('never turns text into a formula, and keeps it to the letter', async () => {
    const texts = [
      '=1+1',
      '+1',
      '@x',
      '-2',
      '=HYPERLINK("http://x")',
      ' <b>&amp;"\'',
      'سطر\nآخر',
      '👩‍👩‍👧',
      '_x0041_',
      '  two  ',
    ];
    const { zip, sheets } = await readWorkbook(
      await rendered(
        reportOf(
          [text('text')],
          texts.map((t) => ({ text: t })),
        ),
        'xlsx',
      ),
    );
    const sheet = sheets.get('Orders')!;
    for (const [i, value] of texts.entries()) {
      expect(sheet.get(`A${i + 2}`)).toMatchObject({ type: 'str', value, formula: null });
    }
    const xml = await zip.file('xl/worksheets/sheet1.xml')!.async('string');
    expect(xml).not.toMatch(/<f>|hyperlink/);
  });

  it('shows times as they are written, whatever the zone', async () => {
    const at = { name: 'at', title: 'At', type: 'datetime' } as const;
    const rows = [{ at: '2026-10-31T23:59:59.123456+03:00' }, { at: 'soon' }];
    const cell = await sheetOf(reportOf([at], rows));
    // Days since 1899-12-30.
    const days = (Date.UTC(2026, 9, 31, 23, 59, 59) - Date.UTC(1899, 11, 30)) / 86_400_000;
    expect(Number(cell('A2')!.value)).toBeCloseTo(days, 9);
    expect(cell('A3')).toMatchObject({ type: 'str', value: 'soon' });
    const { styles } = await readWorkbook(await rendered(reportOf([at], rows), 'xlsx'));
    expect(styles).toContain('formatCode="yyyy-mm-dd hh:mm &quot;+03:00&quot;"');
  });

  it('has a frozen header, a filter, and repeated header rows and page numbers on A4 landscape', async () => {
    const { zip, names } = await readWorkbook(await rendered(reportOf(columns, [{ order: 'a' }]), 'xlsx'));
    const xml = await zip.file('xl/worksheets/sheet1.xml')!.async('string');
    expect(xml).toContain('<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>');
    expect(xml).toContain('<autoFilter ref="A1:E2"/>');
    expect(xml).toMatch(/<pageSetup paperSize="9" orientation="landscape"/);
    expect(xml).toContain('Page &amp;P of &amp;N');
    expect(names.get('_xlnm.Print_Titles')).toBe("'Orders'!$1:$1");
  });

  it('is the same to the byte for the same report', async () => {
    const make = () => rendered(reportOf(columns, [{ order: 'a', currency: 'USD', cod: '1.00' }]), 'xlsx');
    const first = await make();
    await setTimeout(2_100);
    expect((await make()).equals(first)).toBe(true);
    expect((await readWorkbook(first)).zip.file('docProps/core.xml')).not.toBeNull();
  });

  it('reads no more rows while its reader takes nothing, so that memory does not grow with them', async () => {
    const all = 20_000;
    let asked = 0;
    const rows = (function* () {
      for (; asked < all; asked += 1) yield { text: randomBytes(500).toString('hex') };
    })();
    const held: (() => void)[] = [];
    const out = new Writable({ write: (_chunk, _encoding, done) => void held.push(done) });
    const rendering = renderReport(reportOf([text('text')], rows), 'xlsx', out, { generatedAt: new Date(0) });
    let isDone = false;
    void rendering.then(() => {
      isDone = true;
    });
    // What is on its way through the compressor comes first.
    for (let before = -1; !out.writableNeedDrain || asked > before; ) {
      before = asked;
      await setTimeout(200);
    }
    expect(asked).toBeLessThan(all / 2);
    while (!isDone) {
      held.shift()?.();
      await setImmediate();
    }
    await rendering;
    expect(asked).toBe(all);
  });

  it('opens with no row at all', async () => {
    const { sheets } = await readWorkbook(await rendered(reportOf(columns, []), 'xlsx'));
    expect([...sheets.get('Orders')!.keys()]).toEqual(['A1', 'B1', 'C1', 'D1', 'E1']);
  });

  it('says what to do when there are more rows than a sheet holds', async () => {
    const rows = (function* () {
      for (let i = 0; i < 1_048_576; i += 1) yield {};
    })();
    await expect(rendered(reportOf([text('text')], rows), 'xlsx')).rejects.toMatchObject({ code: 'file' });
  });
});
