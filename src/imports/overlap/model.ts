import type { Units } from '../../money/units.ts';

export interface StatementLine {
  readonly account: string | null;
  /** The bank's own id of the line, where the file has one. */
  readonly bankId: string | null;
  readonly date: string;
  readonly amount: Units;
  readonly currency: string;
  readonly text: string;
  /** What the account held after it, where the file says it. */
  readonly balance?: Units | null;
}

/** A file's lines, all of them and in its order. */
export interface StatementFile {
  /** `csv`, `ofx`, `camt`: files of one format write a line's text the same way, others need not. */
  readonly format: string;
  /** It was taken by remit 1.0, to which a bank's id was a line's identity on any day and of any amount. */
  readonly idsAlone?: boolean;
  readonly lines: readonly StatementLine[];
}

/** An import that is in force, whole, with the row in which each of its lines is held. */
export interface HeldImport<I, R> {
  readonly id: I;
  readonly format: string;
  readonly idsAlone?: boolean;
  readonly lines: readonly (StatementLine & { readonly row: R })[];
}

/** Why a line is held already: the bank's id, the same words, or date, amount and currency alone. */
export type KnownBy = 'id' | 'text' | 'amount';

/** The place of one line of a new file among those that are held. */
export type PlannedLine<R> =
  | { readonly row: null; readonly by: 'new' }
  /** `isRenamed`: a file of the same format holds it under another id of the bank's. */
  | { readonly row: R; readonly by: KnownBy; readonly isRenamed: boolean };
