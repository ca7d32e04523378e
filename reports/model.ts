import type { Sentence } from '../src/base/sentence.ts';
import type { Units } from '../src/money/units.ts';

/**
 * What a column holds. Cells of `count` and `days` are numbers, of `number` numbers or text, all others text.
 *
 * - `id`: a name of letters and digits
 * - `number`: a name of digits, such as an invoice's, or the text (`ES-902`) that takes its place: never summed, its
 *   thousands never grouped
 * - `text`: a word or a few; `wide`: sentences, on several lines if there is room
 * - `count`, `days`: whole numbers
 * - `money`: a plain decimal, in the row's `currency`; in a {@link LongReport} the ledger's units
 * - `measure`: a plain decimal of what the row's `unit` says (`money`, `count`, `days`)
 * - `date`, `datetime`: ISO, the latter with the offset that the document states
 */
export type ColumnType =
  | 'id'
  | 'number'
  | 'text'
  | 'wide'
  | 'count'
  | 'days'
  | 'money'
  | 'measure'
  | 'date'
  | 'datetime';

/** The unit of a `measure`. */
export type Unit = 'money' | 'count' | 'days';

export interface Column {
  /** The field's name in JSON and CSV: stable, other programs read it. */
  readonly name: string;
  /** The heading that people read, if it is not the one that `words/` has for the column's name. */
  readonly title?: string;
  readonly type: ColumnType;
  /** It tells rows apart: a table too wide for the terminal goes on below with these and its first column. */
  readonly key?: boolean;
  /** It names the report's only courier: what people read leaves it out. JSON and CSV always have it. */
  readonly isOfOnlyCourier?: boolean;
  /** The column with the ledger's numbers; this one has the courier's texts for them (`ES-902`), which people see. */
  readonly textOf?: string;
  /**
   * Left out on paper, which has no room for it: other cells of its row say it too. Such columns are the last of their
   * table.
   */
  readonly isOffPaper?: boolean;
}

/** The renderer puts a sentence into words, in its reader's language. */
export type Cell = string | number | Units | null | Sentence;
export type Row = Readonly<Record<string, Cell>>;
/** One of very many rows: none of its cells is a sentence, and its money is in the ledger's units. */
export type PlainRow = Readonly<Record<string, Exclude<Cell, Sentence>>>;

/** A report is data: what it is called, its columns, its rows. How it looks is the business of `src/render`. */
export interface Report {
  /** The report's name on the command line. */
  readonly report: string;
  readonly title: string;
  /** The period as it is printed, such as `2026-10` or `2026-08..2026-10`. */
  readonly period: string;
  readonly columns: readonly Column[];
  /** The time zone in which people see its date-times; if absent, they see them as the documents state them. */
  readonly timeZone?: string;
  /** Read once, in order; may be far more than fits in memory. */
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
  /**
   * One row per currency, with the columns of the report that can be summed. A function, because sums of a streamed
   * report are known only when its rows have been read; renderers call it after the last row.
   */
  readonly totals: () => readonly Row[];
  /** What a reader must know: what was skipped, what is missing. Call after the last row, like `totals`. */
  readonly notes: () => readonly Sentence[];
}

/** A report of very many rows, which are read once: one by one, or a page at a time, which is faster. */
export interface LongReport extends Report {
  readonly rows: AsyncIterable<PlainRow>;
  readonly pages: () => AsyncIterable<readonly PlainRow[]>;
}
