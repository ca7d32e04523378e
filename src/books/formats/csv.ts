import { CsvError, type Options, parse } from 'csv-parse/sync';
import { quoted } from '../../text.ts';
import { FileFault } from './fault.ts';
import { splitLines } from './lines.ts';
import { type ColumnChoice, type Table, type TableRow, textOf } from './table.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** Rows that are looked at to tell which delimiter makes a table of them. */
const SAMPLE_ROWS = 50;
const MOST_COLUMNS = 1000;
const MOST_ROWS = 1_000_000;
const MOST_ROW_LENGTH = 1_000_000;

/**
 * Reads CSV strictly: every row has as many cells as the header, quotes are closed. Line ends may be mixed. Text stays text: a
 * formula is only characters.
 *
 * @param options `skipRows`: lines before the header; `delimiter`: where the file does not say it by itself
 * @throws FileFault with the line
 */
export function readCsv(
  text: string,
  options: { delimiter?: string | undefined; skipRows?: number | undefined },
  choose?: ColumnChoice,
): Table {
  // Excel's own way to name the delimiter, as the first line.
  const named = /^sep=(.)(?:\r\n|\n|\r)/i.exec(text)?.[1];
  const skipRows = Math.max(options.skipRows ?? 0, named === undefined ? 0 : 1);
  const delimiter = options.delimiter ?? named ?? detectDelimiter(text, skipRows);
  let headers: readonly string[] | null = null;
  let kept: ReadonlySet<number> | null = null;
  const rows: TableRow[] = [];
  parseRecords(text, delimiter, skipRows, (cells, line) => {
    if (headers === null) {
      if (cells.length > MOST_COLUMNS) {
        throw new FileFault(`it has ${cells.length} columns`, `A table has at most ${MOST_COLUMNS}.`, { line });
      }
      headers = cells.map((cell) => cell.trim());
      kept = choose?.(headers) ?? null;
      return;
    }
    if (cells.length !== headers.length) {
      if (cells.every((cell) => cell.trim() === '')) return;
      throw new FileFault(
        `the row has ${cells.length} cells where the header has ${headers.length}`,
        'Correct that row; if the header is further down, name the lines above it in a map: skip_rows = 3.',
        { line },
      );
    }
    if (cells.every((cell) => cell.trim() === '')) return;
    if (rows.length === MOST_ROWS) {
      throw new FileFault(`it has more than ${MOST_ROWS} rows`, 'Export it in parts.', { line });
    }
    rows.push({ line, cells: kept === null ? cells : cells.map((cell, i) => (kept!.has(i) ? cell : '')) });
  });
  if (headers === null) throw new FileFault('it has no header and no rows', 'Export the file again.');
  return { headers, rows, sheet: null, hiddenRows: 0, lastCell: openEnd(text, rows) };
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
  throw new FileFault(
    `the file ends in the figure ${quoted(cell)}, where all others of its column have ${usual} decimals`,
    'It is cut off: export it again. If it is whole, end its last line with a line end.',
    { line: last.line },
  );
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
    return new FileFault('a quote opens and is never closed', 'The file is cut off, or a cell holds a stray quote.', {
      line: line + 1,
    });
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new FileFault('the row is too long', 'The file is damaged: export it again.', { line: at });
  return new FileFault(
    'a quote stands in the middle of a cell',
    'A cell with quotes is written in quotes, each of its own doubled: "5"" pipe".',
    { line: at },
  );
}

/** The delimiter that makes a table of the first rows: the header holds it, and all rows have as many of it. */
function detectDelimiter(text: string, skipRows: number): string {
  const candidates = DELIMITERS.map((delimiter) => ({ delimiter, widths: widthsOf(text, delimiter, skipRows) })).filter(
    ({ widths }) => (widths[0] ?? 0) > 1,
  );
  if (candidates.length <= 1) return candidates[0]?.delimiter ?? ',';
  const even = candidates.filter(({ widths }) => widths.every((width) => width === widths[0]));
  if (even.length === 1) return even[0]!.delimiter;
  throw new FileFault(
    `its columns may be parted by ${candidates.map(({ delimiter }) => (delimiter === '\t' ? 'a tab' : quoted(delimiter))).join(' or ')}`,
    'Name the delimiter in a map: delimiter = ";".',
    { line: skipRows + 1 },
  );
}

function widthsOf(text: string, delimiter: string, skipRows: number): number[] {
  const widths: number[] = [];
  // Only the beginning: a sample need not cost a second reading of a large file.
  const sample = text.slice(0, 200_000);
  try {
    parseRecords(sample, delimiter, skipRows, (cells) => widths.push(cells.length), SAMPLE_ROWS);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  return sample.length < text.length ? widths.slice(0, -1) : widths;
}
