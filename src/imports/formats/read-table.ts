import { tablesError } from '../../words/errors/tables.ts';
import { SHOPIFY_HEADERS, WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import { chooseMap, isHeaderOf, likelyHeader } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { guessMap } from '../maps/guess-map.ts';
import { placesOf } from './columns.ts';
import { readCsv } from './csv.ts';
import { decodeText } from './encoding.ts';
import { FileFault } from './fault.ts';
import { samplePdf } from './pdf.ts';
import type { PdfPage } from './pdf-text.ts';
import { recognise } from './recognise.ts';
import { findTotalsLabel } from './settlement-totals.ts';
import { type HeaderSearch, type Table, type TableRow, textOf, totalOrRemark } from './table.ts';
import { headerKey } from './text-forms.ts';
import { type OpenedWorkbook, openWorkbook } from './xlsx.ts';
import type { SheetInfo } from './xlsx-sheet.ts';

/** A table with the map by which it is read. */
export interface MappedTable {
  readonly table: Table;
  readonly map: ColumnMap<string>;
}

/** Reads CSV with the user's map, or the built-in one that its headers fit. @throws FileFault */
export function readCsvTable(kind: ImportKind, bytes: Uint8Array, userMap: ColumnMap | null): MappedTable {
  let map: ColumnMap<string> | null = null;
  // The headers, once they are read, decide the map, and the map decides which columns are kept.
  const table = csvTable(kind, bytes, userMap, (headers) => {
    map = chooseMap(kind, headers, userMap);
    return wantedColumns(map, headers);
  });
  return { table, map: map! };
}

function csvTable(
  kind: ImportKind,
  bytes: Uint8Array,
  userMap: ColumnMap | null,
  columnsToKeep: HeaderSearch['columnsToKeep'],
): Table {
  const text = decodeText(bytes, null, userMap?.encoding ?? null);
  const search = { ...headerSearch(kind, userMap), columnsToKeep };
  return readCsv(text, { delimiter: userMap?.delimiter, skipRows: userMap?.skip_rows }, search);
}

function headerSearch(kind: ImportKind, userMap: ColumnMap | null): Omit<HeaderSearch, 'columnsToKeep'> {
  return {
    hasClosingRemarks: kind === 'receipts' || kind === 'settlement',
    isTotalsRow: (cells) => isTotalsRow(cells, userMap),
    isHeader: (cells) => isHeaderOf(kind, cells, userMap),
    likelyRow: (rows) => likelyHeader(kind, rows, userMap),
  };
}

function isTotalsRow(cells: readonly string[], userMap: ColumnMap | null): boolean {
  return userMap?.totals_row !== undefined && findTotalsLabel(cells, userMap.totals_row) !== null;
}

/** Reads the sheet of a workbook that {@link chooseSheet} finds. @throws FileFault */
export function readXlsxTable(kind: ImportKind, bytes: Uint8Array, userMap: ColumnMap | null): MappedTable {
  const book = openWorkbook(bytes);
  const sheet = chooseSheet(kind, book, userMap);
  const header = headerOfSheet(kind, book, sheet, userMap);
  const map = chooseMap(kind, header?.cells ?? [], userMap);
  return { table: book.read(sheet, rowsAbove(header), (headers) => wantedColumns(map, headers)), map };
}

/** How many rows of a sheet are above its header; none in an empty sheet. */
function rowsAbove(header: { readonly line: number } | null): number {
  return header === null ? 0 : header.line - 1;
}

/** A sheet's header: the first row after those that the map skips, or the likeliest row; null for an empty sheet. */
function headerOfSheet(kind: ImportKind, book: OpenedWorkbook, sheet: SheetInfo, userMap: ColumnMap | null) {
  const rows = book.firstRows(sheet, userMap?.skip_rows ?? 0);
  if (userMap?.skip_rows !== undefined || rows.length === 0) return rows[0] ?? null;
  const { isHeader, likelyRow } = headerSearch(kind, userMap);
  return rows.find(({ cells }) => isHeader(cells)) ?? rows[likelyRow(rows.map(({ cells }) => cells))]!;
}

/**
 * The sheet that the map names, the only one, or the only one whose headers fit.
 *
 * @throws FileFault if there is none; if several may be meant, with the map's `sheet` as the setting to propose
 */
function chooseSheet(kind: ImportKind, book: OpenedWorkbook, userMap: ColumnMap | null): SheetInfo {
  const named = namedSheet(book, userMap);
  if (named) return named;
  if (userMap?.sheet !== undefined) {
    throw new FileFault(tablesError({ id: 'no-sheet', sheet: userMap.sheet, sheets: namesOf(book.sheets) }));
  }
  const filled = filledSheets(book, userMap);
  if (filled.length === 1) return filled[0]!;
  const fitting = filled.filter((sheet) => hasFittingHeader(kind, book, sheet, userMap));
  if (fitting.length === 1) return fitting[0]!;
  const [count, fits, sheets] = [filled.length, fitting.length > 0, namesOf(filled)];
  throw new FileFault(tablesError({ id: 'several-sheets', count, fits, sheets }), {}, { sheet: filled[0]!.name });
}

/** The sheet to show to a person, who may choose another one: where several may be meant, the first of them. */
function sheetToShow(kind: ImportKind, book: OpenedWorkbook, userMap: ColumnMap | null): SheetInfo {
  const named = namedSheet(book, userMap);
  if (named) return named;
  const filled = filledSheets(book, userMap);
  return filled.find((sheet) => hasFittingHeader(kind, book, sheet, userMap)) ?? filled[0]!;
}

function namedSheet(book: OpenedWorkbook, userMap: ColumnMap | null): SheetInfo | undefined {
  const name = userMap?.sheet;
  return book.sheets.find((sheet) => name !== undefined && headerKey(sheet.name) === headerKey(name));
}

/** The visible sheets that are not empty. @throws FileFault if there are none */
function filledSheets(book: OpenedWorkbook, userMap: ColumnMap | null): SheetInfo[] {
  const skipRows = userMap?.skip_rows ?? 0;
  const filled = book.sheets.filter((sheet) => !sheet.isHidden && book.firstRows(sheet, skipRows).length > 0);
  if (filled.length === 0) throw noSheet(book, skipRows);
  return filled;
}

function hasFittingHeader(kind: ImportKind, book: OpenedWorkbook, sheet: SheetInfo, userMap: ColumnMap | null) {
  return isHeaderOf(kind, headerOfSheet(kind, book, sheet, userMap)?.cells ?? [], userMap);
}

/** The fault of a workbook whose visible sheets are empty; it proposes a hidden one, which a person may choose. */
function noSheet(book: OpenedWorkbook, skipRows: number): FileFault {
  const hidden = book.sheets.filter((sheet) => sheet.isHidden && book.firstRows(sheet, skipRows).length > 0);
  const [first] = hidden;
  if (!first) return new FileFault(tablesError({ id: 'sheets-empty' }));
  return new FileFault(tablesError({ id: 'sheets-hidden', sheets: namesOf(hidden) }), {}, { sheet: first.name });
}

/**
 * All columns of a bank's file, whose lines are shown whole, and of a settlement, where any column may have the label
 * of the totals; of any other file, which may be a shop's wide export, only those that the map reads.
 */
function wantedColumns(map: ColumnMap<string>, headers: readonly string[]): ReadonlySet<number> {
  if (map.kind === 'receipts' || map.kind === 'settlement') return allColumns(headers);
  const shopHeaders = { shopify: SHOPIFY_HEADERS, woocommerce: WOOCOMMERCE_HEADERS };
  const read = map.shop === undefined ? Object.values(map.columns) : Object.values(shopHeaders[map.shop]).flat();
  return placesOf(headers, read);
}

/** The names of the first ten sheets, for a message. */
function namesOf(sheets: readonly SheetInfo[]): string[] {
  return sheets.slice(0, 10).map(({ name }) => name);
}

/** The beginning of a table, which a person sees before saying what its columns are. */
export interface TableSample {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** For each column, its first values, each once. */
  readonly values: readonly (readonly string[])[];
  /** The map by which the table can be read; null if its headers fit none. */
  readonly map: ColumnMap<string> | null;
  /** The user's map with likely headers in place of those that the table lacks; null if it fits, or none was given. */
  readonly nearest: ColumnMap | null;
  /** A map guessed from the headers, with `...` for a column that was not found. */
  readonly guess: ColumnMap<string>;
}

const SAMPLE_ROWS = 3;
const SAMPLE_VALUES = 3;

/**
 * Reads the headers and first rows of a CSV file, workbook or PDF, with a guess at its columns.
 *
 * @param pages a PDF's
 * @throws FileFault
 */
export function readSample(
  kind: ImportKind,
  bytes: Uint8Array,
  fileName: string,
  userMap: ColumnMap | null,
  pages?: readonly PdfPage[],
): TableSample {
  const table: SampledTable =
    pages === undefined ? tableWithAllColumns(kind, bytes, fileName, userMap) : samplePdf(kind, pages, userMap);
  const { headers, rows } = table;
  const isTotals = (cells: readonly string[]) => totalOrRemark(cells) !== null || isTotalsRow(cells, userMap);
  const valueRows = rows.filter(({ cells }) => !isTotals(cells.map(textOf)));
  return {
    headers,
    rows: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.map(textOf)),
    values: headers.map((_, index) => firstValues(valueRows, index)),
    ...mapOfSample(kind, headers, userMap),
    guess: guessMap(kind, headers, userMap?.name),
  };
}

type SampledTable = Pick<Table, 'headers'> & { readonly rows: readonly Pick<TableRow, 'cells'>[] };

function tableWithAllColumns(kind: ImportKind, bytes: Uint8Array, fileName: string, userMap: ColumnMap | null): Table {
  const format = recognise(bytes, fileName, userMap?.format);
  if (format === 'csv') return csvTable(kind, bytes, userMap, allColumns);
  if (format !== 'xlsx') throw new FileFault(tablesError({ id: 'no-columns-in-format', format }));
  const book = openWorkbook(bytes);
  const sheet = sheetToShow(kind, book, userMap);
  return book.read(sheet, rowsAbove(headerOfSheet(kind, book, sheet, userMap)), allColumns);
}

function mapOfSample(kind: ImportKind, headers: readonly string[], userMap: ColumnMap | null) {
  try {
    return { map: chooseMap(kind, headers, userMap), nearest: null };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { map: null, nearest: userMap === null ? null : error.proposal };
  }
}

function firstValues(rows: readonly Pick<TableRow, 'cells'>[], index: number): string[] {
  const values = new Set<string>();
  for (const { cells } of rows) {
    const text = textOf(cells[index]).trim();
    if (text !== '') values.add(text);
    if (values.size === SAMPLE_VALUES) break;
  }
  return [...values];
}

const allColumns = (headers: readonly string[]): ReadonlySet<number> => new Set(headers.keys());
