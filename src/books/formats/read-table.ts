import { quoted } from '../../text.ts';
import { SHOPIFY_HEADERS, WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import { builtInMapFor, chooseMap } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { headerKey } from './characters.ts';
import { readCsv } from './csv.ts';
import { decodeText } from './encoding.ts';
import { FileFault } from './fault.ts';
import type { Table } from './table.ts';
import { openWorkbook, type Workbook } from './xlsx.ts';
import type { SheetInfo } from './xlsx-book.ts';

/** A table with the map by which it is read. */
export interface MappedTable {
  readonly table: Table;
  readonly map: ColumnMap;
}

/** Reads CSV with the map that was named, or the built-in one that its headers fit. @throws FileFault */
export function readCsvTable(kind: ImportKind, bytes: Uint8Array, named: ColumnMap | null): MappedTable {
  const text = decodeText(bytes, null, named?.encoding ?? null);
  let map: ColumnMap | null = null;
  const table = readCsv(text, { delimiter: named?.delimiter, skipRows: named?.skip_rows }, (headers) => {
    map = chooseMap(kind, headers, named);
    return wanted(map, headers);
  });
  return { table, map: map! };
}

/** Reads a workbook's sheet: the one that the map names, the only one, or the only one whose headers fit. @throws FileFault */
export function readXlsxTable(kind: ImportKind, bytes: Uint8Array, named: ColumnMap | null): MappedTable {
  const book = openWorkbook(bytes);
  const skipRows = named?.skip_rows ?? 0;
  const sheet = named?.sheet === undefined ? onlySheet(kind, book, named, skipRows) : sheetNamed(book, named.sheet);
  const map = chooseMap(kind, trimmed(book.headersOf(sheet, skipRows)), named);
  return { table: book.read(sheet, skipRows, (headers) => wanted(map, headers)), map };
}

function sheetNamed(book: Workbook, name: string): SheetInfo {
  const found = book.sheets.find((sheet) => headerKey(sheet.name) === headerKey(name));
  if (found) return found;
  throw new FileFault(`it has no sheet ${quoted(name)}`, `Its sheets are ${listed(book.sheets)}.`);
}

function onlySheet(kind: ImportKind, book: Workbook, named: ColumnMap | null, skipRows: number): SheetInfo {
  const filled = book.sheets.filter((sheet) => !sheet.hidden && book.headersOf(sheet, skipRows).length > 0);
  if (filled.length === 1) return filled[0]!;
  if (filled.length === 0) throw noSheet(book, skipRows);
  const fitting = filled.filter((sheet) => fits(kind, trimmed(book.headersOf(sheet, skipRows)), named));
  if (fitting.length === 1) return fitting[0]!;
  throw new FileFault(
    `it has ${filled.length} sheets, and ${fitting.length === 0 ? 'none has columns that are known' : 'several fit'}: ${listed(filled)}`,
    `Name the sheet in a map: sheet = ${quoted(filled[0]!.name)}.`,
    {},
    { sheet: filled[0]!.name },
  );
}

/** A workbook with nothing to be seen in it; what its hidden sheets hold is for a person to choose. */
export function noSheet(book: Workbook, skipRows: number): FileFault {
  const hidden = book.sheets.filter((sheet) => sheet.hidden && book.headersOf(sheet, skipRows).length > 0);
  const [first] = hidden;
  if (!first) return new FileFault('all of its sheets are empty', 'There is nothing to book: save it again.');
  return new FileFault(
    `its sheets are empty, but for hidden ones: ${listed(hidden)}`,
    `Show the sheet that is meant, or name it in a map: sheet = ${quoted(first.name)}.`,
    {},
    { sheet: first.name },
  );
}

function fits(kind: ImportKind, headers: readonly string[], named: ColumnMap | null): boolean {
  const columns = Object.values(named?.columns ?? {});
  if (columns.length === 0) return builtInMapFor(kind, headers) !== null;
  const keys = new Set(headers.map(headerKey));
  return columns.every((header) => keys.has(headerKey(header)));
}

function trimmed(headers: readonly string[]): readonly string[] {
  return headers.slice(0, headers.findLastIndex((header) => header !== '') + 1);
}

/** A bank's lines are kept whole, to be shown; of a shop's wide export only the columns that are read. */
function wanted(map: ColumnMap, headers: readonly string[]): ReadonlySet<number> {
  if (map.kind === 'receipts') return new Set(headers.keys());
  const names: Record<string, readonly string[]> = {
    shopify: Object.values(SHOPIFY_HEADERS),
    woocommerce: Object.values(WOOCOMMERCE_HEADERS).flat(),
  };
  const keys = new Set((map.shop === undefined ? Object.values(map.columns) : names[map.shop]!).map(headerKey));
  return new Set(headers.flatMap((header, i) => (keys.has(headerKey(header)) ? [i] : [])));
}

function listed(sheets: readonly SheetInfo[]): string {
  return sheets
    .slice(0, 10)
    .map(({ name }) => quoted(name))
    .join(', ');
}
