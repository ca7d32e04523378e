import { ImportFileError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { pdfError } from '../../words/errors/pdf.ts';
import { readingError } from '../../words/errors/reading.ts';
import { recordsError } from '../../words/errors/records.ts';
import type { ColumnMap, Format, ImportKind } from '../maps/column-map.ts';
import { guessMap } from '../maps/guess-map.ts';
import { mapText } from '../maps/map-text.ts';
import { decodeText } from './encoding.ts';
import { FileFault } from './fault.ts';
import { type OrdersFile, readOrdersTable, readShopify, readWooCommerce } from './orders.ts';
import { readPdf, readPdfAgain } from './pdf.ts';
import type { PdfPage } from './pdf-text.ts';
import { type RatesFile, readRates, readTariff, type TariffFile } from './prices.ts';
import { type MappedTable, readCsvTable, readSample, readXlsxTable, type TableSample } from './read-table.ts';
import type { ReceiptsFile } from './receipts-file.ts';
import { readReceiptsTable } from './receipts-table.ts';
import { recognise, STATEMENT_FORMATS } from './recognise.ts';
import { readSettlement } from './settlement.ts';
import type { SettlementFile } from './settlement-file.ts';
import type { Table } from './table.ts';

/**
 * Reads a PDF's pages, with an error that names the file.
 *
 * @param read `readPdfPages`, which the reading process alone loads
 * @throws ImportFileError
 */
export async function readPages(
  kind: ImportKind,
  bytes: Uint8Array,
  fileName: string,
  read: (bytes: Uint8Array) => Promise<PdfPage[]>,
): Promise<PdfPage[]> {
  try {
    return await read(bytes);
  } catch (error) {
    throw importError(error, { fileName, kind, format: 'pdf', userMap: null, usedMap: null });
  }
}

/** Reads a table's first rows, to choose a map by, with an error that names the file. @throws ImportFileError */
export function sampleBytes(
  kind: ImportKind,
  bytes: Uint8Array,
  fileName: string,
  { map = null, pages }: ReadOptions = {},
): TableSample {
  try {
    return readSample(kind, bytes, fileName, map, pages);
  } catch (error) {
    throw importError(error, { fileName, kind, format: null, userMap: map, usedMap: null });
  }
}

/** The content of a file of each kind. */
export interface FileOf {
  readonly orders: OrdersFile;
  /** `table`: the table that was read from a PDF. */
  readonly receipts: ReceiptsFile & { readonly map: string | null; readonly table?: Table };
  readonly settlement: SettlementFile;
  readonly tariff: TariffFile;
  readonly rates: RatesFile;
}

export interface ReadOptions {
  /** `[maps.NAME]`, checked; null or absent to choose a map by the file's headers. */
  readonly map?: ColumnMap | null;
  /** A PDF's pages, which the reading process takes from the bytes. */
  readonly pages?: readonly PdfPage[];
  /** The table that an earlier reading took from a PDF: it needs no pages then. */
  readonly table?: Table | undefined;
}

/**
 * Reads a file of a bank, a shop or a courier, whole or not at all. It runs in this process and without limits, for
 * bytes that were read before; {@link readSafely} is for new ones.
 *
 * @param fileName for messages, and to recognise files whose content does not say what they are
 * @throws ImportFileError naming file, line, column and remedy
 */
export function readBytes<K extends ImportKind>(
  kind: K,
  bytes: Uint8Array,
  fileName: string,
  options: ReadOptions = {},
): FileOf[K] {
  const userMap = options.map ?? null;
  let format: Format | null = null;
  let usedMap: ColumnMap | null = null;
  try {
    if (userMap !== null && userMap.kind !== kind) {
      throw new FileFault(recordsError({ id: 'map-for-other-kind', map: userMap.name, mapKind: userMap.kind, kind }));
    }
    format = formatOf(bytes, fileName, userMap);
    if (format === 'pdf') return readPdfFile(kind, options, userMap) as FileOf[K];
    if (format !== 'csv' && format !== 'xlsx') return readBankStatement(kind, format, bytes, userMap) as FileOf[K];
    const mapped = format === 'csv' ? readCsvTable(kind, bytes, userMap) : readXlsxTable(kind, bytes, userMap);
    usedMap = mapped.map;
    return readMapped(kind, mapped, format) as FileOf[K];
  } catch (error) {
    throw importError(error, { fileName, kind, format, userMap, usedMap });
  }
}

function readPdfFile(kind: ImportKind, { pages, table }: ReadOptions, userMap: ColumnMap | null) {
  if (table !== undefined) return readPdfAgain(kind, table, userMap);
  // With neither the pages of a new file nor the table of a kept one, there is nothing to read.
  if (pages === undefined) throw new FileFault(pdfError({ id: 'pdf-damaged' }));
  return readPdf(kind, pages, userMap);
}

function formatOf(bytes: Uint8Array, fileName: string, userMap: ColumnMap | null): Format {
  const format = recognise(bytes, fileName, userMap?.format);
  if (userMap?.format === undefined || userMap.format === format) return format;
  const { name: map, format: mapFormat } = userMap;
  throw new FileFault(recordsError({ id: 'map-for-other-format', format, map, mapFormat }));
}

function readBankStatement(kind: ImportKind, format: Format, bytes: Uint8Array, userMap: ColumnMap | null) {
  if (kind !== 'receipts') throw new FileFault(recordsError({ id: 'format-without-kind', format, kind }));
  const text = decodeText(bytes, declaredEncoding(bytes), userMap?.encoding ?? null);
  const map = userMap?.name ?? null;
  const { read } = STATEMENT_FORMATS.find(({ names }) => names.includes(format))!;
  return { ...read(text, userMap ?? {}), map };
}

/** The encoding that an XML prolog or an OFX header declares. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 2_000)).toString('latin1');
  const xml = /<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1];
  if (xml !== undefined) return xml;
  const charset = /\bCHARSET:\s*([\w-]+)/i.exec(head)?.[1];
  return charset === undefined || /^none$/i.test(charset) ? null : charset;
}

function readMapped(kind: ImportKind, { table, map }: MappedTable, format: Format): FileOf[ImportKind] {
  if (kind === 'receipts') return { ...readReceiptsTable(table, map, format), map: map.name };
  if (kind === 'settlement') return readSettlement(table, map, format);
  if (kind === 'tariff') return readTariff(table, map, format);
  if (kind === 'rates') return readRates(table, map, format);
  if (table.rows.length === 0) throw new FileFault(recordsError({ id: 'no-orders' }));
  if (map.shop === 'shopify') return readShopify(table, map, format);
  return map.shop === 'woocommerce' ? readWooCommerce(table, map, format) : readOrdersTable(table, map, format);
}

/** What was known of a file when a fault was found in it. */
interface KnownOfFile {
  readonly fileName: string;
  readonly kind: ImportKind;
  /** Null before it is recognised, and in a sample, whose map names no format. */
  readonly format: Format | null;
  /** The map that the user gave; null if none was given. */
  readonly userMap: ColumnMap | null;
  /** The map that was chosen by the table's headers; null before. */
  readonly usedMap: ColumnMap | null;
}

/** A fault as an error that names the file, with the map that would mend it; any other error as it is. */
function importError(fault: unknown, known: KnownOfFile): unknown {
  if (!(fault instanceof FileFault)) return fault;
  const file = cleanText(known.fileName, 200);
  const map = proposedMap(fault, known);
  const { line, column, explanation } = fault;
  const columnInMessage = column === null ? null : cleanText(column, 40);
  const why = readingError({ id: 'at-place', file, line, column: columnInMessage, fault: explanation, map });
  return new ImportFileError(why, { file, line, column, map, cause: fault });
}

/**
 * The map, as text for `remit.toml`, with which the file could be read; null if no setting would mend the fault. It
 * never has `shop`, which is of built-in maps alone.
 */
function proposedMap(fault: FileFault, { kind, format, userMap, usedMap }: KnownOfFile): string | null {
  if (fault.settings === null) return null;
  const { shop: _shop, ...base } = fault.proposal ?? mapInUse(userMap, usedMap) ?? newMap(kind);
  // A table's map reads CSV, workbooks and PDFs alike: it names no format.
  const ofFormat = format === 'csv' || format === 'xlsx' || format === 'pdf' || format === null ? {} : { format };
  return mapText({ ...base, ...ofFormat, name: userMap?.name ?? 'mine', ...fault.settings } as ColumnMap);
}

/**
 * The map with which a proposal begins: the user's if it has columns, because it names every header that may occur. Any
 * other map that was used names the headers of this file alone. Null if there is no map yet.
 */
function mapInUse(userMap: ColumnMap | null, usedMap: ColumnMap | null): ColumnMap | null {
  const hasColumns = userMap !== null && Object.keys(userMap.columns).length > 0;
  return hasColumns ? userMap : (usedMap ?? userMap);
}

/** A map without columns, with the other settings that each map of the kind needs, like a currency. */
function newMap(kind: ImportKind): ColumnMap {
  return { ...guessMap(kind, []), columns: {} };
}
