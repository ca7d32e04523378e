import { workbooksError } from '../../words/errors/workbooks.ts';
import { FileFault } from './fault.ts';
import type { SkippedLine } from './receipts-file.ts';
import {
  type FileCell,
  HEAD_ROWS,
  type HeaderSearch,
  notAMovement,
  type Table,
  type TableRow,
  textOf,
  totalOrRemark,
} from './table.ts';
import {
  readPart,
  readStrings,
  readStyles,
  readWorkbookParts,
  type SheetInfo,
  type SheetRow,
  sheetHandlers,
} from './xlsx-sheet.ts';
import { type ZipEntry, zipDirectory } from './zip.ts';

/** A workbook whose sheets can be read one by one. */
export type OpenedWorkbook = ReturnType<typeof openWorkbook>;

const MOST_ROWS = 1_000_000;

/** No error: thrown to end the reading of a sheet early. */
class StopReading extends Error {}

/**
 * Opens a workbook. Values only: formulas are taken as their last result, merged cells as the one value that they hold,
 * numbers as plain decimals of at most 15 digits, and those that the sheet shows as dates or percentages as such.
 *
 * @throws FileFault when it is no workbook, or a part of it is damaged or unpacks beyond all bounds
 */
export function openWorkbook(bytes: Uint8Array) {
  const entries = zipDirectory(bytes);
  const find = (name: string): ZipEntry | undefined =>
    entries.get(name) ?? [...entries.values()].find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  const parts = readWorkbookParts(bytes, find);
  let strings: readonly string[] | null = null;
  const sharedStrings = (): readonly string[] => {
    strings ??= readStrings(bytes, parts.strings);
    return strings;
  };
  const styles = readStyles(bytes, parts.styles);
  const readSheet = (sheet: SheetInfo, onRow: (row: SheetRow) => void, { asWritten = false } = {}): void => {
    const entry = find(sheet.part);
    if (!entry) throw new FileFault(workbooksError({ id: 'sheet-missing', sheet: sheet.name }));
    const context = { sharedStrings, styles, from1904: parts.from1904, asWritten };
    readPart(bytes, entry, sheetHandlers(context, onRow));
  };
  return {
    sheets: parts.sheets,
    /** Every row, with numbers as the file writes them: dates as counts of days, and however many digits. */
    eachRow: (sheet: SheetInfo, onRow: (row: SheetRow) => void) => readSheet(sheet, onRow, { asWritten: true }),
    /** The first rows that are not empty, as texts without the empty ones at their ends. */
    firstRows(sheet: SheetInfo, skipRows: number) {
      const rows: { readonly line: number; readonly cells: readonly string[] }[] = [];
      try {
        readSheet(sheet, ({ line, cells }) => {
          if (line <= skipRows || cells.every((cell) => textOf(cell) === '')) return;
          rows.push({ line, cells: filledTexts(cells) });
          if (rows.length === HEAD_ROWS) throw new StopReading();
        });
      } catch (error) {
        if (!(error instanceof StopReading)) throw error;
      }
      return rows;
    },
    /** The table whose header is the first row after `skipRows` that is not empty. */
    read(sheet: SheetInfo, skipRows: number, columnsToKeep: HeaderSearch['columnsToKeep']): Table {
      let headers: readonly string[] | null = null;
      let keptColumns: ReadonlySet<number> = new Set();
      let hiddenRows = 0;
      const rows: TableRow[] = [];
      const skipped: SkippedLine[] = [];
      readSheet(sheet, (row) => {
        if (row.line <= skipRows || row.cells.every((cell) => textOf(cell) === '')) return;
        if (headers === null) {
          headers = filledTexts(row.cells);
          keptColumns = columnsToKeep(headers);
          return;
        }
        const beyond = row.cells.findIndex((cell, i) => i >= headers!.length && textOf(cell) !== '');
        if (beyond !== -1) {
          const remark = totalOrRemark(row.cells.map(textOf));
          if (remark !== null) {
            skipped.push(notAMovement(row.line, remark));
            return;
          }
          const cell = `${columnLetters(beyond)}${row.line}`;
          throw new FileFault(workbooksError({ id: 'cell-beyond-header' }), { line: row.line, column: cell });
        }
        if (rows.length === MOST_ROWS) throw new FileFault(workbooksError({ id: 'too-many-rows', most: MOST_ROWS }));
        if (row.isHidden) hiddenRows += 1;
        const cells = headers.map((_, i) => (keptColumns.has(i) ? (row.cells[i] ?? '') : ''));
        rows.push({ line: row.line, cells });
      });
      if (headers === null) throw new FileFault(workbooksError({ id: 'sheet-empty', sheet: sheet.name }));
      return { headers, rows, sheet: sheet.name, hiddenRows, lastCell: null, skipped };
    },
  };
}

/** A row's texts, without the empty ones at its end. */
function filledTexts(cells: readonly FileCell[]): string[] {
  const width = cells.findLastIndex((cell) => textOf(cell) !== '') + 1;
  return cells.slice(0, width).map((cell) => textOf(cell).trim());
}

/** A spreadsheet's name of a column, counted from 0: `A`, `AB`. */
function columnLetters(column: number): string {
  return (column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}
