/** A workbook as plain data: its sheets, cells and their styles. Nothing here knows the file format. */

import type { CellDigest } from '../../base/workbook-mark.ts';
import type { Language } from '../../words/index.ts';

/** The style of a cell. Share one object among cells that look alike: exceljs converts each object once. */
export interface Style {
  /** A number format, such as `#,##0.00` or `@` for text. */
  readonly format?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** Struck through. */
  readonly strike?: boolean;
  readonly size?: number;
  /** Text colour as six hex digits. */
  readonly colour?: string;
  /** Background colour as six hex digits. */
  readonly fill?: string;
  readonly align?: 'left' | 'center' | 'right';
  readonly vertical?: 'top' | 'middle' | 'bottom';
  readonly wrap?: boolean;
  readonly indent?: number;
  /** A line above or below the cell, a total's two (single above, double below), or a hair line between rows. */
  readonly rule?: 'above' | 'below' | 'total' | 'hair';
}

/** Text stays text whatever it looks like. A Date is shown as its UTC time. */
export type TableValue = string | number | Date | null;
/** A live formula has its result, so that a program that does not calculate shows the figure too. */
export type CellValue = TableValue | { readonly formula: string; readonly result: number | string };

export interface SheetCell {
  readonly value: CellValue;
  readonly style?: Style;
  readonly span?: number;
  /** A name for the whole workbook, such as `USD_NET_DUE`. */
  readonly name?: string;
  /** Whether people type here: the workbook's digest then leaves the value out. */
  readonly isForTyping?: boolean;
}

export type Line = CellLine | TableLine;

export interface CellLine {
  readonly cells: readonly (SheetCell | null)[];
  /** In points; if absent, the spreadsheet program chooses. */
  readonly height?: number;
  readonly pageBreak?: boolean;
  /** Whether it is printed again at the top of every page that follows. */
  readonly isRepeated?: boolean;
}

/** One of very many rows of a table. Its cells are read once, from the first to the last, so that none is kept. */
export interface TableLine {
  readonly columns: number;
  /** A cell by its column, from 0; valid until the next one is read. */
  readonly read: (column: number) => Readonly<TableCell>;
  /** In points; if absent, the spreadsheet program chooses. */
  readonly height?: number | undefined;
}

export interface TableCell {
  value: TableValue;
  style: Style;
  /** See {@link SheetCell}. */
  isForTyping: boolean;
}

/** Set after the last line of a sheet. Ranges are written as `A2:C90`. */
export interface SheetTail {
  readonly autoFilter?: string;
  /** Cells that may hold only one of the listed words. */
  readonly lists?: readonly { readonly range: string; readonly words: readonly string[] }[];
  /** Looks that depend on a formula, written for the range's first cell. */
  readonly conditions?: readonly { readonly range: string; readonly formula: string; readonly style: Style }[];
}

export interface Sheet {
  readonly name: string;
  readonly tabColour?: string;
  /** One width a column, in characters. */
  readonly widths: readonly number[];
  /** All lines, or a page of them at a time if they may not fit in memory. Read once, in order. */
  readonly lines: Iterable<Line> | AsyncIterable<Iterable<Line>>;
  readonly tail?: () => SheetTail;
  readonly frozenRows?: number;
  readonly frozenColumns?: number;
  /** How many rows at the top every printed page repeats. */
  readonly repeatedRows?: number;
  /** How many of its columns are printed; all if absent. */
  readonly printedColumns?: number;
  readonly gridLines?: boolean;
}

export interface PrintText {
  /** Whose statement it is, and of which month. */
  readonly about: string;
  /** The word for draft or closed. */
  readonly status: string;
  /** The state of the ledger that it was made from. */
  readonly origin: string;
}

export interface Workbook {
  /** The language of its print set-up and lists, which also sets the direction of its columns; English if absent. */
  readonly language?: Language;
  readonly title: string;
  readonly subject: string;
  /** The date in the file's properties; not the wall clock, so that the same ledger gives the same bytes. */
  readonly date: Date;
  /** A function is called after all other sheets are written, because its sheet summarises them. */
  readonly sheets: readonly (Sheet | (() => Sheet))[];
  /** What every printed page has at its head and foot, besides the sheet's name and the page's number. */
  readonly print?: PrintText;
  /** Receives every fixed value, cell by cell, as it is written. It shows later whether people changed any. */
  readonly digest?: CellDigest;
}
