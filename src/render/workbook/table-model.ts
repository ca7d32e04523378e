import type { Column, ColumnType, PlainRow } from '../../../reports/model.ts';
import { formatUnits } from '../../money/units.ts';
import type { Language } from '../../words/index.ts';
import type { Accent } from '../colour.ts';
import { isFigure } from '../figures.ts';
import type { SaidColumn, SaidReport, SaidRow } from '../in-words.ts';
import type { Line, Style } from './model.ts';
import { columnLetters } from './values.ts';

/**
 * What the sheet of a report shows. `totals` and `notes` are called after the last row; a total is in the `currency` of
 * its row, if the row has one.
 */
export interface TableSheet extends Pick<SaidReport, 'columns' | 'totals' | 'notes'> {
  readonly accent: Accent;
  readonly language: Language;
  readonly pages: Iterable<readonly PlainRow[]> | AsyncIterable<readonly PlainRow[]>;
  /** Translates a column's coded words, null if it has none; absent if all are in the reader's language already. */
  readonly wordsOf?: (column: string) => ((word: string) => string) | null;
  readonly frozenColumns?: number;
  readonly conditions?: readonly RowCondition[];
  /** The words of a drop-down list in each cell of a column, by column: `{ status: ['open', 'resolved'] }`. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** The columns in which people type. */
  readonly typed?: readonly string[];
  /** Rows of the same columns below the totals, under a heading of their own. */
  readonly below?: Below;
}

/** A condition on a row, with the row's cells named by column: `{difference}<>0`. */
interface RowCondition {
  /** The column whose style changes; the whole row if absent. */
  readonly column?: string;
  readonly formula: string;
  readonly style: Style;
}

/** Rows below the totals, such as resolved ones: the totals count them only if somebody changes them in the sheet. */
interface Below {
  readonly heading: string;
  readonly rows: readonly SaidRow[];
  /**
   * `{ column: 'status', is: 'resolved' }`: no total counts a row whose status is this word. If a person resolves a row
   * of the table, its money leaves the totals; if one opens a row below again, it comes in.
   */
  readonly settled: { readonly column: string; readonly is: string };
}

const POINTS_A_LINE = 13.5;
const LOWEST_HEADING = 30;
/** How many of the first rows set the widths of columns in a table that is read whole. */
export const ROWS_TO_FIT = 500;
/** How many rows of a streamed table are read first to set the widths. Their last page is read to its end. */
export const STREAMED_ROWS_TO_FIT = 100;
/** The widths of a column, in characters. */
const NARROWEST = 8;
const WIDEST = 32;
const DATE_WIDTH = 12;
const DATETIME_WIDTH = 25;
/** Room at both sides of a text, in characters. */
const PADDING = 3;
/** How much wider a capital is than a digit, in digits. */
const CAPITAL = 0.3;
/** A SHA-256 in hexadecimal. */
const WIDEST_HASH = 64;
/** The width of a filter's button in a heading. */
const BUTTON = 4;
/** The width of a column of sentences, in characters. */
const SENTENCES = { least: 28, most: 60 };

export function lettersOf(columns: readonly Column[], name: string): string {
  return columnLetters(columns.findIndex((column) => column.name === name));
}

export function isWrapped({ type }: Column): boolean {
  return type === 'wide';
}

/**
 * The height of a row with wrapped texts, in points; undefined for a single line. Not every program sets it itself.
 *
 * @param widths of the columns, in characters
 */
export function heightOf(columns: readonly Column[], widths: readonly number[], row: PlainRow): number | undefined {
  let most = 1;
  columns.forEach((column, i) => {
    if (!isWrapped(column)) return;
    const lines = String(row[column.name] ?? '').split('\n');
    const taken = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / widths[i]!)), 0);
    most = Math.max(most, taken);
  });
  return most > 1 ? most * POINTS_A_LINE + 2 : undefined;
}

/** A column's width in characters, from its heading and its first cells. @param isAll whether it has no others */
export function fittedWidth(column: SaidColumn, cells: readonly PlainRow[string][], isAll = true): number {
  const { type, title } = column;
  if (type === 'date') return DATE_WIDTH;
  if (type === 'datetime') return DATETIME_WIDTH;
  const longest = cells.reduce<number>((most, cell) => Math.max(most, shownLength(type, cell)), 0);
  if (isWrapped(column)) return Math.min(SENTENCES.most, Math.max(SENTENCES.least, longest));
  // `cells` are at most the first `ROWS_TO_FIT`: so many may be only a part of the column.
  const isWhole = isAll && cells.length < ROWS_TO_FIT;
  const growth = type === 'money' ? growthOfTotal(isWhole ? cells.length + 1 : MANY_ROWS) : 0;
  // A heading may break at its spaces, and needs room for the filter's button.
  const heading = Math.max(...title.split(' ').map((word) => word.length)) + BUTTON;
  const isHash = type === 'id' && longest === WIDEST_HASH && cells.every(isHashOrNone);
  return Math.round(
    Math.min(isHash ? WIDEST_HASH + PADDING : WIDEST, Math.max(NARROWEST, longest + growth + PADDING, heading)),
  );
}

/** How many rows a table may have that was not read whole. */
const MANY_ROWS = 100_000;

/** How much longer a total may be than its rows: a digit for ten times as many rows, a comma for every three digits. */
function growthOfTotal(rows: number): number {
  return Math.ceil(1.4 * Math.log10(rows));
}

/** Columns of hashes are shown whole: part of a hash identifies nothing. */
function isHashOrNone(cell: PlainRow[string]): boolean {
  return cell === null || String(cell).length === WIDEST_HASH;
}

function shownLength(type: ColumnType, cell: PlainRow[string]): number {
  if (cell === null) return 0;
  const text = typeof cell === 'bigint' ? formatUnits(cell) : String(cell);
  if (type === 'money' || type === 'measure') return groupedLength(text);
  return type === 'id' ? text.length + Math.ceil(CAPITAL * text.replace(/[^A-Z]/g, '').length) : text.length;
}

/** The length of a plain decimal with its thousands grouped and at least two decimals. */
function groupedLength(decimal: string): number {
  const sign = decimal.startsWith('-') ? 1 : 0;
  const point = decimal.indexOf('.');
  const whole = (point === -1 ? decimal.length : point) - sign;
  const decimals = point === -1 ? 0 : decimal.length - point - 1;
  return sign + whole + Math.floor((whole - 1) / 3) + 1 + Math.max(2, decimals);
}

/** The table's first row: the columns' titles. @param widths of the columns, in characters */
export function headingLine(columns: readonly SaidColumn[], widths: readonly number[], accent: Accent): Line {
  const head: Style = { bold: true, fill: accent.fill, colour: accent.text, wrap: true, vertical: 'middle' };
  const heads = {
    left: { ...head, align: 'left', indent: 1 },
    right: { ...head, align: 'right', indent: 1 },
    center: { ...head, align: 'center' },
  } as const;
  return {
    height: Math.max(LOWEST_HEADING, headingLines(columns, widths) * POINTS_A_LINE + 3),
    cells: columns.map(({ title, type }) => ({ value: title, style: heads[alignOf(type)] })),
  };
}

function alignOf(type: ColumnType): 'left' | 'right' | 'center' {
  if (isFigure(type)) return 'right';
  return type === 'date' || type === 'datetime' ? 'center' : 'left';
}

/** The number of lines of the highest heading, broken at its spaces, with room for the filter's button. */
function headingLines(columns: readonly SaidColumn[], widths: readonly number[]): number {
  const linesOfOne = ({ title }: SaidColumn, width: number) => {
    let lines = 1;
    let taken = 0;
    for (const { length } of title.split(' ')) {
      const isFull = taken > 0 && taken + 1 + length > width - BUTTON;
      if (isFull) lines += 1;
      taken = isFull || taken === 0 ? length : taken + 1 + length;
    }
    return lines;
  };
  return Math.max(1, ...columns.map((column, i) => linesOfOne(column, widths[i]!)));
}
