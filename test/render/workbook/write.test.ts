import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Sheet, Workbook } from '../../../src/render/workbook/model.ts';
import { writeWorkbook } from '../../../src/render/workbook/write.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

const PLAIN = { title: 'Title', subject: 'Subject', date: new Date(0) };

async function written(...sheets: readonly Partial<Sheet>[]) {
  const workbook: Workbook = {
    ...PLAIN,
    sheets: sheets.map((sheet, i) => ({ name: ['First', 'Second'][i]!, widths: [10, 20], lines: [], ...sheet })),
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of await writeWorkbook(workbook)) pieces.push(piece);
  const book = await readWorkbook(Buffer.concat(pieces));
  return { ...book, xml: (n = 1) => book.zip.file(`xl/worksheets/sheet${n}.xml`)!.async('string') };
}

const everything: Partial<Sheet> = {
  tabColour: '204060',
  frozenRows: 1,
  repeatedRows: 1,
  lines: [
    { cells: [{ value: 'a', span: 2 }], pageBreak: true },
    { cells: [{ value: 1 }, { value: 2, name: 'KEY' }], height: 20 },
  ],
  tail: () => ({
    autoFilter: 'A1:B2',
    lists: [{ range: 'A2', words: ['one', 'two'] }],
    conditions: [{ range: 'A1:B2', formula: 'A1>0', style: { bold: true } }],
  }),
};

/** The order of the standard (ECMA-376, CT_Worksheet): Excel repairs a sheet that keeps another. */
const ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetProtection autoFilter mergeCells conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks ignoredErrors drawing'.split(
    ' ',
  );

describe('a written workbook', () => {
  it('keeps the elements of a sheet in the order of the standard', async () => {
    const xml = await (await written(everything)).xml();
    const inner = xml.replace(/^.*?<worksheet[^>]*>/s, '').replace(/<sheetData>.*<\/sheetData>/s, '<sheetData/>');
    const names: string[] = [];
    let depth = 0;
    for (const [tag, close, name, empty] of inner.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
      if (close === '/') depth -= 1;
      else {
        if (depth === 0) names.push(name!);
        if (empty !== '/') depth += 1;
      }
      expect(tag).not.toBe('');
    }
    const sorted = [...names].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    expect(names.filter((name) => name !== 'worksheet')).toEqual(sorted.filter((name) => name !== 'worksheet'));
    expect(names).toEqual(
      expect.arrayContaining(['mergeCells', 'conditionalFormatting', 'dataValidations', 'rowBreaks', 'cols']),
    );
    expect(names.every((name) => name === 'worksheet' || ORDER.includes(name))).toBe(true);
  });

  it('holds the merged cells, page breaks and names where the lines have them', async () => {
    const { xml, names, sheets } = await written({ lines: [{ cells: [{ value: 0 }] }] }, everything);
    const second = await xml(2);
    expect(second).toContain('<mergeCell ref="A1:B1"/>');
    expect(second).toMatch(/<rowBreaks[^>]*><brk id="1"/);
    expect(second).toMatch(/<row r="2" ht="20" customHeight="1"[^>]*>/);
    expect(names.get('KEY')).toBe('Second!$B$2');
    expect([...sheets.get('First')!.keys()]).toEqual(['A1']);
  });

  it('holds every row of a sheet that is written in several pieces', async () => {
    const texts = Array.from({ length: 5_000 }, (_, i) => `طلب ${i} & <more>`);
    const { sheets } = await written({ lines: texts.map((value) => ({ cells: [{ value }] })) });
    expect([...sheets.get('First')!.values()].map(({ value }) => value)).toEqual(texts);
  });

  it('gives every cell the look that its style says, however many styles there are', async () => {
    const formats = Array.from({ length: 60 }, (_, i) => `0.${'0'.repeat(i + 3)}`);
    const { sheets, styles } = await written({
      widths: formats.map(() => 9),
      lines: [
        { cells: formats.map((format) => ({ value: 1, style: { format } })) },
        // The same looks as other objects.
        { cells: formats.map((format) => ({ value: 1, style: { format } })).reverse() },
      ],
    });
    const codes = new Map(
      [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
    );
    const looks = [.../<cellXfs[^>]*>(.*)<\/cellXfs>/s.exec(styles)![1]!.matchAll(/<xf numFmtId="(\d+)"/g)];
    expect(looks).toHaveLength(61);
    const shown = [...sheets.get('First')!.values()].map(({ style }) => codes.get(looks[style]![1]!));
    expect(shown).toEqual([...formats, ...formats.toReversed()]);
  });

  it('ends with its reader, at whichever piece that stops', async () => {
    const texts = Array.from({ length: 3_000 }, () => randomBytes(300).toString('hex'));
    const read = async (most: number): Promise<[pieces: number, isEnded: boolean]> => {
      let isEnded = false;
      const lines = (function* () {
        try {
          for (const value of texts) yield { cells: [{ value }] };
        } finally {
          isEnded = true;
        }
      })();
      let pieces = 0;
      for await (const _ of writeWorkbook({ ...PLAIN, sheets: [{ name: 'First', widths: [10], lines }] })) {
        pieces += 1;
        if (pieces === most) break;
      }
      return [pieces, isEnded];
    };
    const [all] = await read(Number.POSITIVE_INFINITY);
    expect(all).toBeGreaterThan(10);
    for (const most of [1, Math.floor(all / 2), all - 1, all]) expect(await read(most)).toEqual([most, true]);
  });
});
