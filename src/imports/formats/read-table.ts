import { because } from '../../words/errors/tables.ts';
import { SHOPIFY_HEADERS, WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import { chooseMap } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { isHeaderOf, likelyHeader } from '../maps/find-header.ts';
import { guessMap } from '../maps/guess-map.ts';
import { headerKey } from './characters.ts';
import { readCsv } from './csv.ts';
import { decodeText } from './encoding.ts';
import { FileFault } from './fault.ts';
import { samplePdf } from './pdf.ts';
import type { PdfPage } from './pdf-text.ts';
import { recognise } from './recognise.ts';
import { totalsLabel } from './settlement-totals.ts';
import { type HeaderSearch, type Table, type TableRow, textOf } from './table.ts';
import { type FirstRow, openWorkbook, type Workbook } from './xlsx.ts';
import type { SheetInfo } from './xlsx-sheet.ts';

export interface MappedTable {
  readonly table: Table;
  readonly map: ColumnMap<string>;
}

/** Reads CSV with the map that was named, or the built-in one that its headers fit. @throws FileFault */
export function readCsvTable(kind: ImportKind, bytes: Uint8Array, named: ColumnMap | null): MappedTable {
  const text = decodeText(bytes, null, named?.encoding ?? null);
  let map: ColumnMap<string> | null = null;
  const table = readCsv(
    text,
    { delimiter: named?.delimiter, skipRows: named?.skip_rows },
    {
      ...headerSearch(kind, named),
      choose: (headers) => {
        map = chooseMap(kind, headers, named);
        return wantedColumns(map, headers);
      },
    },
  );
  return { table, map: map! };
}

function headerSearch(kind: ImportKind, named: ColumnMap | null): Omit<HeaderSearch, 'choose'> {
  return {
    closes: kind === 'receipts' || kind === 'settlement',
    keeps: (cells) => named?.totals_row !== undefined && totalsLabel(cells, named.totals_row) !== undefined,
    isHeader: (cells) => isHeaderOf(kind, cells, named),
    likely: (rows) => likelyHeader(kind, rows, named),
  };
}

/** Reads a workbook's sheet: the one that the map names, the only one, or the only one whose headers fit. @throws FileFault */
export function readXlsxTable(kind: ImportKind, bytes: Uint8Array, named: ColumnMap | null): MappedTable {
  const book = openWorkbook(bytes);
  const sheet = named?.sheet === undefined ? onlySheet(kind, book, named) : sheetNamed(book, named.sheet);
  const header = headerOfSheet(kind, book, sheet, named);
  const map = chooseMap(kind, header?.cells ?? [], named);
  return { table: book.read(sheet, (header?.line ?? 1) - 1, (headers) => wantedColumns(map, headers)), map };
}

/** A sheet's header: the first row after those that the map skips, else the one that is found; null where the sheet is empty. */
function headerOfSheet(kind: ImportKind, book: Workbook, sheet: SheetInfo, named: ColumnMap | null): FirstRow | null {
  const rows = book.firstRows(sheet, named?.skip_rows ?? 0);
  if (named?.skip_rows !== undefined || rows.length === 0) return rows[0] ?? null;
  const { isHeader, likely } = headerSearch(kind, named);
  return rows.find(({ cells }) => isHeader(cells)) ?? rows[likely(rows.map(({ cells }) => cells))]!;
}

function sheetNamed(book: Workbook, name: string): SheetInfo {
  const found = book.sheets.find((sheet) => headerKey(sheet.name) === headerKey(name));
  if (found) return found;
  throw new FileFault(because({ id: 'no-sheet', sheet: name, sheets: names(book.sheets) }));
}

function onlySheet(kind: ImportKind, book: Workbook, named: ColumnMap | null): SheetInfo {
  const skipRows = named?.skip_rows ?? 0;
  const filled = book.sheets.filter((sheet) => !sheet.hidden && book.firstRows(sheet, skipRows).length > 0);
  if (filled.length === 1) return filled[0]!;
  if (filled.length === 0) throw noSheet(book, skipRows);
  const fitting = filled.filter((sheet) =>
    isHeaderOf(kind, headerOfSheet(kind, book, sheet, named)?.cells ?? [], named),
  );
  if (fitting.length === 1) return fitting[0]!;
  throw new FileFault(
    because({ id: 'several-sheets', count: filled.length, fits: fitting.length > 0, sheets: names(filled) }),
    {},
    { sheet: filled[0]!.name },
  );
}

/** A workbook with nothing to be seen in it; what its hidden sheets hold is for a person to choose. */
function noSheet(book: Workbook, skipRows: number): FileFault {
  const hidden = book.sheets.filter((sheet) => sheet.hidden && book.firstRows(sheet, skipRows).length > 0);
  const [first] = hidden;
  if (!first) return new FileFault(because({ id: 'sheets-empty' }));
  return new FileFault(because({ id: 'sheets-hidden', sheets: names(hidden) }), {}, { sheet: first.name });
}

/**
 * All columns of a bank's lines, which are shown whole, and of a settlement, whose totals may say so in any; of a shop's wide export only
 * those that are read.
 */
function wantedColumns(map: ColumnMap<string>, headers: readonly string[]): ReadonlySet<number> {
  if (map.kind === 'receipts' || map.kind === 'settlement') return new Set(headers.keys());
  const shopHeaders = {
    shopify: Object.values(SHOPIFY_HEADERS),
    woocommerce: Object.values(WOOCOMMERCE_HEADERS).flat(),
  };
  const read = map.shop === undefined ? Object.values(map.columns) : shopHeaders[map.shop];
  const keys = new Set(read.map(headerKey));
  return new Set(headers.flatMap((header, index) => (keys.has(headerKey(header)) ? [index] : [])));
}

function names(sheets: readonly SheetInfo[]): string[] {
  return sheets.slice(0, 10).map(({ name }) => name);
}

/** What is shown of a table before a person says what its columns are. */
export interface TableSample {
  readonly headers: readonly string[];
  /** Its first rows, as texts. */
  readonly rows: readonly (readonly string[])[];
  /** By column, the first values that differ. */
  readonly values: readonly (readonly string[])[];
  /** The map by which the table is read; null where its headers fit none. */
  readonly map: ColumnMap<string> | null;
  /** Of a map that was named and lacks columns: the same with the headers that may be theirs; null where none was, or it fits. */
  readonly nearest: ColumnMap | null;
  /** A map by what the headers seem to say; what they do not say is `...`. */
  readonly guess: ColumnMap<string>;
}

const SAMPLE_ROWS = 3;
const SAMPLE_VALUES = 3;

/** The headers and first rows of a CSV file or workbook, with a guess of what its columns are. @throws FileFault */
export function readSample(
  kind: ImportKind,
  bytes: Uint8Array,
  fileName: string,
  named: ColumnMap | null,
): TableSample {
  const format = recognise(bytes, named?.format === 'csv' ? 'named.csv' : fileName);
  if (format !== 'csv' && format !== 'xlsx') throw new FileFault(because({ id: 'no-columns-in-format', format }));
  return sampleOf(kind, format === 'csv' ? csvTable(kind, bytes, named) : sheetTable(kind, bytes, named), named);
}

/** {@link readSample} of a PDF. @throws FileFault */
export function readPdfSample(kind: ImportKind, pages: readonly PdfPage[], named: ColumnMap | null): TableSample {
  return sampleOf(kind, samplePdf(kind, pages, named), named);
}

function sampleOf(
  kind: ImportKind,
  { headers, rows }: { readonly headers: readonly string[]; readonly rows: readonly Pick<TableRow, 'cells'>[] },
  named: ColumnMap | null,
): TableSample {
  return {
    headers,
    rows: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.map(textOf)),
    values: headers.map((_, place) => firstValues(rows, place)),
    ...mapOfSample(kind, headers, named),
    guess: guessMap(kind, headers, named?.name),
  };
}

function mapOfSample(
  kind: ImportKind,
  headers: readonly string[],
  named: ColumnMap | null,
): Pick<TableSample, 'map' | 'nearest'> {
  try {
    return { map: chooseMap(kind, headers, named), nearest: null };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { map: null, nearest: named === null ? null : error.proposal };
  }
}

function firstValues(rows: readonly Pick<TableRow, 'cells'>[], place: number): string[] {
  const values = new Set<string>();
  for (const { cells } of rows) {
    const text = textOf(cells[place]).trim();
    if (text !== '') values.add(text);
    if (values.size === SAMPLE_VALUES) break;
  }
  return [...values];
}

const everyColumn = (headers: readonly string[]): ReadonlySet<number> => new Set(headers.keys());

function csvTable(kind: ImportKind, bytes: Uint8Array, named: ColumnMap | null): Table {
  const text = decodeText(bytes, null, named?.encoding ?? null);
  const search = { ...headerSearch(kind, named), choose: everyColumn };
  return readCsv(text, { delimiter: named?.delimiter, skipRows: named?.skip_rows }, search);
}

function sheetTable(kind: ImportKind, bytes: Uint8Array, named: ColumnMap | null): Table {
  const book = openWorkbook(bytes);
  const skipRows = named?.skip_rows ?? 0;
  const shown = book.sheets.filter((sheet) => !sheet.hidden && book.firstRows(sheet, skipRows).length > 0);
  const fits = (sheet: SheetInfo) => isHeaderOf(kind, headerOfSheet(kind, book, sheet, named)?.cells ?? [], named);
  const sheet = shown.find(({ name }) => name === named?.sheet) ?? shown.find(fits) ?? shown[0];
  if (sheet === undefined) throw noSheet(book, skipRows);
  return book.read(sheet, headerOfSheet(kind, book, sheet, named)!.line - 1, everyColumn);
}
