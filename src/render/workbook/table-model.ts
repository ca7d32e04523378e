import type { Column, Report, Row } from '../../../reports/model.ts';
import type { Accent } from '../colour.ts';
import type { Language } from '../language/index.ts';
import type { Style } from './model.ts';

/** A condition on a row, with the row's cells named by column: `{difference}<>0`. */
interface RowCondition {
  /** The column that changes its look; the whole row where absent. */
  readonly column?: string;
  readonly formula: string;
  readonly style: Style;
}

/** A sheet of one table, as it is asked for. */
export interface TableSheet {
  readonly name: string;
  readonly accent: Accent;
  readonly language: Language;
  readonly columns: readonly Column[];
  readonly rows: Report['rows'];
  /** Rows of figures under the table; called after the last row. A row's `currency` limits its sums to that currency's rows. */
  readonly totals: () => readonly Row[];
  /** Sentences under the totals; called after the last row. */
  readonly notes?: () => readonly string[];
  readonly frozenColumns?: number;
  readonly conditions?: readonly RowCondition[];
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** Columns that a person writes in. */
  readonly typed?: readonly string[];
  /** Rows of the same columns below the totals, under a heading of their own. */
  readonly below?: Below;
}

/** What stands below a table: settled rows, say, which the totals count only if somebody changes them in the sheet. */
export interface Below {
  readonly heading: string;
  readonly rows: readonly Row[];
  /** The totals, above and here, are of the rows whose column holds anything but this. */
  readonly settled: { readonly column: string; readonly is: string };
}

/** What is known of a table's rows when they have been written, for formulas over them. */
export interface TableSums {
  readonly rows: number;
  /** Whether a column's rows in a currency come to this figure, and a rounded spreadsheet sum of them does so too. */
  gives(column: string, currency: string, decimal: string): boolean;
}
