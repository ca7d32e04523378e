/** A workbook as plain data: what is in which cell and how it looks. Nothing here knows the file format. */

import type { CellDigest } from '../../base/workbook-mark.ts';
import type { Language } from '../../words/index.ts';

/** The style of a cell. Share one object among cells that look alike: exceljs looks at each object once. */
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
  /** A rule above (of a total: single) or below (double for a final one, hair between rows). */
  readonly rule?: 'above' | 'below' | 'total' | 'hair';
}

/** A live formula with its result, so that a program that does not calculate shows the figure too. */
interface Formula {
  readonly formula: string;
  readonly result: number | string;
}

/** Text stays text whatever it looks like. A Date is shown as its UTC time. */
export type TableValue = string | number | Date | null;
export type CellValue = TableValue | Formula;

export interface SheetCell {
  readonly value: CellValue;
  readonly style?: Style;
  /** How many columns the cell covers. */
  readonly span?: number;
  /** A name for the whole workbook, such as `USD_NET_DUE`. */
  readonly name?: string;
  /** People type here, so the value is not part of the workbook's digest. */
  readonly typed?: boolean;
}

/** A row of cells, or of a table's values. */
export type Line = CellLine | TableLine;

export interface CellLine {
  readonly cells: readonly (SheetCell | null)[];
  /** In points; the program's own where absent. */
  readonly height?: number;
  /** Begin a new printed page after this line. */
  readonly pageBreak?: boolean;
  /** Print it again at the top of every page that follows. */
  readonly repeated?: boolean;
}

/** One of very many rows that are alike. Its cells are read once, from the first to the last, so that none needs to be kept. */
export interface TableLine {
  readonly columns: number;
  /** A cell by its column, from 0; valid until the next one is read. */
  readonly read: (column: number) => Readonly<TableCell>;
  /** In points; the program's own where absent. */
  readonly height?: number | undefined;
}

export interface TableCell {
  value: TableValue;
  style: Style;
  /** See {@link SheetCell}. */
  typed: boolean;
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
  /** All, or a page at a time where they may be far more than fit in memory: read once, in order. */
  readonly lines: Iterable<Line> | AsyncIterable<Iterable<Line>>;
  /** Called after the last line. */
  readonly tail?: () => SheetTail;
  readonly frozenRows?: number;
  readonly frozenColumns?: number;
  /** How many rows at the top every printed page repeats. */
  readonly repeatedRows?: number;
  /** How many of its columns are printed; all where absent. */
  readonly printedColumns?: number;
  readonly gridLines?: boolean;
  /** `portrait` where the sheet is a page to read; landscape otherwise. */
  readonly orientation?: 'portrait' | 'landscape';
}

/** Text at the head and the foot of printed pages. */
export interface PrintText {
  /** Whose it is, and of when. */
  readonly about: string;
  readonly status: string;
  /** Where it comes from. */
  readonly origin: string;
}

export interface Workbook {
  /** The language of its print set-up and lists, which also sets the direction of its columns; English where absent. */
  readonly language?: Language;
  readonly title: string;
  readonly subject: string;
  /** The date in the file's properties; not the wall clock, so that the same ledger gives the same bytes. */
  readonly date: Date;
  /** Functions are called after all other sheets are written, since they summarise them. */
  readonly sheets: readonly (Sheet | (() => Sheet))[];
  /** What every printed page has at its head and foot beside the sheet's name and the page's number. */
  readonly print?: PrintText;
  /** Receives every fixed value, cell by cell, as it is written. */
  readonly digest?: CellDigest;
}
