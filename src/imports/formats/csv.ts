import { CsvError, type Options, parse } from 'csv-parse/sync';
import { tablesError } from '../../words/errors/tables.ts';
import { FileFault } from './fault.ts';
import type { SkippedLine } from './receipts-file.ts';
import {
  closingRemark,
  HEAD_ROWS,
  type HeaderSearch,
  notAMovement,
  type Table,
  type TableRow,
  textOf,
  totalOrRemark,
  wordsOnly,
} from './table.ts';
import { splitLines } from './text-forms.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** The number of rows that are read to find out the delimiter. */
const SAMPLE_ROWS = 50;
const MOST_COLUMNS = 1000;
const MOST_ROWS = 1_000_000;
const MOST_ROW_LENGTH = 1_000_000;

/**
 * Reads CSV strictly: quotes are closed, and every row below the header has a cell for each of its columns; blank cells
 * may follow. A shorter row is skipped if it is a total, or a remark below a bank's lines. Line ends may be mixed. A
 * formula stays text.
 *
 * @param options `skipRows`: lines before the header; `delimiter`: if the map names it
 * @param search finds the header among the first rows
 * @throws FileFault with the line
 */
export function readCsv(
  text: string,
  options: { delimiter?: string | undefined; skipRows?: number | undefined },
  search: HeaderSearch,
): Table {
  // Excel names the delimiter in the first line.
  const sepDelimiter = /^sep=(.)(?:\r\n|\n|\r)/i.exec(text)?.[1];
  const skipRows = Math.max(options.skipRows ?? 0, sepDelimiter === undefined ? 0 : 1);
  const delimiter = options.delimiter ?? sepDelimiter ?? detectDelimiter(text, skipRows);
  /** The first rows, until one of them is taken as the header. */
  const head: { cells: readonly string[]; line: number }[] = [];
  let headers: readonly string[] | null = null;
  let keptColumns: ReadonlySet<number> = new Set();
  const rows: TableRow[] = [];
  const skipped: SkippedLine[] = [];
  const remarks: { cells: readonly string[]; line: number; remark: string }[] = [];
  let isBelowTotals = false;
  /** Takes the row of `head` at this index as the header, and those below it as rows of the table. */
  const takeHeader = (at: number): void => {
    const { cells } = head[at]!;
    headers = cells.slice(0, filledWidth(cells)).map((cell) => cell.trim());
    keptColumns = search.columnsToKeep(headers);
    for (const row of head.slice(at + 1)) addRow(row.cells, row.line, headers.length);
  };
  /** Skips a row of another width than the header's, if it is a total or a remark. */
  const skipUneven = (cells: readonly string[], line: number, width: number): void => {
    const filled = filledWidth(cells);
    const total = filled > width ? null : totalOrRemark(cells);
    if (total !== null) {
      skipped.push(notAMovement(line, total));
      return;
    }
    const remark = closingRemark(cells) ?? (isBelowTotals ? wordsOnly(cells) : null);
    if (remark !== null && search.hasClosingRemarks) remarks.push({ cells, line, remark });
    // The message counts no empty cells beyond the header's width.
    else throw unevenRow(Math.max(filled, Math.min(cells.length, width)), width, line);
  };
  const addRow = (cells: readonly string[], line: number, width: number): void => {
    const filled = filledWidth(cells);
    const isTotalsRow = filled <= width && search.isTotalsRow(cells);
    if ((cells.length < width || filled > width) && !isTotalsRow) {
      skipUneven(cells, line, width);
      return;
    }
    // Remarks come below the lines, not among them; below the totals they may come anywhere.
    const [remarkAbove] = filled > 1 && !isBelowTotals ? remarks : [];
    if (remarkAbove) throw unevenRow(remarkAbove.cells.length, width, remarkAbove.line);
    isBelowTotals ||= isTotalsRow;
    if (rows.length === MOST_ROWS) throw new FileFault(tablesError({ id: 'too-many-rows', most: MOST_ROWS }), { line });
    rows.push({ line, cells: Array.from({ length: width }, (_, i) => (keptColumns.has(i) ? (cells[i] ?? '') : '')) });
  };
  let lastLine = 0;
  parseRecords(text, delimiter, skipRows, (cells, line) => {
    if (headers === null && cells.length > MOST_COLUMNS) {
      throw new FileFault(tablesError({ id: 'too-many-columns', columns: cells.length, most: MOST_COLUMNS }), { line });
    }
    if (cells.every((cell) => cell.trim() === '')) return;
    lastLine = line;
    if (headers !== null) {
      addRow(cells, line, headers.length);
      return;
    }
    head.push({ cells, line });
    // The first row after those that the map skips is the header.
    if (options.skipRows !== undefined || search.isHeader(cells)) takeHeader(head.length - 1);
    else if (head.length === HEAD_ROWS) takeHeader(search.likelyRow(head.map((row) => row.cells)));
  });
  if (head.length === 0) throw new FileFault(tablesError({ id: 'no-header' }));
  if (headers === null) takeHeader(search.likelyRow(head.map((row) => row.cells)));
  // Without a line end the file may be cut off: what looks like its last remark may be half a row.
  const last = /[\r\n]$/.test(text) ? undefined : remarks.at(-1);
  if (last && !(isBelowTotals && wordsOnly(last.cells) !== null))
    throw unevenRow(last.cells.length, headers!.length, last.line);
  skipped.push(...remarks.map(({ line, remark }) => notAMovement(line, remark)));
  const lastCell = lastLine === rows.at(-1)?.line ? unfinishedCell(text, rows) : null;
  return { headers: headers!, rows, sheet: null, hiddenRows: 0, lastCell, skipped };
}

/** How many cells a row has, without the empty ones at its end. */
function filledWidth(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function unevenRow(cells: number, width: number, line: number): FileFault {
  return new FileFault(tablesError({ id: 'uneven-row', cells, width }), { line });
}

/**
 * The last cell of a file without a line end, if it may be the beginning of a longer figure: `2` of `25.00`. A figure
 * with as many decimals as all others in its column is whole.
 *
 * @throws FileFault if all others have more decimals
 */
function unfinishedCell(text: string, rows: readonly TableRow[]): string | null {
  const last = rows.at(-1);
  if (last === undefined || !/\d[.,]?$/.test(text)) return null;
  const cell = textOf(last.cells.at(-1));
  if (!/^[-+\d.,]+$/.test(cell)) return null;
  const decimals = new Set(rows.slice(0, -1).map(({ cells }) => decimalsOf(textOf(cells.at(-1)))));
  const [usual] = decimals;
  // The others tell whether it is whole only if all have the same number of decimals, and two at least.
  if (usual === undefined || usual < 2 || decimals.size > 1 || decimalsOf(cell) > usual) return cell;
  if (decimalsOf(cell) === usual) return null;
  throw new FileFault(tablesError({ id: 'ends-within-figure', cell, decimals: String(usual) }), { line: last.line });
}

function decimalsOf(figure: string): number {
  return /[.,](\d+)$/.exec(figure)?.[1]?.length ?? 0;
}

type OnRow = (cells: string[], line: number) => void;

/** Hands out each row with the line on which it begins. @param most the number of rows after which it stops */
function parseRecords(text: string, delimiter: string, skipRows: number, onRow: OnRow, most?: number): void {
  let line = 0;
  let countedTwice = 0;
  const options: Options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MOST_ROW_LENGTH,
    skip_empty_lines: true,
    from_line: skipRows + 1,
    ...(most === undefined ? {} : { to: most }),
    // Rows are handed out one by one and dropped, so that a wide file is never in memory whole as cells.
    on_record: (cells: string[], context) => {
      // csv-parse counts a CRLF within quotes as two lines.
      countedTwice += cells.reduce((sum, cell) => sum + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);
      line = context.lines - countedTwice;
      // `line` is the row's last line.
      onRow(cells, line - breaksIn(cells));
      return null;
    },
  };
  try {
    parse(text, options);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvFault(error, line, countedTwice);
  }
}

/** How many line breaks the cells have within their quotes. */
function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => (/[\r\n]/.test(cell) ? sum + splitLines(cell).length - 1 : sum), 0);
}

/** @param line the last line that was read whole */
function csvFault(error: CsvError, line: number, countedTwice: number): FileFault {
  const at = typeof error.lines === 'number' ? error.lines - countedTwice : line + 1;
  const { code } = error;
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new FileFault(tablesError({ id: 'quote-never-closed' }), { line: line + 1 });
  const id = code === 'CSV_MAX_RECORD_SIZE' ? 'row-too-long' : 'quote-within-cell';
  return new FileFault(tablesError({ id }), { line: at });
}

/**
 * Finds the delimiter that makes a table of the first rows: the only one that gives every row as many cells as the
 * first. If none does, because of a preamble or totals, it is the one that gives the most rows of one width.
 *
 * @throws FileFault if several do equally well
 */
function detectDelimiter(text: string, skipRows: number): string {
  const all = DELIMITERS.map((delimiter) => ({ delimiter, widths: widthsOf(text, delimiter, skipRows) }));
  const candidates = all.filter(({ widths }) => widths.some(({ full }) => full > 1));
  if (candidates.length <= 1) return candidates[0]?.delimiter ?? ',';
  const even = candidates.filter(({ widths: [first, ...later] }) => {
    // Empty cells at the end of a row may count or not: with some of them it is as wide as the first.
    const fits = ({ full, filled }: Width): boolean => full >= first!.filled && filled <= first!.full;
    return first!.full > 1 && later.every(fits);
  });
  const likely = even.length > 0 ? even : mostAlike(candidates);
  if (likely.length === 1) return likely[0]!.delimiter;
  const delimiters = likely.map(({ delimiter }) => delimiter);
  throw new FileFault(tablesError({ id: 'delimiter-unsure', delimiters }), { line: skipRows + 1 });
}

/** How many cells a row has, with and without the empty ones at its end. */
type Width = Readonly<Record<'full' | 'filled', number>>;

/** The candidates that give the most rows of one width. */
function mostAlike<T extends { readonly widths: readonly Width[] }>(candidates: readonly T[]): T[] {
  const alike = candidates.map(({ widths }) => {
    const wide = widths.map(({ full }) => full).filter((full) => full > 1);
    return Math.max(...wide.map((full) => wide.filter((width) => width === full).length));
  });
  return candidates.filter((_, i) => alike[i] === Math.max(...alike));
}

/** The widths of the first rows; the last one is left out if the sample may have cut it. */
function widthsOf(text: string, delimiter: string, skipRows: number): Width[] {
  const widths: Width[] = [];
  // Only the beginning: a large file is not read twice for this.
  const sample = text.slice(0, 200_000);
  const addRow = (cells: readonly string[]) => {
    const filled = filledWidth(cells);
    if (filled > 0) widths.push({ full: cells.length, filled });
  };
  try {
    parseRecords(sample, delimiter, skipRows, addRow, SAMPLE_ROWS);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  return sample.length < text.length ? widths.slice(0, -1) : widths;
}
