import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type ExcelJS from 'exceljs';
import { FileError } from '../../base/errors.ts';
import { fileText } from '../../base/text.ts';
import type { CellDigest } from '../../base/workbook-mark.ts';
import { renderingError } from '../../words/errors/rendering.ts';
import { ENGLISH, type Language } from '../../words/index.ts';
import type { CellLine, CellValue, Line, PrintText, Sheet, SheetTail, Style, TableLine, Workbook } from './model.ts';
import { argb, conditionStyle, Styles } from './styles.ts';
import { columnLetters, spreadsheetTime, workbookText } from './values.ts';
import { withFixedDates } from './zip-dates.ts';

const MAX_ROWS = 1_048_576;
const A4 = 9;
/** In inches. */
const MARGINS = { left: 0.5, right: 0.5, top: 0.6, bottom: 0.6, header: 0.3, footer: 0.3 };
/** The rows after which the compressor gets its turn: until then they wait for it in memory. */
const ROWS_A_TURN = 100;

/**
 * Writes a workbook as an XLSX file with exceljs, row by row as its sheets are read: no sheet is ever whole in memory.
 *
 * @returns the file's bytes: the same for the same workbook, whenever and wherever it is written
 * @throws FileError if a sheet or the file would be larger than a spreadsheet program reads
 */
export async function* writeWorkbook(workbook: Workbook): AsyncGenerator<Uint8Array> {
  const { default: excel } = await import('exceljs');
  const file = new PassThrough();
  const book = new excel.stream.xlsx.WorkbookWriter({ stream: file, useStyles: true, zip: { zlib: { level: 1 } } });
  const writing = writeSheets(workbook, book, file).catch((error: Error) => file.destroy(error));
  try {
    yield* withFixedDates(file);
  } finally {
    file.destroy();
    await writing;
  }
}

async function writeSheets(workbook: Workbook, book: ExcelJS.stream.xlsx.WorkbookWriter, file: PassThrough) {
  const { title, subject, date, sheets, language = ENGLISH, digest, print } = workbook;
  const properties = { creator: 'remit', lastModifiedBy: 'remit', created: date, modified: date };
  Object.assign(book, properties, { title: fileText(title), subject: fileText(subject) });
  book.views = [{ x: 0, y: 0, width: 28_800, height: 16_200, firstSheet: 0, activeTab: 0, visibility: 'visible' }];
  const context = { language, styles: new Styles(language.isRightToLeft), digest, print };
  const names = new Set<string>();
  for (const index of inOrder(sheets)) {
    const given = sheets[index]!;
    const sheet = typeof given === 'function' ? given() : given;
    assertSheetName(sheet.name, names);
    // The sheet's place in the workbook, which may differ from the order of writing.
    Object.defineProperty(book, 'nextId', { value: index + 1, configurable: true });
    await new SheetWriter(sheet, context, book).write(file);
  }
  // If nobody reads the file any more, it closes, and the commit would never end.
  await Promise.race([book.commit(), once(file, 'close')]);
}

/** The sheets' places in the order of writing: sheets made from others come last. */
function inOrder(sheets: Workbook['sheets']): number[] {
  const places = [...sheets.keys()];
  const isLate = (index: number) => typeof sheets[index] === 'function';
  return [...places.filter((index) => !isLate(index)), ...places.filter(isLate)];
}

interface SheetContext {
  readonly language: Language;
  readonly styles: Styles;
  readonly print: PrintText | undefined;
  readonly digest: CellDigest | undefined;
}

class SheetWriter {
  readonly #sheet: Sheet;
  readonly #context: SheetContext;
  readonly #written: ExcelJS.Worksheet;
  #rows = 0;

  constructor(sheet: Sheet, context: SheetContext, book: ExcelJS.Workbook) {
    this.#sheet = sheet;
    this.#context = context;
    const { name, tabColour, widths, repeatedRows = 0 } = sheet;
    this.#written = book.addWorksheet(name, {
      // exceljs writes nothing for a column of this width, which it takes for the default.
      properties: { defaultColWidth: 9, ...(tabColour ? { tabColor: argb(tabColour) } : {}) },
      pageSetup: {
        paperSize: A4,
        orientation: 'landscape',
        fitToPage: true,
        fitToWidth: 1,
        fitToHeight: 0,
        margins: MARGINS,
        ...(repeatedRows > 0 ? { printTitlesRow: `1:${repeatedRows}` } : {}),
      },
      headerFooter: headAndFoot(context),
      views: [viewOf(sheet, context.language)],
    });
    this.#written.columns = widths.map((width) => ({ width }));
  }

  /** @throws FileError if the sheet has more rows than a spreadsheet can hold */
  async write(file: PassThrough): Promise<void> {
    const { name, lines, widths, printedColumns = widths.length, tail } = this.#sheet;
    const pages = Symbol.asyncIterator in lines ? lines : [lines];
    for await (const page of pages) {
      for (const line of page) {
        this.#rows += 1;
        if (this.#rows > MAX_ROWS)
          throw new FileError(renderingError({ id: 'sheet-too-long', sheet: name, most: MAX_ROWS }));
        this.#writeLine(line);
        if (this.#rows % ROWS_A_TURN === 0) await turnOf(file);
      }
    }
    // exceljs puts the `$` before the first letter itself.
    if (printedColumns < widths.length)
      this.#written.pageSetup.printArea = `A$1:${columnLetters(printedColumns - 1)}$${this.#rows}`;
    this.#writeTail(tail?.() ?? {});
    this.#written.commit();
    await turnOf(file);
  }

  #writeLine(line: Line): void {
    const row = this.#written.getRow(this.#rows);
    if (line.height !== undefined) row.height = line.height;
    if ('read' in line) this.#writeTableCells(row, line);
    else this.#writeCells(row, line);
    row.commit();
  }

  #writeCells(row: ExcelJS.Row, { cells, pageBreak, isRepeated }: CellLine): void {
    if (pageBreak) row.addPageBreak();
    if (isRepeated) this.#written.pageSetup.printTitlesRow = `${row.number}:${row.number}`;
    cells.forEach((given, index) => {
      if (!given) return;
      const { value, style, span = 1, name, isForTyping = false } = given;
      const cell = this.#writeCell(row, index, value, style, isForTyping);
      if (name) cell.name = name;
      // Covered cells get the style too, so that a rule runs over all of them.
      if (span > 1) this.#written.mergeCells(row.number, index + 1, row.number, index + span);
    });
  }

  #writeTableCells(row: ExcelJS.Row, { columns, read }: TableLine): void {
    for (let index = 0; index < columns; index += 1) {
      const { value, style, isForTyping } = read(index);
      this.#writeCell(row, index, value, style, isForTyping);
    }
  }

  #writeCell(row: ExcelJS.Row, index: number, value: CellValue, style: Style | undefined, isForTyping: boolean) {
    const cell = row.getCell(index + 1);
    if (style) cell.style = this.#context.styles.of(style);
    if (value !== null && value !== '') cell.value = this.#writable(value, isForTyping);
    return cell;
  }

  /**
   * A value for exceljs. It goes into the digest, unless people may type over it (`isForTyping`), or it is a formula,
   * whose result each program computes.
   */
  #writable(value: Exclude<CellValue, null>, isForTyping: boolean): ExcelJS.CellValue {
    const digest = isForTyping ? undefined : this.#context.digest;
    if (typeof value === 'string') {
      const text = workbookText(value);
      digest?.add(text);
      return text;
    }
    if (typeof value === 'number' || value instanceof Date) {
      digest?.addNumber(typeof value === 'number' ? value : spreadsheetTime(value));
      return value;
    }
    const { formula, result } = value;
    return { formula, result: typeof result === 'number' ? result : workbookText(result) };
  }

  #writeTail({ autoFilter, lists = [], conditions = [] }: SheetTail): void {
    if (autoFilter) this.#written.autoFilter = autoFilter;
    for (const [index, { range, formula, style }] of conditions.entries())
      this.#written.addConditionalFormatting({
        ref: range,
        rules: [{ type: 'expression', formulae: [formula], style: conditionStyle(style), priority: index + 1 }],
      });
    const { say } = this.#context.language;
    for (const { range, words } of lists)
      (this.#written as WithValidations).dataValidations.add(range, {
        type: 'list',
        formulae: [`"${words.join(',')}"`],
        showErrorMessage: true,
        errorTitle: say({ id: 'workbook/not-in-list' }),
        error: say({ id: 'workbook/choose-one', words }),
      });
  }
}

/** exceljs has this for whole ranges, but its types do not. */
type WithValidations = ExcelJS.Worksheet & {
  readonly dataValidations: { add(range: string, validation: ExcelJS.DataValidation): void };
};

function viewOf({ gridLines = true, frozenRows = 0, frozenColumns = 0 }: Sheet, { isRightToLeft }: Language) {
  const view = { rightToLeft: isRightToLeft, showGridLines: gridLines };
  if (frozenRows + frozenColumns === 0) return view;
  return { ...view, state: 'frozen' as const, xSplit: frozenColumns, ySplit: frozenRows };
}

/** The head and foot of printed pages. `&L` and `&R` begin left and right, `&8` is a size, `&A` the sheet's name. */
function headAndFoot({ print, language }: SheetContext): Partial<ExcelJS.HeaderFooter> {
  const [start, end] = language.isRightToLeft ? ['&R&8 ', '&L&8 '] : ['&L&8 ', '&R&8 '];
  // Programs take the foot for a left-to-right line, which would tear the digits of a chain apart.
  const apart = (text: string) => (language.isRightToLeft && text !== '' ? `\u2067${text}\u2069` : text);
  // LibreOffice sets words and page numbers from left to right in any case: figures alone are right in both directions.
  const pages = language.isRightToLeft
    ? '&P / &N'
    : language.say({ id: 'workbook/page-of-pages', page: '&P', pages: '&N' });
  const oddFooter = `${start}${print ? apart(plainText(print.origin)) : '&A'}${end}${pages}`;
  if (!print) return { oddFooter };
  return { oddFooter, oddHeader: fileText(`${start}${plainText(print.about)}${end}&A · ${plainText(print.status)}`) };
}

/** Text of a page's head or foot, in which `&` begins a code. */
function plainText(text: string): string {
  return workbookText(text).replace(/\s+/g, ' ').replaceAll('&', '&&');
}

/** Lets the compressor work, and waits until its output is read. @throws Error if nobody reads it any more */
async function turnOf(file: PassThrough): Promise<void> {
  await setImmediate();
  if (file.writableNeedDrain) {
    const waiting = new AbortController();
    const until = (event: string) => once(file, event, { signal: waiting.signal });
    await Promise.race([until('drain'), until('close')]).finally(() => waiting.abort());
  }
  if (file.destroyed) throw new Error('the workbook is no longer read');
}

const MAX_NAME = 31;
const FORBIDDEN = /[[\]:*?/\\']/;

/**
 * Checks the name of a sheet: 1 to 31 characters, none of `[ ] : * ? / \ '`, unique whatever its case, and not
 * `History`, which Excel reserves.
 */
function assertSheetName(name: string, names: Set<string>): void {
  const key = name.toLowerCase();
  if (name === '' || name.length > MAX_NAME || FORBIDDEN.test(name) || key === 'history' || names.has(key))
    throw new FileError(renderingError({ id: 'sheet-name', name }));
  names.add(key);
}
