/** A report is data: what it is called, its columns, its rows. How it looks is the business of `src/render`. */

/** `text` and `date`/`datetime` cells are strings (ISO for the latter two), `integer` cells numbers, `money` cells plain decimal strings. */
export type ColumnType = 'text' | 'integer' | 'money' | 'date' | 'datetime';

export interface Column {
  /** The field's name in JSON and CSV: stable, other programs read it. */
  readonly name: string;
  /** The heading that people read. */
  readonly title: string;
  readonly type: ColumnType;
  /** Whether it says, with the first column, what a row is about: it stands again wherever a wide table goes on. */
  readonly key?: boolean;
}

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

export interface Report {
  /** The report's name on the command line. */
  readonly report: string;
  readonly title: string;
  /** The period as asked for, such as `2026-10` or `2026-08..2026-10`. */
  readonly period: string;
  readonly columns: readonly Column[];
  /** Read once, in order; may be far more than fits in memory. */
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
  /**
   * One row a currency, with the columns of the report that can be summed. A function, because sums of a streamed report are
   * known only when its rows have been read; renderers call it after the last row.
   */
  readonly totals: () => readonly Row[];
  /** Sentences that a reader must know: what was skipped, what is missing. Call after the last row, like `totals`. */
  readonly notes: () => readonly string[];
}
