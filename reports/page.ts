import type { Sentence } from '../src/base/sentence.ts';
import type { ExactDecimal } from '../src/money/decimal.ts';

/** A text as it is, such as a currency; or a sentence; or the name of a column, whose heading is in `words/`. */
export type Label = string | Sentence | { readonly column: string };

/** A part of a page under its heading, as data. How it looks is the business of `src/render`. */
export interface Section {
  readonly title: Label;
  readonly parts: readonly Part[];
  /** It shows where the page's figures come from, and no figure itself. */
  readonly isProof?: true;
  /** It explains, and is folded away under its title if the medium can do that. */
  readonly isFolded?: true;
}

export type Part = Grid | Facts | Note;

/** A sentence under figures, or in their place. */
export interface Note {
  readonly kind: 'note';
  readonly says: Sentence;
  /** It explains, and is shown smaller. */
  readonly isHint: boolean;
}

/** Labels with a value each, one per line. */
export interface Facts {
  readonly kind: 'facts';
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly name: string;
  /** Null if the fact above it has the same label. */
  readonly label: Label | null;
  readonly value: GridCell;
}

/** Figures in rows and columns. */
export interface Grid {
  readonly kind: 'grid';
  /** The first is the name of the rows, the only `label`. */
  readonly heads: readonly Head[];
  readonly rows: readonly GridRow[];
}

/** A column. `rows`: links to rows of another table; `bar`: a bar for each row's first amount, if the medium can. */
export interface Head {
  readonly is: 'label' | 'text' | 'code' | 'count' | 'amount' | 'rows' | 'bar';
  readonly title: Label;
}

export interface GridRow {
  /** A figure of the balance or of the bridge, or a check's code. */
  readonly figure: string;
  /** `step`: a part of another row, set in; `sum`: ruled and bold; `total`: ruled twice. A plain line if absent. */
  readonly look?: 'step' | 'sum' | 'total';
  /** One per head; a row that is only a sentence has one. */
  readonly cells: readonly GridCell[];
  /** The colours of its amounts, each for those that pass a test. */
  readonly marks?: readonly Mark[];
}

export interface Mark {
  readonly test: '<0' | '<>0' | '=0';
  readonly look: 'bad' | 'doubtful' | 'good' | 'moved';
}

export type GridCell =
  | null
  | { readonly says: Label }
  /** A code, such as a status, of the column `word`, which `words/` translates. */
  | { readonly word: string; readonly text: string }
  /** As the documents have it; `thing`: the kind of thing that it names. */
  | { readonly text: string; readonly thing?: Thing }
  /** An instant, ISO with its offset. */
  | { readonly at: string }
  /** `name` names the cell in a workbook. */
  | { readonly count: number; readonly live?: LiveCount; readonly name?: string }
  /** Null if it is not known; `unknown` says why. */
  | { readonly amount: ExactDecimal | null; readonly unknown?: Sentence; readonly live?: Live; readonly name?: string }
  | { readonly rows: readonly Where[] }
  /** An amount's share of the largest. */
  | { readonly bar: ExactDecimal; readonly most: ExactDecimal };

export type Thing = 'month' | 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'document';

/** The tables of a statement that figures are sums of. */
export type SummedTable = 'rollForward' | 'ageing' | 'invoices' | 'mismatches' | 'orders' | 'custody' | 'notInvoiced';

/** How a spreadsheet counts by itself. */
export type LiveCount =
  /** Mismatches that meet conditions. Of several lists of conditions, the first that gives the cell's number counts. */
  | { readonly where: readonly (readonly Where[])[] }
  /** The cell before it less the one before that. */
  | { readonly change: true };

/** How a spreadsheet computes an amount by itself. */
export type Live =
  /** The sum of columns over rows of another sheet. */
  | {
      readonly of: SummedTable;
      readonly sum: readonly string[];
      readonly where: readonly Where[];
      readonly isNegated?: true;
      /** Live even if a part of the figure is not in these rows: the formula adds that part as a constant. */
      readonly withRemainder?: true;
    }
  /** Over cells by their names. `amounts`: what those cells hold; if one of them must be text, there is no formula. */
  | { readonly formula: string; readonly amounts: readonly ExactDecimal[] }
  /** The sum of so many rows above. */
  | { readonly above: number }
  /** The cell before it less the one before that. */
  | { readonly change: true };

/** A condition on a column's cells. */
export type Where = {
  readonly column: string;
} /** It holds this code or sentence. `isLabel`: the row's label has the same text, and a formula may refer to it. */ & (
  | { readonly is: string | Sentence; readonly isLabel?: true }
  /** It holds another code; `not: ''`: it is not empty. */
  | { readonly not: string }
  | { readonly begins: Sentence }
);

export const hint = (says: Sentence): Note => ({ kind: 'note', says, isHint: true });
export const note = (says: Sentence): Note => ({ kind: 'note', says, isHint: false });

/** The sentences on the page about one invoice, order, receipt, run or close. */
export type PageSentence =
  | { id: 'invoice-issued' }
  | { id: 'invoice-read'; version: number }
  | { id: 'invoice-gone' }
  | { id: 'replaced'; why: string }
  | { id: 'matched'; match: number; rule: string; rate: string | null }
  | { id: 'difference-agreed'; match: number; kind: string; isSettlement: boolean }
  | { id: 'match-taken-away'; match: number; why: string; isSettlement: boolean }
  | { id: 'never-read'; why: string }
  | { id: 'never-in-order-book' }
  | { id: 'first-seen-delivered' }
  | { id: 'order-moved'; from: readonly string[]; to: readonly string[] }
  | { id: 'order-in-state'; states: readonly string[] }
  | { id: 'state'; state: string }
  | { id: 'field-in'; field: string; currency: string }
  | { id: 'receipt-whose'; whose: string | null; byHand: boolean }
  | { id: 'receipt-several-ways'; tooMany: boolean };
