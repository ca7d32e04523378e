import { once } from 'node:events';
import { Writable } from 'node:stream';
import ExcelJS from 'exceljs';
import { FileError } from '../../errors.ts';
import type { CellDigest } from '../../workbook-mark.ts';
import { drawingTail } from './drawing.ts';
import { conditionStyle, excelStyle } from './excel-style.ts';
import { finishWorkbook } from './finish.ts';
import type { Line, Sheet, SheetTail, Style, Workbook } from './model.ts';
import { assertSheetNames, columnLetters, MAX_ROWS } from './names.ts';
import { isPlain, rowXml } from './row-xml.ts';
import { cellText, dayNumber } from './values.ts';

const A4 = 9;
/** After so many rows the compressor is given the time to catch up. */
const ROWS_BETWEEN_PAUSES = 64;

/**
 * What the declarations of exceljs 4.4.0 leave out. The streaming writer hands rows to the zip without looking at whether
 * they are taken, and has no place for elements that it does not know; both are cured from here, and the version is pinned.
 */
interface StreamedSheet extends ExcelJS.Worksheet {
  /** The sheet's text; piped into the zip. */
  readonly stream: { readonly pipes: readonly ZipEntry[]; write(text: string): void };
  readonly dataValidations: { add(range: string, validation: ExcelJS.DataValidation): void };
  /** Whether the columns and the opening of the rows are written: with the first row that the library wrote itself. */
  readonly startedData: boolean;
  /** The number of the next row. */
  _rowZero: number;
  /** Called when everything but the last elements of the sheet is written. */
  _writeLegacyData(): void;
}

/** Where a sheet's text goes: a stream of an old kind, without `writableNeedDrain`. */
type ZipEntry = Writable & { readonly _writableState: { readonly needDrain: boolean } };

/**
 * Writes a workbook, always by exceljs' streaming writer, so that memory does not grow with its rows.
 *
 * @returns the file's bytes: the same for the same workbook, whenever and wherever it is written
 */
export async function writeWorkbook(workbook: Workbook): Promise<AsyncIterable<Uint8Array>> {
  assertSheetNames(workbook.sheets.map(({ name }) => name));
  const zipped = new Collector();
  const writer = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: zipped, useStyles: true, useSharedStrings: false });
  Object.assign(writer, {
    title: workbook.title,
    subject: workbook.subject,
    creator: 'remit',
    lastModifiedBy: 'remit',
    created: workbook.date,
    modified: workbook.date,
    views: [{ x: 0, y: 0, width: 28_800, height: 16_200, firstSheet: 0, activeTab: 0, visibility: 'visible' }],
  });
  // One sheet after the other: the zip takes them in this order, and would hold a later one in memory meanwhile.
  for (const sheet of workbook.sheets) await writeSheet(writer, sheet, workbook.digest);
  await writer.commit();
  return finishWorkbook(zipped.chunks, workbook.sheets);
}

class Collector extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }
}

async function writeSheet(
  writer: ExcelJS.stream.xlsx.WorkbookWriter,
  sheet: Sheet,
  digest: CellDigest | undefined,
): Promise<void> {
  const target = addSheet(writer, sheet);
  const { styles } = writer as unknown as { styles: { addStyleModel(style: object): number } };
  const styleId = (style: Style) => styles.addStyleModel(excelStyle(style));
  let number = 0;
  let plain = '';
  const writePlain = () => {
    if (plain !== '') target.stream.write(plain);
    plain = '';
  };
  for await (const line of sheet.lines) {
    number += 1;
    if (digest) addTo(digest, line);
    if (number > MAX_ROWS) {
      throw new FileError(
        `the sheet ${sheet.name} would have more than ${MAX_ROWS} rows, which no spreadsheet can hold`,
        'Ask for a shorter period, or for the report as CSV.',
      );
    }
    if (target.startedData && isPlain(line)) {
      plain += rowXml(number, line, styleId);
      target._rowZero = number + 1;
    } else {
      writePlain();
      addLine(writer, target, sheet.name, line);
    }
    if (number % ROWS_BETWEEN_PAUSES === 0) {
      writePlain();
      await drained(target);
    }
  }
  writePlain();
  const tail = sheet.tail?.() ?? {};
  addTail(target, tail);
  target._writeLegacyData = () => target.stream.write(ignoredErrors(tail) + drawingTail(sheet));
  target.commit();
}

function addTo(digest: CellDigest, { cells }: Line): void {
  for (const cell of cells) {
    if (!cell || cell.typed) continue;
    const { value } = cell;
    if (typeof value === 'string') digest.add(cellText(value));
    else if (typeof value === 'number') digest.add(value);
    else if (value instanceof Date) digest.add(dayNumber(value));
  }
}

function addSheet(writer: ExcelJS.stream.xlsx.WorkbookWriter, sheet: Sheet): StreamedSheet {
  const { frozenRows = 0, frozenColumns = 0, repeatedRows = 0, orientation = 'landscape' } = sheet;
  const target = writer.addWorksheet(sheet.name, {
    ...(sheet.tabColour ? { properties: { tabColor: { argb: `FF${sheet.tabColour}` } } } : {}),
    views: [
      {
        showGridLines: sheet.gridLines ?? true,
        ...(frozenRows + frozenColumns > 0 ? { state: 'frozen', xSplit: frozenColumns, ySplit: frozenRows } : {}),
      },
    ],
    pageSetup: {
      paperSize: A4,
      orientation,
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      margins: { left: 0.5, right: 0.5, top: 0.6, bottom: 0.6, header: 0.3, footer: 0.3 },
      ...(repeatedRows > 0 ? { printTitlesRow: `1:${repeatedRows}` } : {}),
    },
    headerFooter: { oddFooter: '&L&8&A&R&8Page &P of &N' },
  } as Partial<ExcelJS.AddWorksheetOptions>);
  target.columns = sheet.widths.map((width) => ({ width }));
  return target as StreamedSheet;
}

function addLine(
  writer: ExcelJS.stream.xlsx.WorkbookWriter,
  target: StreamedSheet,
  sheetName: string,
  line: Line,
): void {
  const row = target.addRow([]);
  if (line.height !== undefined) row.height = line.height;
  line.cells.forEach((cell, index) => {
    if (!cell) return;
    const { value, style, span, name } = cell;
    const written = row.getCell(index + 1);
    if (typeof value === 'string') {
      if (value !== '') written.value = cellText(value);
    } else if (value !== null) written.value = value;
    if (style) written.style = excelStyle(style);
    if (span && span > 1) target.mergeCells(row.number, index + 1, row.number, index + span);
    if (name) writer.definedNames.add(`'${sheetName}'!$${columnLetters(index)}$${row.number}`, name);
  });
  if (line.pageBreak) row.addPageBreak();
  row.commit();
}

function addTail(target: StreamedSheet, tail: SheetTail): void {
  if (tail.autoFilter) target.autoFilter = tail.autoFilter;
  for (const { range, words } of tail.lists ?? []) {
    target.dataValidations.add(range, {
      type: 'list',
      allowBlank: false,
      formulae: [`"${words.join(',')}"`],
      showErrorMessage: true,
      errorTitle: 'Not one of the list',
      error: `Choose one of: ${words.join(', ')}`,
    });
  }
  (tail.conditions ?? []).forEach(({ range, formula, style }, index) => {
    target.addConditionalFormatting({
      ref: range,
      rules: [{ type: 'expression', priority: index + 1, formulae: [formula], style: conditionStyle(style) }],
    });
  });
}

function ignoredErrors({ textNumbers = [] }: SheetTail): string {
  const ranges = textNumbers.map((range) => `<ignoredError sqref="${range}" numberStoredAsText="1"/>`);
  return ranges.length > 0 ? `<ignoredErrors>${ranges.join('')}</ignoredErrors>` : '';
}

async function drained(target: StreamedSheet): Promise<void> {
  const [zip] = target.stream.pipes;
  if (zip?._writableState.needDrain) await once(zip, 'drain');
}
