import { readFile } from 'node:fs/promises';
import { ConfigError, ImportFileError, UsageError } from '../../base/errors.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { editSettings } from '../../config/edit.ts';
import { type FileSource, readSafely, sampleSafely } from '../../imports/formats/read-safely.ts';
import { headerKey } from '../../imports/formats/text-forms.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from '../../imports/maps/column-map.ts';
import { type MapQuestion, mapQuestions, withAnswer } from '../../imports/maps/guess-map.ts';
import { type Headers, headersOf } from '../../imports/maps/headers.ts';
import { headersText, mapSettings, mapText } from '../../imports/maps/map-text.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import { because } from '../../words/errors/importing.ts';
import type { Books } from '../books.ts';
import { sheetSettings } from './settlement-sheet.ts';

/** The headers and the first three rows of a file, as text; none where it is no table. */
export async function sampleRows(kind: ImportedKind, file: FileSource): Promise<readonly (readonly string[])[]> {
  const { headers, rows } = await sampleSafely(kind, file);
  return [headers, ...rows.slice(0, 3)];
}

export interface ChangedField {
  readonly field: string;
  /** The headers that the map names. */
  readonly old: readonly string[];
  /** The file's header, or the guess of it; null where nothing is like it. */
  readonly header: string | null;
  /** Whether the file has one of the headers that the map names. */
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
  const guess = withDate(await guessedMap(kind, file), { headers, rows });
  const fields = [...new Set([...MAP_FIELDS[kind].all, ...Object.keys(guess?.columns ?? {})])];
  const changed =
    lastMap === null || nearest === null ? null : changedIn({ lastMap, nearest, headers, samples: values });
  return { headers, rows: rows.slice(0, SHOWN_ROWS), samples: values, fields, guess, changed };
}

/** Compares the fields of a map with a file's headers; null where the file has none of the map's headers. */
function changedIn({
  lastMap,
  nearest,
  headers,
  samples,
}: Pick<Unmapped, 'headers' | 'samples'> & Record<'lastMap' | 'nearest', ColumnMap>): Unmapped['changed'] {
  const places = new Map(headers.map((header, place) => [headerKey(header), place]));
  const fields = Object.entries(lastMap.columns).map(([field, old]): ChangedField => {
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
export async function mapSoFar(
  books: Books,
  { kind, map }: { readonly kind: ImportedKind; readonly map: string | null },
  file: FileSource,
): Promise<ColumnMap | null> {
  if (map === '') return null;
  const name = map ?? (kind === 'settlement' ? await mapOfSheets(books) : null);
  if (name === null) return nearestMap(books, kind, file);
  const read = Object.hasOwn(books.config.maps, name) ? parseColumnMap(name, books.config.maps[name]) : null;
  return read !== null && 'map' in read && read.map.kind === kind ? read.map : null;
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
async function nearestMap(
  { config }: Pick<Books, 'config'>,
  kind: ImportedKind,
  file: FileSource,
): Promise<ColumnMap | null> {
  const { headers } = await sampleSafely(kind, file);
  const keys = new Set(headers.map(headerKey));
  const scored = Object.entries(config.maps).flatMap(([name, settings]) => {
    const read = parseColumnMap(name, settings);
    if (!('map' in read) || read.map.kind !== kind) return [];
    const columns = Object.values(read.map.columns);
    const isInFile = (names: Headers) => headersOf(names).some((header) => keys.has(headerKey(header)));
    const shareInFile = columns.filter(isInFile).length / columns.length;
    return shareInFile >= 0.5 ? [{ map: read.map, shareInFile }] : [];
  });
  return scored.sort((a, b) => b.shareInFile - a.shareInFile)[0]?.map ?? null;
}

/**
 * `2026-11-05`, `2026/11/5`, `05.11.2026`: its two groups are the separator where the year is first, and where the day
 * is.
 */
const DAY = /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})$/;

/**
 * If no header gives the date, takes the first column of nothing but days, and finds the form of days from its values.
 */
function withDate(proposed: ColumnMap | null, { headers, rows }: Pick<Unmapped, 'headers' | 'rows'>): ColumnMap | null {
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

/**
 * Reads a file by a map and saves the map under its name.
 *
 * @returns the map's settings, as remit.toml has them from now on
 * @throws UsageError for an incomplete map or a taken name; ImportFileError where the file cannot be read by the map
 */
export async function saveReadingMap(
  books: Pick<Books, 'config' | 'signal'>,
  map: ColumnMap,
  file: FileSource,
): Promise<object> {
  const parsed = readableMap(map);
  const held = Object.hasOwn(books.config.maps, map.name)
    ? parseColumnMap(map.name, books.config.maps[map.name])
    : null;
  // The same map may be sent twice.
  const isHeld = held !== null && 'map' in held && mapText(held.map) === mapText(parsed);
  const fault = isHeld ? null : mapNameFault(books, map.name);
  if (fault !== null) throw fault.at('name');
  await readSafely(map.kind, file, { map: parsed, signal: books.signal });
  if (!isHeld) await saveMap(books, map.name, mapText(parsed));
  return mapSettings(map);
}

/** A map as remit.toml would have it. @throws UsageError where it is incomplete */
export function readableMap(map: ColumnMap): ColumnMap {
  return requireMap(map.name, mapSettings(map));
}

function requireMap(name: string, settings: unknown): ColumnMap {
  const parsed = parseColumnMap(name, settings);
  if ('map' in parsed) return parsed.map;
  throw new UsageError(because({ id: 'map-incomplete', faults: parsed.faults }));
}

/**
 * Adds headers to the fields of a map, or removes fields, and saves the map in its place if it then reads the file.
 *
 * @param renamed the new header of each field that changes; null removes the field
 * @returns the map's settings, as remit.toml has them from now on
 * @throws UsageError for an incomplete map; ImportFileError where it does not read the file; ConfigError where
 * remit.toml cannot be edited
 */
export async function saveRenamed(
  { config, signal }: Pick<Books, 'config' | 'signal'>,
  name: string,
  renamed: Readonly<Record<string, string | null>>,
  file: FileSource,
): Promise<object> {
  const held = requireMap(name, config.maps[name]);
  const columns = Object.entries(held.columns).flatMap(([field, names]): [string, Headers][] => {
    const header = renamed[field];
    if (header === null) return [];
    const known = headersOf(names);
    const isNew = header !== undefined && !known.some((one) => headerKey(one) === headerKey(header));
    return [[field, isNew ? [...known, header] : names]];
  });
  const renamedMap = { ...held, columns: Object.fromEntries(columns) };
  const parsed = readableMap(renamedMap);
  await readSafely(parsed.kind, file, { map: parsed, signal });
  await replaceMap({ config }, held, parsed);
  return mapSettings(renamedMap);
}

/**
 * Replaces a map in remit.toml by one that an error proposed.
 *
 * @param text that map, as TOML
 * @throws ConfigError where it cannot
 */
export async function saveInPlace({ config }: Pick<Books, 'config'>, text: string): Promise<string> {
  const map = (await parsedMap(text))!;
  await replaceMap({ config }, requireMap(map.name, config.maps[map.name]), map);
  return map.name;
}

/** The map of the books that an error wants changed; null where it proposes a new one. */
export async function heldMap({ config }: Pick<Books, 'config'>, text: string): Promise<ColumnMap | null> {
  const name = (await parsedMap(text))?.name ?? null;
  const held = name !== null && Object.hasOwn(config.maps, name) ? parseColumnMap(name, config.maps[name]) : null;
  return held !== null && 'map' in held ? held.map : null;
}

const STYLE_SETTINGS = ['date', 'decimal', 'thousands', 'currency', 'account', 'courier', 'totals_row'] as const;

/** @throws ConfigError, with the map to put there by hand, where remit.toml cannot be edited in place */
async function replaceMap({ config }: Pick<Books, 'config'>, before: ColumnMap, map: ColumnMap): Promise<void> {
  if (config.file === null) throw new ConfigError(because({ id: 'no-settings-for-map' }));
  const pathOf = (field: string) => {
    const [first = '', ...rest] = field.split('.');
    return ['maps', map.name, ...(first === 'charges' || first === 'taxes' ? [first] : ['columns', first]), ...rest];
  };
  const losesField = Object.keys(before.columns).some((field) => map.columns[field] === undefined);
  const styles = STYLE_SETTINGS.flatMap((name) => {
    const value = map[name];
    return value === undefined || value === before[name] ? [] : [{ path: ['maps', map.name, name], value }];
  });
  const columns = Object.entries(map.columns)
    .filter(([field, value]) => headersText(value) !== headersText(before.columns[field] ?? []))
    .map(([field, value]) => ({ path: pathOf(field), value }));
  const edits = [...columns, ...styles];
  const whole = { path: ['maps', map.name], text: mapText(map) };
  const isDone = await editSettings(config.file, losesField ? null : edits, whole);
  if (!isDone) throw new ConfigError(because({ id: 'map-in-place', settings: config.file, map: mapText(map) }));
}

/** Why a map cannot have a name: it is not valid, or is taken; null where it can. */
export function mapNameFault({ config }: Pick<Books, 'config'>, name: string): UsageError | null {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name)) return new UsageError(because({ id: 'no-map-name' }));
  if (Object.hasOwn(config.maps, name)) return new UsageError(because({ id: 'map-taken', name }));
  return null;
}

/**
 * Adds a map to the books' remit.toml.
 *
 * @param text the map as an error proposes it, beginning with its `[maps.NAME]`
 * @returns the map's name
 * @throws UsageError for a bad or taken name
 */
export async function saveMap({ config }: Pick<Books, 'config'>, name: string, text: string): Promise<string> {
  if (config.file === null) throw new ConfigError(because({ id: 'no-settings-for-map' }));
  const fault = mapNameFault({ config }, name);
  if (fault !== null) throw fault;
  const { parse } = await import('smol-toml');
  const before = await readFile(config.file, 'utf8');
  // Another person may have saved a map since the settings were read.
  if (Object.hasOwn(Object(parse(before).maps ?? {}), name)) throw new UsageError(because({ id: 'map-taken', name }));
  const table = text.replace(/^\[maps\..*\]/, `[maps.${name}]`);
  const after = `${before}${before.endsWith('\n') ? '' : '\n'}\n${table}\n`;
  // A map that cannot be read again would make remit.toml unreadable.
  parse(after);
  await replaceFile(config.file, (handle) => handle.writeFile(after), { noun: 'folder', flag: null });
  return name;
}

/** How often a file may be refused before the program gives up: more often than a map has settings. */
const MOST_ROUNDS = 8;

interface IncompleteMap {
  readonly kind: ImportKind;
  readonly file: FileSource;
  /** Why the file cannot be read as it is, with the proposed map. */
  readonly refusal: ImportFileError;
  readonly headers: readonly string[];
  /** The map of the books that lacks something; null where there is none yet. */
  readonly held: ColumnMap | null;
  /** Asks a person; empty gives up. */
  readonly ask: (question: string) => Promise<string>;
  /** Reports an answer that does not fit. */
  readonly tell: (what: string) => void;
}

/**
 * Completes the map of a file from its headers, and asks a person about what they do not show. When this returns a map,
 * the file was read with it.
 *
 * @returns the map as text for remit.toml; null where the person gave up
 * @throws ImportFileError where no answer makes it readable
 */
export async function completeMap({
  kind,
  file,
  refusal,
  headers,
  held,
  ask,
  tell,
}: IncompleteMap): Promise<string | null> {
  let fault = refusal;
  let answered: ColumnMap | null = held;
  for (let round = 0; round < MOST_ROUNDS && fault.map !== null; round += 1) {
    const proposed: ColumnMap | null = await parsedMap(fault.map);
    if (proposed === null) break;
    let map = proposed;
    for (const question of mapQuestions(proposed, answered)) {
      const next: ColumnMap | null = await answer(map, question);
      if (next === null) return null;
      map = next;
    }
    try {
      await readSafely(kind, file, { map });
      return mapText(map);
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error;
      fault = error;
      answered = map;
    }
  }
  throw fault;

  async function answer(map: ColumnMap, question: MapQuestion): Promise<ColumnMap | null> {
    for (;;) {
      const text = (await ask(question.text)).trim();
      if (text === '') return null;
      const next = withAnswer(map, question, text, headers);
      if (next !== null && 'map' in parseColumnMap(next.name, mapSettings(next))) return next;
      tell(question.about === 'column' ? 'no column of the file' : 'no answer to this');
    }
  }
}

async function parsedMap(text: string): Promise<ColumnMap | null> {
  const { parse } = await import('smol-toml');
  const [[name, value] = ['mine', null]] = Object.entries(parse(text).maps ?? {});
  const parsed = parseColumnMap(name, value);
  return 'map' in parsed ? parsed.map : null;
}
