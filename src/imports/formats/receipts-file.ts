import type { ColumnMap, Format } from '../maps/column-map.ts';

/** A booked line of a statement, or of a cash book. */
export interface ReceiptLine {
  /** Its place in the file: the line, or the sheet's row, counted from 1. */
  readonly line: number;
  /** The day it was booked, ISO, as written: no time zone moves it. */
  readonly date: string;
  /** The day from which it bears interest; null if the bank does not state it. */
  readonly valueDate: string | null;
  /** Exact and signed, a decimal text: money that came in is positive. */
  readonly amount: string;
  readonly currency: string;
  readonly text: string;
  /** Who paid, or was paid. */
  readonly counterparty: string | null;
  readonly counterpartyAccount: string | null;
  readonly account: string | null;
  /** The bank's id of the line, which need not be unique; null if the format has none that identifies a line. */
  readonly id: string | null;
  /** Other references: the customer's, a cheque's number, the invoice of a cash book. */
  readonly reference: string | null;
  /** The account's balance after the line, if a table has it. */
  readonly balance?: string | null;
  /** The line as the file has it, as far as one can be shown. */
  readonly raw: string;
}

/** One statement of one account in one currency. Amounts are decimal texts; null is what the file does not state. */
export interface StatementOfAccount {
  readonly account: string | null;
  readonly currency: string;
  /** The first and the last day, both included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  /** The opening plus the lines is the closing; null if the file does not state both. */
  readonly balanced: boolean | null;
  readonly lines: readonly ReceiptLine[];
}

/** A line that was passed over, as not booked or no receipt, and why. */
export interface SkippedLine {
  readonly line: number;
  readonly why: string;
}

/** A format of bank statements: how its files are recognised and read. */
export interface StatementFormat {
  /** Its name in messages. */
  readonly title: string;
  readonly names: readonly Format[];
  /** The endings of its files' names, in lower case: `.sta`. */
  readonly endings: readonly string[];
  /**
   * The format's name, or null for a file of another format.
   *
   * @param head the beginning of the file, without blanks before it
   * @throws FileFault for a kindred format that is not read
   */
  readonly recognise: (head: string) => Format | null;
  /** @throws FileFault */
  readonly read: (text: string, map: Partial<ColumnMap>) => ReceiptsFile;
}

/** What is kept of every file that is read by a map. */
export interface MappedFile {
  readonly format: Format;
  readonly map: string;
  readonly skipped: readonly SkippedLine[];
  /** Sentences for a person about how the file was read. */
  readonly notes: readonly string[];
}

export interface ReceiptsFile extends Omit<MappedFile, 'map'> {
  readonly statements: readonly StatementOfAccount[];
}
