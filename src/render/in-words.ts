import type { Cell, Column, Report, Row } from '../../reports/model.ts';
import type { GridCell } from '../../reports/page.ts';
import { mapRows } from '../../reports/rows.ts';
import { countGrouped } from '../base/counted.ts';
import { instantForPeople } from '../base/instant.ts';
import { formatGrouped } from '../money/decimal.ts';
import { formatUnits } from '../money/units.ts';
import { ENGLISH, type Language } from '../words/index.ts';

/** `Invoices, 2026-10`; a report about the whole ledger has no period to name. */
export function headingOf({ title, period }: Pick<Report, 'title' | 'period'>): string {
  return period === '' ? title : `${title}, ${period}`;
}

export type SaidCell = string | number | null;
export type SaidRow = Readonly<Record<string, SaidCell>>;

export type SaidColumn = Column & { readonly title: string };

/** A report in words, in its reader's language: what the renderers draw. */
export interface SaidReport extends Omit<Report, 'columns' | 'rows' | 'totals' | 'notes'> {
  readonly columns: readonly SaidColumn[];
  readonly rows: Iterable<SaidRow> | AsyncIterable<SaidRow>;
  readonly totals: () => readonly SaidRow[];
  readonly notes: () => readonly string[];
}

/** Renderers need the unit of a `measure` as a code: its word in another language goes into a column of its own. */
const UNIT = 'unit';
const UNIT_WORD = 'unit_word';

/** Columns with the courier's statuses: words for people, codes for programs. */
const STATE_COLUMNS: ReadonlySet<string> = new Set(['status', 'delivery_state', 'payment_state']);

/** Columns whose cells list several of remit's words. */
const LIST_COLUMNS: ReadonlySet<string> = new Set(['rule']);

/** Puts a report into words for programs: its sentences in English, everything else as it is. */
export function inCodes(report: Report): SaidReport {
  return inWords(report, { ...ENGLISH, state: (state) => state, tables: { titles: {}, headings: {}, cells: {} } });
}

/** Puts a report into words for a reader: sentences, headings and coded words. Ids, codes and figures are unchanged. */
export function inWords(report: Report, language: Language = ENGLISH): SaidReport {
  const { titles, headings } = language.tables;
  const heading = ({ name, title }: Column) => title ?? headings[`${report.report}.${name}`] ?? headings[name] ?? name;
  return {
    ...report,
    title: titles[report.report] ?? report.title,
    columns: report.columns.map((column) => ({
      ...column,
      name: column.name === UNIT && language.code !== ENGLISH.code ? UNIT_WORD : column.name,
      title: heading(column),
    })),
    rows: mapRows(report.rows, (row) => rowInWords(row, language)),
    totals: () => rowsInWords(report.totals(), language),
    notes: () => report.notes().map(language.say),
  };
}

export function rowsInWords(rows: readonly Row[], language: Language): SaidRow[] {
  return rows.map((row) => rowInWords(row, language));
}

function rowInWords(row: Row, language: Language): SaidRow {
  const said: Record<string, SaidCell> = {};
  for (const name in row) said[name] = name === UNIT ? plain(row[name]) : cellInWords(name, row[name], language);
  if (language.code !== ENGLISH.code && UNIT in row) said[UNIT_WORD] = cellInWords(UNIT, row[UNIT], language);
  return said;
}

function cellInWords(column: string, cell: Cell | undefined, language: Language): SaidCell {
  if (typeof cell === 'object' && cell !== null) return language.say(cell);
  return typeof cell === 'string' ? (cellTranslator(column, language)?.(cell) ?? cell) : plain(cell);
}

/** Translates the coded words of a column's cells; null if the column has none. */
export function cellTranslator(column: string, { comma, state, tables }: Language): ((cell: string) => string) | null {
  const words = tables.cells[column];
  // A receipt may be matched by several rules: `named, several-receipts`.
  if (words && LIST_COLUMNS.has(column)) {
    const sayWord = (word: string) => words[word] ?? word;
    return (cell) => cell.split(', ').map(sayWord).join(comma);
  }
  if (STATE_COLUMNS.has(column)) return (cell) => words?.[cell] ?? state(cell);
  return words ? (cell) => words[cell] ?? cell : null;
}

function plain(cell: Cell | undefined): SaidCell {
  if (typeof cell === 'bigint') return formatUnits(cell);
  return typeof cell === 'object' ? null : (cell ?? null);
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
