import { CsvError, type Options, parse } from 'csv-parse/sync';
import { because } from '../../words/errors/tables.ts';
import { splitLines } from './characters.ts';
import { FileFault } from './fault.ts';
import type { Skipped } from './receipts-file.ts';
import {
  closingRemark,
  HEAD_ROWS,
  type HeaderSearch,
  notAMovement,
  type Table,
  type TableRow,
  textOf,
  totalOrRemark,
  wordsOf,
} from './table.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** Rows that are looked at to tell which delimiter makes a table of them. */
const SAMPLE_ROWS = 50;
const MOST_COLUMNS = 1000;
const MOST_ROWS = 1_000_000;
const MOST_ROW_LENGTH = 1_000_000;

/**
 * Reads CSV strictly: quotes are closed, and every row below the header has a cell for each of its columns; blank cells may follow. A
 * shorter row is passed over where it says that it is a total, and below the lines of a bank where it is a remark. Line ends may be mixed. Text stays text: a formula is
 * only characters.
 *
 * @param options `skipRows`: lines before the header; `delimiter`: where the file does not say it by itself
 * @param search how the header is found; null: it is the first row
 * @throws FileFault with the line
 */
export function readCsv(
  text: string,
  options: { delimiter?: string | undefined; skipRows?: number | undefined },
  search: HeaderSearch,
): Table {
  // Excel's own way to name the delimiter, as the first line.
  const named = /^sep=(.)(?:\r\n|\n|\r)/i.exec(text)?.[1];
  const skipRows = Math.max(options.skipRows ?? 0, named === undefined ? 0 : 1);
  const delimiter = options.delimiter ?? named ?? detectDelimiter(text, skipRows);
  const head: { cells: readonly string[]; line: number }[] = [];
  let headers: readonly string[] | null = null;
  let kept: ReadonlySet<number> = new Set();
  const rows: TableRow[] = [];
  const skipped: Skipped[] = [];
  const remarks: { cells: readonly string[]; line: number; said: string }[] = [];
  let isBelowTotals = false;
  const begin = (at: number): void => {
    const { cells } = head[at]!;
    headers = cells.slice(0, filledWidth(cells)).map((cell) => cell.trim());
    kept = search.choose(headers);
    for (const row of head.slice(at + 1)) body(row.cells, row.line, headers.length);
  };
  const body = (cells: readonly string[], line: number, width: number): void => {
    const filled = filledWidth(cells);
    const isKept = filled <= width && search.keeps?.(cells) === true;
    if ((cells.length < width || filled > width) && !isKept) {
      const said = filled > width ? null : totalOrRemark(cells);
      const remark =
        said === null && search.closes ? (closingRemark(cells) ?? (isBelowTotals ? wordsOf(cells) : null)) : null;
      if (remark !== null) remarks.push({ cells, line, said: remark });
      else if (said === null) throw unevenRow(Math.max(filled, Math.min(cells.length, width)), width, line);
      else skipped.push(notAMovement(line, said));
      return;
    }
    // A row in words alone is a remark below the lines, not among them; below their totals it may stand anywhere.
    const [among] = filled > 1 && !isBelowTotals ? remarks : [];
    if (among) throw unevenRow(among.cells.length, width, among.line);
    isBelowTotals ||= isKept;
    if (rows.length === MOST_ROWS) {
      throw new FileFault(because({ id: 'too-many-rows', most: MOST_ROWS }), { line });
    }
    rows.push({ line, cells: Array.from({ length: width }, (_, i) => (kept.has(i) ? (cells[i] ?? '') : '')) });
  };
  parseRecords(text, delimiter, skipRows, (cells, line) => {
    if (headers === null && cells.length > MOST_COLUMNS) {
      throw new FileFault(because({ id: 'too-many-columns', columns: cells.length, most: MOST_COLUMNS }), { line });
    }
    if (cells.every((cell) => cell.trim() === '')) return;
    if (headers !== null) {
      body(cells, line, headers.length);
      return;
    }
    head.push({ cells, line });
    if (options.skipRows !== undefined || search.isHeader(cells)) begin(head.length - 1);
    else if (head.length === HEAD_ROWS) begin(search.likely(head.map((row) => row.cells)));
  });
  if (head.length === 0) throw new FileFault(because({ id: 'no-header' }));
  if (headers === null) begin(search.likely(head.map((row) => row.cells)));
  // The last line of a file that is cut off may look like a remark.
  const last = /[\r\n]$/.test(text) ? undefined : remarks.at(-1);
  if (last && !(isBelowTotals && wordsOf(last.cells) !== null))
    throw unevenRow(last.cells.length, headers!.length, last.line);
  skipped.push(...remarks.map(({ line, said }) => notAMovement(line, said)));
  return { headers: headers!, rows, sheet: null, hiddenRows: 0, lastCell: openEnd(text, rows), skipped };
}

/** How many cells a row has, without the empty ones at its end. */
function filledWidth(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function unevenRow(cells: number, width: number, line: number): FileFault {
  return new FileFault(because({ id: 'uneven-row', cells, width }), { line });
}

/**
 * The last cell of a file that ends in it, without a line end, where it may be the beginning of a longer figure: `2` of `25.00`. One
 * with as many decimals as all others of its column is whole.
 *
 * @throws FileFault where all others have more decimals
 */
function openEnd(text: string, rows: readonly TableRow[]): string | null {
  const last = rows.at(-1);
  if (last === undefined || !/\d[.,]?$/.test(text)) return null;
  const cell = textOf(last.cells.at(-1));
  if (!/^[-+\d.,]+$/.test(cell)) return null;
  const decimals = new Set(rows.slice(0, -1).map(({ cells }) => decimalsOf(textOf(cells.at(-1)))));
  const [usual] = decimals;
  if (usual === undefined || usual < 2 || decimals.size > 1) return cell;
  if (decimalsOf(cell) === usual) return null;
  throw new FileFault(because({ id: 'ends-within-figure', cell, decimals: String(usual) }), { line: last.line });
}

function decimalsOf(figure: string): number {
  return /[.,](\d+)$/.exec(figure)?.[1]?.length ?? 0;
}

type OnRow = (cells: string[], line: number) => void;

function parseRecords(text: string, delimiter: string, skipRows: number, onRow: OnRow, most?: number): void {
  let line = 0;
  let doubled = 0;
  const options: Options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MOST_ROW_LENGTH,
    skip_empty_lines: true,
    from_line: skipRows + 1,
    ...(most === undefined ? {} : { to: most }),
    // Taken one by one and dropped: a file of many columns is never held whole as cells.
    on_record: (cells: string[], context) => {
      // csv-parse counts a CRLF within quotes as two lines.
      doubled += cells.reduce((sum, cell) => sum + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);
      line = context.lines - doubled;
      onRow(cells, line - breaksIn(cells));
      return null;
    },
  };
  try {
    parse(text, options);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw csvFault(error, line, doubled);
  }
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => (/[\r\n]/.test(cell) ? sum + splitLines(cell).length - 1 : sum), 0);
}

function csvFault(error: CsvError, line: number, doubled: number): FileFault {
  const at = typeof error.lines === 'number' ? error.lines - doubled : line + 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new FileFault(because({ id: 'quote-never-closed' }), {
      line: line + 1,
    });
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') return new FileFault(because({ id: 'row-too-long' }), { line: at });
  return new FileFault(because({ id: 'quote-within-cell' }), { line: at });
}

/**
 * The delimiter that makes a table of the first rows: the only one that gives every row the cells of the first. Where a preamble or totals
 * leave none such, the one that gives the most rows alike.
 */
function detectDelimiter(text: string, skipRows: number): string {
  const candidates = DELIMITERS.map((delimiter) => ({ delimiter, widths: widthsOf(text, delimiter, skipRows) })).filter(
    ({ widths }) => widths.some(({ full }) => full > 1),
  );
  if (candidates.length <= 1) return candidates[0]?.delimiter ?? ',';
  const even = candidates.filter(({ widths: [first, ...rest] }) => {
    const fits = ({ full, filled }: Width): boolean => full >= first!.filled && filled <= first!.full;
    return first!.full > 1 && rest.every(fits);
  });
  const likely = even.length > 0 ? even : mostAlike(candidates);
  if (likely.length === 1) return likely[0]!.delimiter;
  throw new FileFault(because({ id: 'delimiter-unsure', delimiters: likely.map(({ delimiter }) => delimiter) }), {
    line: skipRows + 1,
  });
}

/** A row's cells, with and without the empty ones at its end. */
interface Width {
  readonly full: number;
  readonly filled: number;
}

function mostAlike<T extends { readonly widths: readonly Width[] }>(candidates: readonly T[]): T[] {
  const alike = candidates.map(({ widths }) => {
    const wide = widths.map(({ full }) => full).filter((full) => full > 1);
    return Math.max(...wide.map((full) => wide.filter((other) => other === full).length));
  });
  return candidates.filter((_, i) => alike[i] === Math.max(...alike));
}

function widthsOf(text: string, delimiter: string, skipRows: number): Width[] {
  const widths: Width[] = [];
  // Only the beginning: a sample need not cost a second reading of a large file.
  const sample = text.slice(0, 200_000);
  try {
    parseRecords(
      sample,
      delimiter,
      skipRows,
      (cells) => {
        const filled = filledWidth(cells);
        if (filled > 0) widths.push({ full: cells.length, filled });
      },
      SAMPLE_ROWS,
    );
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  return sample.length < text.length ? widths.slice(0, -1) : widths;
}
