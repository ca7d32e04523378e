import type { PlainRow } from '../../../reports/model.ts';
import type { Language } from '../../words/index.ts';
import type { Accent } from '../colour.ts';
import type { SaidColumn, SaidRow } from '../in-words.ts';
import type { Style } from './model.ts';

export interface TableSheet {
  readonly name: string;
  readonly accent: Accent;
  readonly language: Language;
  readonly columns: readonly SaidColumn[];
  readonly pages: Iterable<readonly PlainRow[]> | AsyncIterable<readonly PlainRow[]>;
  /** How the words of a column are said, null where it holds none; absent where all are in the reader's language already. */
  readonly wordsOf?: (column: string) => ((word: string) => string) | null;
  /** Rows of figures under the table; called after the last row. A row's `currency` limits its sums to that currency's rows. */
  readonly totals: () => readonly SaidRow[];
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

/** A condition on a row, with the row's cells named by column: `{difference}<>0`. */
interface RowCondition {
  /** The column whose style changes; the whole row where absent. */
  readonly column?: string;
  readonly formula: string;
  readonly style: Style;
}

/** Rows below a table, such as settled ones, which the totals count only if somebody changes them in the sheet. */
interface Below {
  readonly heading: string;
  readonly rows: readonly SaidRow[];
  /** The totals count the rows, above and here, whose column holds anything else. */
  readonly settled: { readonly column: string; readonly is: string };
}

/** Sums of a table's rows when they have been written, for formulas over them. */
export interface TableSums {
  readonly rows: number;
  /** Whether a column's rows in a currency come to this figure, and a rounded spreadsheet sum of them does so too. */
  gives(column: string, currency: string, decimal: string): boolean;
}
