import { quoted } from '../../text.ts';
import { FileFault } from './fault.ts';
import { type Cell, type ColumnChoice, type Table, type TableRow, textOf } from './table.ts';
import { readBook, readDateStyles, readStrings, type SheetInfo } from './xlsx-book.ts';
import { NOT_A_WORKBOOK, readPart } from './xlsx-part.ts';
import { type SheetRow, sheetHandlers } from './xlsx-sheet.ts';
import { type ZipEntry, zipDirectory } from './zip.ts';

/** A workbook whose sheets can be read one by one. */
export interface Workbook {
  readonly sheets: readonly SheetInfo[];
  /** The first row that holds anything; empty for an empty sheet. */
  headersOf(sheet: SheetInfo, skipRows?: number): readonly string[];
  read(sheet: SheetInfo, skipRows?: number, choose?: ColumnChoice): Table;
  /** Every row as it stands, with numbers as the file writes them. */
  eachRow(sheet: SheetInfo, onRow: (row: SheetRow) => void): void;
}

const MOST_ROWS = 1_000_000;

/** Ends the reading of a part early. */
class Enough extends Error {}

/**
 * Opens a workbook. Values only: formulas are taken as their last result, merged cells as the one value that they hold, and
 * numbers from the file's own text (see {@link numberCell}).
 *
 * @throws FileFault when it is no workbook, or a part of it is damaged or unpacks beyond all bounds
 */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const entries = zipDirectory(bytes);
  const find = (name: string): ZipEntry | undefined =>
    entries.get(name) ?? [...entries.values()].find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  const book = readBook(bytes, find);
  let strings: readonly string[] | null = null;
  const sharedStrings = (): readonly string[] => {
    strings ??= readStrings(bytes, book.strings === null ? undefined : find(book.strings));
    return strings;
  };
  const dateStyles = readDateStyles(bytes, book.styles === null ? undefined : find(book.styles));
  const readSheet = (sheet: SheetInfo, onRow: (row: SheetRow) => void, asWritten = false): void => {
    const entry = find(sheet.part);
    if (!entry) throw new FileFault(`its sheet ${quoted(sheet.name)} is missing`, NOT_A_WORKBOOK);
    const context = { sharedStrings, dateStyles, from1904: book.from1904, asWritten };
    readPart(bytes, entry, sheetHandlers(context, onRow));
  };
  return {
    sheets: book.sheets,
    eachRow: (sheet, onRow) => readSheet(sheet, onRow, true),
    headersOf(sheet, skipRows = 0) {
      let headers: readonly string[] = [];
      try {
        readSheet(sheet, (row) => {
          if (row.line <= skipRows || row.cells.every((cell) => textOf(cell) === '')) return;
          headers = row.cells.map((cell) => textOf(cell).trim());
          throw new Enough();
        });
      } catch (error) {
        if (!(error instanceof Enough)) throw error;
      }
      return headers;
    },
    read(sheet, skipRows = 0, choose) {
      let headers: readonly string[] | null = null;
      let kept: ReadonlySet<number> | null = null;
      let hiddenRows = 0;
      const rows: TableRow[] = [];
      readSheet(sheet, (row) => {
        if (row.line <= skipRows || row.cells.every((cell) => textOf(cell) === '')) return;
        if (headers === null) {
          headers = trimmedRow(row.cells).map((cell) => textOf(cell).trim());
          kept = choose?.(headers) ?? null;
          return;
        }
        const beyond = row.cells.findIndex((cell, i) => i >= headers!.length && textOf(cell) !== '');
        if (beyond !== -1) {
          throw new FileFault(
            `the row has a cell beyond the header's last column`,
            'Give that column a header, or empty the cell.',
            {
              line: row.line,
              column: `${columnLetters(beyond)}${row.line}`,
            },
          );
        }
        if (rows.length === MOST_ROWS) throw new FileFault(`it has more than ${MOST_ROWS} rows`, 'Export it in parts.');
        if (row.hidden) hiddenRows += 1;
        const cells = headers.map((_, i) => (kept === null || kept.has(i) ? (row.cells[i] ?? '') : ''));
        rows.push({ line: row.line, cells });
      });
      if (headers === null)
        throw new FileFault(
          `its sheet ${quoted(sheet.name)} is empty`,
          'Name another sheet in a map: sheet = "Orders".',
        );
      return { headers, rows, sheet: sheet.name, hiddenRows, lastCell: null };
    },
  };
}

function trimmedRow(cells: readonly Cell[]): readonly Cell[] {
  return cells.slice(0, cells.findLastIndex((cell) => textOf(cell) !== '') + 1);
}

function columnLetters(column: number): string {
  return (column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}
