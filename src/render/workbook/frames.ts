import ExcelJS from 'exceljs';
import { unzipSync } from 'fflate';
import { ENGLISH, type Language } from '../language/index.ts';
import { conditionStyle } from './excel-style.ts';
import type { Sheet, SheetTail, Workbook } from './model.ts';
import { columnLetters } from './names.ts';
import { xmlText } from './xml.ts';

/** What was learnt of a sheet while its rows were written. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Cells over several columns, counted from 1. */
  readonly merges: readonly { readonly row: number; readonly from: number; readonly to: number }[];
  /** The rows after which a printed page ends. */
  readonly pageBreaks: readonly number[];
  /** The row that is printed again on the pages after it; null for none, or where the sheet begins with such rows. */
  readonly repeatedRow: number | null;
  /** Names for the whole workbook, with the cells that bear them. */
  readonly names: readonly { readonly name: string; readonly cell: string }[];
  readonly tail: SheetTail;
}

/** A sheet's XML around its rows. */
export interface Frame {
  readonly head: string;
  readonly foot: string;
}

/** A workbook without the rows of its sheets. */
export interface Frames {
  /** One a sheet, in their order. */
  readonly sheets: readonly Frame[];
  /** All other parts, by path. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

const A4 = 9;
/** What the library writes is taken apart at once. */
const UNCOMPRESSED = { zip: { compression: 'STORE' } } as Partial<ExcelJS.XlsxWriteOptions>;

/**
 * Has exceljs write everything but the rows: styles, names, print set-up, filters, conditional formats.
 *
 * @param styles in the order of their numbers, from 1
 */
export async function makeFrames(
  workbook: Omit<Workbook, 'sheets'> & { readonly sheets: readonly Sheet[] },
  extents: readonly Extent[],
  styles: readonly Partial<ExcelJS.Style>[],
): Promise<Frames> {
  const { language = ENGLISH } = workbook;
  const book = new ExcelJS.Workbook();
  Object.assign(book, {
    title: workbook.title,
    subject: workbook.subject,
    creator: 'remit',
    lastModifiedBy: 'remit',
    created: workbook.date,
    modified: workbook.date,
    views: [{ x: 0, y: 0, width: 28_800, height: 16_200, firstSheet: 0, activeTab: 0, visibility: 'visible' }],
  });
  workbook.sheets.forEach((sheet, i) => {
    addSheet(book, sheet, extents[i]!, language);
  });
  // The library numbers the styles that cells bear as it meets them; these cells go when the rows take their place.
  const bearers = book.worksheets[0]!.addRow([]);
  styles.forEach((style, i) => {
    bearers.getCell(i + 1).value = 0;
    bearers.getCell(i + 1).style = style;
  });
  const files = new Map(Object.entries(unzipSync(new Uint8Array(await book.xlsx.writeBuffer(UNCOMPRESSED)))));
  const sheets = extents.map((extent, i) => {
    const path = sheetPath(i);
    const xml = Buffer.from(files.get(path)!).toString('utf8');
    files.delete(path);
    if (i === 0) assertNumbered(xml, bearers.number, styles.length);
    return frameOf(xml, extent, language);
  });
  const parts = [...files].filter(([path]) => !path.endsWith('/'));
  return { sheets, parts: new Map(parts) };
}

/** Where a sheet is in the workbook's zip. @param index from 0 */
export function sheetPath(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`;
}

function addSheet(
  book: ExcelJS.Workbook,
  sheet: Sheet,
  { merges, pageBreaks, repeatedRow, names, tail }: Extent,
  language: Language,
): void {
  const { frozenRows = 0, frozenColumns = 0, repeatedRows = 0, repeatedColumns = 0, orientation = 'landscape' } = sheet;
  const view: Partial<ExcelJS.WorksheetView> = {
    showGridLines: sheet.gridLines ?? true,
    ...(language.rightToLeft ? { rightToLeft: true } : {}),
  };
  const isFrozen = frozenRows + frozenColumns > 0;
  const target = book.addWorksheet(sheet.name, {
    ...(sheet.tabColour ? { properties: { tabColor: { argb: `FF${sheet.tabColour}` } } } : {}),
    views: [isFrozen ? { ...view, state: 'frozen', xSplit: frozenColumns, ySplit: frozenRows } : view],
    pageSetup: {
      paperSize: A4,
      orientation,
      fitToPage: true,
      fitToWidth: sheet.pagesWide ?? 1,
      fitToHeight: 0,
      margins: { left: 0.5, right: 0.5, top: 0.6, bottom: 0.6, header: 0.3, footer: 0.3 },
      ...(repeatedRows > 0 ? { printTitlesRow: `1:${repeatedRows}` } : {}),
      ...(repeatedRow === null ? {} : { printTitlesRow: `${repeatedRow}:${repeatedRow}` }),
      ...(repeatedColumns > 0 ? { printTitlesColumn: `A:${columnLetters(repeatedColumns - 1)}` } : {}),
    },
    headerFooter: { oddFooter: `&L&8&A&R&8${language.say('Page &P of &N')}` },
  } as Partial<ExcelJS.AddWorksheetOptions>);
  target.columns = sheet.widths.map((width) => ({ width }));
  for (const { row, from, to } of merges) target.mergeCells(row, from, row, to);
  for (const row of pageBreaks) target.getRow(row).addPageBreak();
  for (const { name, cell } of names) book.definedNames.add(`'${sheet.name}'!${cell}`, name);
  if (tail.autoFilter) target.autoFilter = tail.autoFilter;
  (tail.conditions ?? []).forEach(({ range, formula, style }, index) => {
    target.addConditionalFormatting({
      ref: range,
      rules: [{ type: 'expression', priority: index + 1, formulae: [formula], style: conditionStyle(style) }],
    });
  });
}

/** Were the library to number styles otherwise, every cell would look like another. */
function assertNumbered(xml: string, row: number, count: number): void {
  for (let id = 1; id <= count; id += 1) {
    if (xml.includes(`<c r="${columnLetters(id - 1)}${row}" s="${id}"`)) continue;
    throw new Error(`exceljs gave style ${id} another number`);
  }
}

const ROWS = /<sheetData(?:\/>|>.*<\/sheetData>)/s;

function frameOf(xml: string, { rows, columns, tail }: Extent, language: Language): Frame {
  const [head = '', foot = ''] = xml.split(ROWS);
  const dimension = `<dimension ref="A1:${columnLetters(Math.max(0, columns - 1))}${Math.max(1, rows)}"/>`;
  return {
    head: `${head.replace(/<dimension [^>]*>/, dimension)}<sheetData>`,
    foot: `</sheetData>${foot.replace('<pageMargins', `${lists(tail, language)}<pageMargins`)}`,
  };
}

/** Cells that take one of a list's words. */
function lists({ lists = [] }: SheetTail, { say }: Language): string {
  if (lists.length === 0) return '';
  const each = lists.map(({ range, words }) => {
    const error = xmlText(say('Choose one of: {words}', { words: words.join(', ') }));
    return `<dataValidation type="list" showErrorMessage="1" errorTitle="${xmlText(say('Not one of the list'))}" error="${error}" sqref="${range}"><formula1>${xmlText(`"${words.join(',')}"`)}</formula1></dataValidation>`;
  });
  return `<dataValidations count="${lists.length}">${each.join('')}</dataValidations>`;
}
