import { stringify } from 'csv-stringify/sync';
import type { Column } from '../../reports/model.ts';
import type { GridCell } from '../../reports/page.ts';
import { countGrouped } from '../base/counted.ts';
import { instantForPeople } from '../base/instant.ts';
import { fileText } from '../base/text.ts';
import { formatGrouped } from '../money/format.ts';
import type { Language } from '../words/index.ts';
import { isFigure } from './figures.ts';
import type { SaidCell, SaidReport } from './in-words.ts';

/** Texts whose characters take one column each: ASCII, Latin letters and signs, and remit's own punctuation. */
const NARROW = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF\u2013-\u2026\u2190-\u2193\u2212]*$/;

/** Measures and cuts texts that hold no control characters. */
export interface Ruler {
  /** The number of terminal columns that a text takes. */
  width(text: string): number;
  /** A text wider than `columns`, cut between letters and ended with an ellipsis. */
  cut(text: string, columns: number): string;
}

/** The ruler for some lines. That for all scripts is slow to load, so it is loaded only if a text needs it. */
export async function rulerFor(lines: Iterable<readonly string[]>): Promise<Ruler> {
  for (const texts of lines) {
    if (!texts.every((text) => NARROW.test(text))) return rulerOfAllScripts();
  }
  return NARROW_RULER;
}

const NARROW_RULER: Ruler = {
  width: (text) => text.length,
  cut: (text, columns) => `${text.slice(0, Math.max(0, columns - 1))}…`,
};

async function rulerOfAllScripts(): Promise<Ruler> {
  const { default: stringWidth } = await import('string-width');
  const segmenter = new Intl.Segmenter();
  const width = (text: string) => (NARROW.test(text) ? text.length : stringWidth(text));
  return {
    width,
    cut(text, columns) {
      let shown = '';
      let used = 1;
      for (const { segment } of segmenter.segment(text)) {
        used += width(segment);
        if (used > columns) break;
        shown += segment;
      }
      return `${shown}…`;
    },
  };
}

/** A text of exactly `columns` columns: padded with blanks, or cut. */
export function fitted(text: string, columns: number, side: 'left' | 'right', ruler: Ruler): string {
  const shown = ruler.width(text) > columns ? ruler.cut(text, columns) : text;
  const blanks = ' '.repeat(Math.max(0, columns - ruler.width(shown)));
  return side === 'left' ? shown + blanks : blanks + shown;
}

/** A cell of a page as text, for the terminal, a sheet or HTML; empty for what only a workbook draws. */
export function gridCellText(cell: GridCell, language: Language): string {
  if (cell === null || 'rows' in cell || 'bar' in cell) return '';
  if ('says' in cell) return language.label(cell.says);
  if ('word' in cell) return language.tables.cells[cell.word]?.[cell.text] ?? cell.text;
  if ('text' in cell) return cell.text;
  if ('at' in cell) return instantForPeople(cell.at);
  if ('count' in cell) return countGrouped(cell.count);
  if (cell.amount === null) return cell.unknown ? language.say(cell.unknown) : '';
  return formatGrouped(cell.amount);
}

const ROWS_A_BATCH = 500;

/** The beginning of a cell that Excel or LibreOffice read as a formula; some locales take the full-width forms too. */
const FORMULA_START = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Text from outside, made harmless for a spreadsheet: an apostrophe before what looks like a formula makes it text. */
export function safeText(text: string): string {
  const clean = fileText(text);
  return FORMULA_START.test(text) || FORMULA_START.test(clean) ? `'${clean}` : clean;
}

function csvCell(column: Column, cell: SaidCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (isFigure(column.type) || typeof cell === 'number') return String(cell);
  return safeText(String(cell));
}

/**
 * A report's rows as CSV after RFC 4180: a header of field names, CRLF, fields quoted where they must be. Totals and
 * notes are left out, because a program that sums the column would count them twice.
 *
 * @param bom start with a byte order mark, without which Excel reads UTF-8 as the machine's own code page
 */
export async function* csvText(report: SaidReport, bom: boolean): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + lines([report.columns.map(({ name }) => name)]);
  let batch: string[][] = [];
  for await (const row of report.rows) {
    batch.push(report.columns.map((column) => csvCell(column, row[column.name])));
    if (batch.length < ROWS_A_BATCH) continue;
    yield lines(batch);
    batch = [];
  }
  if (batch.length > 0) yield lines(batch);
}

/** Records as CSV. A text with a lone CR or LF is quoted: readers would begin a row there, perhaps with a formula. */
function lines(records: string[][]): string {
  return stringify(records, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** Objects as CSV: a column for each field of the first one, with arrays and objects in them as JSON. */
export function recordsCsv(records: readonly object[]): string {
  const names = Object.keys(records[0] ?? {});
  const cells = (record: object) => names.map((name) => recordCell((record as Record<string, unknown>)[name]));
  return lines([names, ...records.map(cells)]);
}

function recordCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A negative amount begins like a formula but is none.
  return /^-?\d+(\.\d+)?$/.test(text) ? text : safeText(text);
}
