import type { Sentence } from '../src/base/sentence.ts';
import type { ExactDecimal } from '../src/money/decimal.ts';

/** A text as it is, such as a currency; or a sentence of remit; or the name of a column, which `words/` translates. */
export type Label = string | Sentence | { readonly column: string };

/** What a person reads from top to bottom is data too: sections, each under its heading. How it looks is the business of `src/render`. */
export interface Section {
  readonly title: Label;
  readonly parts: readonly Part[];
  /** It says where what is shown comes from, and nothing about the money. */
  readonly isProof?: true;
  /** It explains, and is folded away under its title where a medium can. */
  readonly isFolded?: true;
}

export type Part = Grid | Facts | Note;

/** A sentence under figures, or in their place. */
export interface Note {
  readonly kind: 'note';
  readonly says: Sentence;
  /** It explains, and is smaller. */
  readonly isHint: boolean;
}

/** Names and what they mean, a line each. */
export interface Facts {
  readonly kind: 'facts';
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly name: string;
  /** Null under another fact of the same kind. */
  readonly label: Label | null;
  readonly value: GridCell;
}

/** Figures in rows and columns. */
export interface Grid {
  readonly kind: 'grid';
  readonly heads: readonly Head[];
  readonly rows: readonly GridRow[];
}

/** A column: `rows` leads to the rows of another table, and `bar` draws the first amount of each row, where a medium has that at hand. */
export interface Head {
  readonly is: 'label' | 'text' | 'code' | 'count' | 'amount' | 'rows' | 'bar';
  readonly title: Label;
}

export interface GridRow {
  /** A figure of the balance or of the bridge, or a check's code. */
  readonly figure: string;
  readonly look?: 'step' | 'sum' | 'total';
  /** One for each head; a row that only says something has one. */
  readonly cells: readonly GridCell[];
  /** What its amounts are coloured by. */
  readonly marks?: readonly Mark[];
}

export interface Mark {
  readonly test: '<0' | '<>0' | '=0';
  readonly look: 'bad' | 'doubtful' | 'good' | 'moved';
}

export type GridCell =
  | null
  | { readonly says: Label }
  /** A word of a column's, by its code. */
  | { readonly word: string; readonly text: string }
  /** As the documents have it; `thing` is what it names. */
  | { readonly text: string; readonly thing?: Thing }
  /** An instant, ISO with its offset. */
  | { readonly at: string }
  /** `name` names the cell in a workbook. */
  | { readonly count: number; readonly live?: LiveCount; readonly name?: string }
  /** Null where it is not known. */
  | { readonly amount: ExactDecimal | null; readonly unknown?: Sentence; readonly live?: Live; readonly name?: string }
  | { readonly rows: readonly Where[] }
  /** An amount's share of the largest. */
  | { readonly bar: ExactDecimal; readonly most: ExactDecimal };

export type Thing = 'month' | 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'document';

/** The tables of a statement that figures are sums of. */
export type SummedTable = 'rollForward' | 'ageing' | 'invoices' | 'mismatches' | 'orders' | 'custody' | 'notInvoiced';

/** How a spreadsheet counts by itself: rows of the mismatches, by the first conditions that give the count. */
export type LiveCount = { readonly where: readonly (readonly Where[])[] } | { readonly change: true };

/** How a spreadsheet comes to an amount by itself. */
export type Live =
  /** The sum of columns over rows of another sheet. */
  | {
      readonly of: SummedTable;
      readonly sum: readonly string[];
      readonly where: readonly Where[];
      readonly isNegated?: true;
      /** Live even where the figure has a part that is not in these rows. */
      readonly withRemainder?: true;
    }
  /** Over cells by their names, and the amounts in them. */
  | { readonly formula: string; readonly from: readonly ExactDecimal[] }
  /** The sum of so many rows above. */
  | { readonly above: number }
  /** The cell before it less the one before that. */
  | { readonly change: true };

/** A condition on a column: words of remit's by their code, or as they are said. `isLabel`: the same text stands in the row's label. */
export type Where = { readonly column: string } & (
  | { readonly is: string | Sentence; readonly isLabel?: true }
  | { readonly not: string }
  | { readonly begins: Sentence }
);

export const hint = (says: Sentence): Note => ({ kind: 'note', says, isHint: true });
export const text = (says: Sentence): Note => ({ kind: 'note', says, isHint: false });

/** What happened to one thing, and where it comes from: on the pages about an invoice, order, receipt, run or close. */
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
