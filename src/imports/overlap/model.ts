import type { Units } from '../../money/index.ts';

/** A booked line of a statement file. */
export interface StatementLine {
  readonly account: string | null;
  /** The bank's own id of the line, where the file has one. */
  readonly bankId: string | null;
  readonly date: string;
  readonly amount: Units;
  readonly currency: string;
  readonly text: string;
}

/** A file's lines, all of them and in its order. */
export interface StatementFile {
  /** `csv`, `ofx`, `camt`: files of one format write a line's text the same way, others need not. */
  readonly format: string;
  readonly lines: readonly StatementLine[];
}

/** An import that is in force, whole, with the row in which each of its lines is held. */
export interface HeldImport<I, R> {
  readonly id: I;
  readonly format: string;
  readonly lines: readonly (StatementLine & { readonly row: R })[];
}

/** By what a line was found to be held already: the bank's id, the same words, or date, amount and currency alone. */
export type KnownBy = 'id' | 'text' | 'amount';

/** What becomes of one line of a new file. */
export type PlannedLine<R> =
  | { readonly row: null; readonly by: 'new' }
  /** `differs`: the bank's id is that of a line with another date, amount or currency; the row stays as it was. */
  | { readonly row: R; readonly by: KnownBy; readonly differs: boolean };
