/** What the desk shows of a table that no map fits, so that a person can say what its columns are and try that. */
import { ImportFileError, RemitError, UsageError } from '../../base/errors.ts';
import type { Config } from '../../config/index.ts';
import type { ReadFile } from '../../derive/imports.ts';
import { type FileSource, readSafely, sampleSafely } from '../../imports/formats/read-safely.ts';
import { headerKey } from '../../imports/formats/text-forms.ts';
import { type ColumnMap, MAP_FIELDS } from '../../imports/maps/column-map.ts';
import { type Headers, headersOf } from '../../imports/maps/headers.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import type { Books } from '../books.ts';
import { parsedMap, readableMap } from './column-map.ts';
import { type MapRequest, mapInSettings, mapsInSettings } from './read-by-map.ts';
import { sheetSettings } from './settlement-sheet.ts';
import { totalsOf } from './summary.ts';

interface ChangedField {
  readonly field: string;
  /** The headers that the map names. */
  readonly old: readonly string[];
  /** The file's header: one of `old` or, if it has none of these (`isHeld`), the one most like them; null for none. */
  readonly header: string | null;
  /** Whether the file has one of `old`. */
  readonly isHeld: boolean;
  /** The first values under that header. */
  readonly values: readonly string[];
}

/** A table without a map that fits: a person says what its columns are. */
export interface Unmapped {
  /** The map of remit.toml whose columns were renamed in the file; null where the file has none of it. */
  readonly changed: { readonly map: string; readonly fields: readonly ChangedField[] } | null;
  /** The first distinct values of each column. */
  readonly samples: readonly (readonly string[])[];
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly fields: readonly string[];
  /** The guess by the headers; null where they give none. */
  readonly guess: ColumnMap | null;
}

const SHOWN_ROWS = 5;

/**
 * @param lastMap the map by which such files were read so far; null where there is none
 * @throws ImportFileError where the file is no table
 */
export async function readUnmapped(
  kind: ImportedKind,
  file: FileSource,
  lastMap: ColumnMap | null = null,
): Promise<Unmapped> {
  const { headers, rows, values, nearest } = await sampleSafely(kind, file, { map: lastMap });
  const guess = withDate(await guessedMap(kind, file), headers, rows);
  const fields = [...new Set([...MAP_FIELDS[kind].all, ...Object.keys(guess?.columns ?? {})])];
  const changed = lastMap && nearest && changedIn(lastMap, nearest, headers, values);
  return { headers, rows: rows.slice(0, SHOWN_ROWS), samples: values, fields, guess, changed };
}

/**
 * Finds the kind by whose usual words a file has a header: the given kind or, without one, a bank's lines or else a
 * courier's sheet, which in a PDF have other headers. Null where the file has none: it is no table.
 */
export async function kindByHeader(file: FileSource, kind?: ImportedKind): Promise<ImportedKind | null> {
  for (const candidate of kind ? [kind] : (['receipts', 'settlement'] as const)) {
    try {
      if ((await sampleSafely(candidate, file)).headers.length > 0) return candidate;
    } catch (error) {
      if (!(error instanceof RemitError)) throw error;
    }
  }
  return null;
}

/**
 * Compares the fields of the last map with a file's headers; null where the file has none of that map's headers.
 *
 * @param nearest the last map, with likely headers of the file in place of those that it lacks: `Amount USD` in a file
 *   without the map's `Amount`
 */
function changedIn(
  lastMap: ColumnMap,
  nearest: ColumnMap,
  headers: Unmapped['headers'],
  samples: Unmapped['samples'],
): Unmapped['changed'] {
  const places = new Map(headers.map((header, place) => [headerKey(header), place]));
  const fields = Object.entries(lastMap.columns).map(([field, old]): ChangedField => {
    // Of several headers the last counts: a renamed column's new header was added at the end.
    const placeOf = (names: Headers) =>
      headersOf(names)
        .flatMap((name) => places.get(headerKey(name)) ?? [])
        .at(-1);
    const place = placeOf(nearest.columns[field]!);
    return {
      field,
      old: headersOf(old),
      header: place === undefined ? null : headers[place]!,
      isHeld: placeOf(old) !== undefined,
      values: place === undefined ? [] : samples[place]!,
    };
  });
  return fields.some(({ isHeld }) => isHeld) ? { map: lastMap.name, fields } : null;
}

/**
 * The map by which such files were read so far: the named one, the courier's, or the one whose columns are most like
 * the file's.
 *
 * @param map its name; empty for a new map, null where no name was given
 */
export async function mapSoFar(books: Books, { kind, map }: MapRequest, file: FileSource): Promise<ColumnMap | null> {
  if (map === '') return null;
  const name = map ?? (kind === 'settlement' ? await mapOfSheets(books) : null);
  if (name === null) return nearestMap(books.config, kind, file);
  const found = mapInSettings(books.config, name);
  return found?.kind === kind ? found : null;
}

/** The name of the map for a courier's sheets; null where it has none, or it is not clear which courier it is. */
async function mapOfSheets(books: Books): Promise<string | null> {
  try {
    return (await sheetSettings(books)).map;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return null;
  }
}

/** The map in the settings that is most like a file; null where the file has less than half the columns of each. */
async function nearestMap(config: Config, kind: ImportedKind, file: FileSource) {
  const { headers } = await sampleSafely(kind, file);
  const keys = new Set(headers.map(headerKey));
  const scored = mapsInSettings(config).flatMap((map) => {
    const columns = Object.values(map.columns);
    const isInFile = (names: Headers) => headersOf(names).some((header) => keys.has(headerKey(header)));
    const shareInFile = columns.filter(isInFile).length / columns.length;
    return map.kind === kind && shareInFile >= 0.5 ? [{ map, shareInFile }] : [];
  });
  return scored.sort((a, b) => b.shareInFile - a.shareInFile)[0]?.map ?? null;
}

/**
 * `2026-11-05`, `2026/11/5`, `05.11.2026`: its two groups are the separator where the year is first, and where the day
 * is.
 */
const DAY = /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})$/;

/**
 * If no header gives the date, takes the first column of nothing but days (in these first rows), and finds the form of
 * days from its values.
 */
function withDate(proposed: ColumnMap | null, headers: Unmapped['headers'], rows: Unmapped['rows']): ColumnMap | null {
  if (proposed === null) return null;
  // A proposed map has placeholders too: only headers that the file has are a guess.
  const columnsInFile = Object.entries(proposed.columns).filter(([, names]) =>
    headersOf(names).some((header) => headers.includes(header)),
  );
  const guess = { ...proposed, columns: Object.fromEntries(columnsInFile) };
  if ('date' in guess.columns || rows.length === 0) return guess;
  const place = headers.findIndex((_, at) => rows.every((row) => DAY.test(row[at]?.trim() ?? '')));
  if (place < 0) return guess;
  const [, afterYear, afterDay] = DAY.exec(rows[0]![place]!.trim())!;
  const date = afterYear ? ['YYYY', 'MM', 'DD'].join(afterYear) : ['DD', 'MM', 'YYYY'].join(afterDay);
  return { ...guess, date, columns: { ...guess.columns, date: headers[place]! } };
}

/** The map that the reader's error proposes; null where the file can be read without a map, or none is proposed. */
async function guessedMap(kind: ImportedKind, file: FileSource): Promise<ColumnMap | null> {
  try {
    await readSafely(kind, file, { map: null });
    return null;
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    return error.map === null ? null : parsedMap(error.map);
  }
}

/** What a map makes of a file, before it is saved. Each row has the text of each column that has one. */
export interface TriedMap {
  /** The first rows: days in ISO, amounts as decimal text. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** The sums of the whole file, a row for each currency. */
  readonly totals: readonly Readonly<Record<string, string>>[];
}

/** @throws UsageError for an incomplete map; ImportFileError where it does not read the file */
export async function tryMap(map: ColumnMap, file: FileSource, { signal }: Pick<Books, 'signal'>): Promise<TriedMap> {
  const parsed = readableMap(map);
  const read = { kind: map.kind, file: await readSafely(map.kind, file, { map: parsed, signal }) } as ReadFile;
  const rows = rowsOf(read).slice(0, SHOWN_ROWS);
  // A row names a charge or tax by its kind, a map by kind and currency too.
  const kinds = rows.flatMap((row) => Object.keys(row).filter((name) => /^(charges|taxes)\./.test(name)));
  const columns = [...new Set([...MAP_FIELDS[map.kind].all, ...Object.keys(parsed.columns), ...kinds])];
  return {
    rows: rows.map((row) => textsOf(row, columns)),
    totals: totalsOf(read).map((row) => textsOf(row, Object.keys(row))),
  };
}

/** A file's rows, one for each amount, by the fields of its map. */
function rowsOf(read: ReadFile): readonly object[] {
  if (read.kind === 'receipts') {
    // A map's field `invoice` is a line's reference.
    return read.file.statements.flatMap(({ lines }) => lines.map((line) => ({ ...line, invoice: line.reference })));
  }
  if (read.kind === 'orders') {
    return read.file.orders.flatMap((order) =>
      order.amounts.length === 0 ? [order] : order.amounts.map((amount) => ({ ...order, ...amount })),
    );
  }
  if (read.kind !== 'settlement') return read.file.rows;
  return read.file.settlements.flatMap((payout) =>
    payout.rows.flatMap((row) =>
      row.amounts.map(({ charges, taxes, ...amount }) => {
        return { ...payout, ...row, ...amount, ...named('charges', charges), ...named('taxes', taxes) };
      }),
    ),
  );
}

function named(group: string, amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([kind, amount]) => [`${group}.${kind}`, amount]));
}

function textsOf(row: object, columns: readonly string[]): Record<string, string> {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    columns.flatMap((column) => {
      const value = values[column] ?? null;
      return value === null || value === '' ? [] : [[column, String(value)]];
    }),
  );
}
