/**
 * Finds the kind of a file, and the map that says what its columns are: the named one, the courier's, or the saved one
 * that fits.
 */
import path from 'node:path';
import { nearestWords } from '../../base/edit-distance.ts';
import { ConfigError, type Explanation, ImportFileError, UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import type { Config } from '../../config/index.ts';
import { type FileSource, readSafely, readSource, sampleSafely } from '../../imports/formats/read-safely.ts';
import { headerKey } from '../../imports/formats/text-forms.ts';
import type { ColumnMap } from '../../imports/maps/column-map.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import { importingError } from '../../words/errors/importing.ts';
import type { Books } from '../books.ts';
import { sheetSettings } from './settlement-sheet.ts';

/** The kind of the files, and the name of the map by which a person wants them read; null if none is named. */
export interface MapRequest {
  readonly kind: ImportedKind;
  readonly map: string | null;
}

export interface ExplainedFile {
  readonly file: string;
  readonly kind: ImportedKind;
  /** The map's name. */
  readonly map: string | null;
  /** The columns that are read, by field, each with its first distinct values. */
  readonly columns: readonly {
    readonly field: string;
    readonly header: string;
    readonly values: readonly string[];
  }[];
  /** The columns that are not read. */
  readonly unused: readonly { readonly header: string; readonly values: readonly string[] }[];
}

/**
 * Explains which column of a file becomes which field. Nothing is written.
 *
 * @throws ImportFileError where the file is no table, or its headers are not those of the map; UsageError for an
 * unknown map
 */
export async function explainFiles(books: Books, { files, ...request }: MapRequest & { files: readonly FileSource[] }) {
  const { kind } = request;
  const namedMap = await mapOf(books, request);
  const explained: ExplainedFile[] = [];
  for (const given of files) {
    const source = await readSource(given);
    const { headers, values, map } = await sampleByMaps(books, request, source, namedMap);
    // Its headers fit no map: reading the file throws, and says what it lacks.
    if (map === null) await readSafely(kind, source, { map: namedMap, signal: books.signal });
    const places = new Map(headers.map((header, place) => [headerKey(header), place]));
    const columns = Object.entries(map?.columns ?? {}).map(([field, header]) => {
      const place = places.get(headerKey(header))!;
      return { field, header: headers[place]!, values: values[place]! };
    });
    const unused = headers.flatMap((header, place) =>
      header.trim() === '' || columns.some((column) => column.header === header)
        ? []
        : [{ header, values: values[place]! }],
    );
    explained.push({ file: path.basename(source.name), kind, map: map?.name ?? null, columns, unused });
  }
  return explained;
}

/**
 * Samples a file: by the named map or, without one, by the headers that remit knows. If these fit nothing, by the saved
 * map whose columns the file has.
 */
async function sampleByMaps(books: Books, request: MapRequest, source: FileSource, namedMap: ColumnMap | null) {
  const { kind } = request;
  const sampleBy = (map: ColumnMap | null) => sampleSafely(kind, source, { map, signal: books.signal });
  // An error is kept for now: a saved map may fit.
  const sample = await sampleBy(namedMap).catch((error: Error) => error);
  const isUnknown = sample instanceof Error ? mayFitSavedMap(sample) : sample.map === null;
  const saved = isUnknown && !saysColumns(request, namedMap) ? await onlyFittingMap(books, kind, source) : null;
  if (saved !== null) return sampleBy(saved);
  if (sample instanceof Error) throw sample;
  return sample;
}

/** Reads a file by its map or, where it has none and cannot be read, by the saved map whose columns it has. */
export async function readByMap(books: Books, request: MapRequest, source: FileSource, map: ColumnMap | null) {
  const { kind } = request;
  try {
    return { file: await readSafely(kind, source, { map, signal: books.signal }), map };
  } catch (error) {
    if (!mayFitSavedMap(error) || saysColumns(request, map)) throw error;
    const saved = await onlyFittingMap(books, kind, source);
    if (saved === null) throw error;
    // The courier's convention for RETURN rows goes with any map.
    const fitting = map?.returns === undefined ? saved : { ...saved, returns: map.returns };
    return { file: await readSafely(kind, source, { map: fitting, signal: books.signal }), map: fitting };
  }
}

/** Whether a map was named, or the courier's map says which columns files have, and not only how RETURN rows count. */
function saysColumns(request: MapRequest, map: ColumnMap | null): boolean {
  return request.map !== null || Object.keys(map?.columns ?? {}).length > 0;
}

/** The map by which files are read: the named one, else the courier's. */
export async function mapOf(books: Books, { kind, map }: MapRequest): Promise<ColumnMap | null> {
  const sheetRules = kind === 'settlement' ? await sheetSettings(books) : null;
  const columnMap = requireMap(books, map ?? sheetRules?.map ?? null);
  const returns = sheetRules?.returns ?? 'auto';
  // A sheet whose map names no convention for RETURN rows is read `as-stated`.
  if (returns === 'auto' || returns === 'as-stated') return columnMap;
  // By any other convention the reader computes what the totals of a payout must be: it goes with the map.
  return { ...(columnMap ?? { name: 'settlement', kind: 'settlement', columns: {} }), returns };
}

/** @throws UsageError where remit.toml has no map of that name; ConfigError where it has faults */
function requireMap({ config }: Books, name: string | null): ColumnMap | null {
  if (name === null) return null;
  if (Object.hasOwn(config.maps, name)) {
    const read = parseColumnMap(name, config.maps[name]);
    if ('map' in read) return read.map;
    const settings = config.file ?? 'remit.toml';
    throw new ConfigError(importingError({ id: 'map-unusable', settings, name, faults: read.faults }));
  }
  const mapNames = Object.keys(config.maps);
  throw new UsageError(importingError({ id: 'no-map', name, known: mapNames, nearest: nearestWords(name, mapNames) }));
}

/** The maps in remit.toml that can be read. */
export function mapsInSettings({ maps }: Pick<Config, 'maps'>): ColumnMap[] {
  return Object.entries(maps).flatMap(([name, settings]) => {
    const read = parseColumnMap(name, settings);
    return 'map' in read ? [read.map] : [];
  });
}

/** The map of that name in remit.toml; null where there is none, or it cannot be read. */
export function mapInSettings(config: Pick<Config, 'maps'>, name: string): ColumnMap | null {
  return mapsInSettings(config).find((map) => map.name === name) ?? null;
}

/** The maps in the settings whose columns a file has. */
async function fittingMaps({ config, signal }: Books, file: FileSource): Promise<ColumnMap[]> {
  const fitting: ColumnMap[] = [];
  for (const map of mapsInSettings(config)) {
    // A map that names no column fits nothing.
    if (Object.keys(map.columns).length === 0) continue;
    try {
      if ((await sampleSafely(map.kind, file, { map, signal })).map !== null) fitting.push(map);
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error;
    }
  }
  return fitting;
}

/** The only map in the settings for a file of a kind; null if none fits it. @throws UsageError if several do */
async function onlyFittingMap(books: Books, kind: ImportedKind, file: FileSource): Promise<ColumnMap | null> {
  const fitting = (await fittingMaps(books, file)).filter((map) => map.kind === kind);
  if (fitting.length > 1) throw severalMaps(file, fitting);
  return fitting[0] ?? null;
}

/** Whether a map can say what the file does not: what its columns are, how to read them, or its encoding. */
function mayFitSavedMap(error: unknown): boolean {
  if (!(error instanceof ImportFileError)) return false;
  const { fault } = error.explanation.sentence as { readonly fault?: Explanation };
  // The reader proposes a map (`error.map`) where it cannot tell what the columns are.
  return error.map !== null || fault?.sentence.id === 'workbooks/encoding-unsaid';
}

function severalMaps(file: FileSource, maps: readonly ColumnMap[]): UsageError {
  const fileName = cleanText(typeof file === 'string' ? file : file.name, 200);
  const names = maps.map(({ name }) => name);
  return new UsageError(importingError({ id: 'several-maps', file: fileName, maps: names })).at('map');
}

/** In the order in which their readers try a file: a bank's file is the easiest to recognise. Sheets come last. */
const KINDS = ['receipts', 'orders', 'rates', 'tariff'] as const satisfies readonly ImportedKind[];

/**
 * Finds the kind of a file. The first of these rules that names a kind counts.
 * 1. The kind of the named map.
 * 2. The first kind whose reader can read the file without a map. Settlement sheets are tried last, and only if the
 *    courier's settings name no map for its sheets.
 * 3. If they name one: a settlement sheet, where the file has the columns of that map or of no saved map at all.
 * 4. The kind of the saved maps whose columns the file has.
 *
 * @param map the name of the map by which it is read; null if none is named
 * @throws UsageError where there is no map of that name, or maps of several kinds fit; where no rule names a kind, the
 * error of the first reader, that of receipts
 */
export async function recogniseKind(books: Books, file: FileSource, map: string | null): Promise<ImportedKind> {
  const namedMap = requireMap(books, map);
  if (namedMap !== null) return namedMap.kind;
  let firstError: unknown;
  /** What `work` gives; null where the file cannot be read, or it is not clear which courier's sheet it would be. */
  const orNull = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ImportFileError || error instanceof UsageError)) throw error;
      firstError ??= error;
      return null;
    }
  };
  const isRead = async (kind: ImportedKind) =>
    (await orNull(readSafely(kind, file, { map: null, signal: books.signal }))) !== null;
  for (const kind of KINDS) if (await isRead(kind)) return kind;
  const sheets = await orNull(sheetSettings(books));
  if (sheets?.map === null && (await isRead('settlement'))) return 'settlement';
  const maps = await fittingMaps(books, file);
  const sheetMap = sheets?.map ?? null;
  const mayBeSheet = maps.length === 0 || maps.some(({ name }) => name === sheetMap);
  if (sheetMap !== null && mayBeSheet) return 'settlement';
  const kinds = new Set(maps.map(({ kind }) => kind));
  if (kinds.size > 1) throw severalMaps(file, maps);
  const [onlyKind] = kinds;
  if (onlyKind !== undefined) return onlyKind;
  throw firstError;
}
