/**
 * Saves column maps in remit.toml: `[maps.NAME]` says which columns a kind of file has. A map is proposed, as TOML, by
 * the error about a file that needs one, or made at the desk by a person who says what the columns are.
 */
import { readFile } from 'node:fs/promises';
import { ConfigError, UsageError } from '../../base/errors.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { editSettings } from '../../config/edit.ts';
import { type FileSource, readSafely, sampleSafely } from '../../imports/formats/read-safely.ts';
import { headerKey } from '../../imports/formats/text-forms.ts';
import type { ColumnMap } from '../../imports/maps/column-map.ts';
import { type Headers, headersOf } from '../../imports/maps/headers.ts';
import { headersText, mapSettings, mapText } from '../../imports/maps/map-text.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import { importingError } from '../../words/errors/importing.ts';
import type { Books } from '../books.ts';
import { mapInSettings } from './read-by-map.ts';

/** The headers and the first three rows of a file, as text; none where it is no table. */
export async function sampleRows(kind: ImportedKind, file: FileSource): Promise<readonly (readonly string[])[]> {
  const { headers, rows } = await sampleSafely(kind, file);
  return [headers, ...rows.slice(0, 3)];
}

/**
 * Reads a file by a map and saves the map under its name.
 *
 * @returns the map's settings, as remit.toml has them from now on
 * @throws UsageError for an incomplete map or a taken name; ImportFileError where the file cannot be read by the map
 */
export async function saveReadingMap(books: Pick<Books, 'config' | 'signal'>, map: ColumnMap, file: FileSource) {
  const parsed = readableMap(map);
  const held = mapInSettings(books.config, map.name);
  // The same map may be sent twice.
  const isHeld = held !== null && mapText(held) === mapText(parsed);
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
  throw new UsageError(importingError({ id: 'map-incomplete', faults: parsed.faults }));
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
    const headers = headersOf(names);
    const isNew = header !== undefined && !headers.some((one) => headerKey(one) === headerKey(header));
    return [[field, isNew ? [...headers, header] : names]];
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
  const map = await parsedMap(text);
  return map && mapInSettings(config, map.name);
}

/** The settings of a map, besides its columns, that are edited in place. */
const STYLE_SETTINGS = ['date', 'decimal', 'thousands', 'currency', 'account', 'courier', 'totals_row'] as const;

/** @throws ConfigError, with the map to put there by hand, where remit.toml cannot be edited in place */
async function replaceMap({ config }: Pick<Books, 'config'>, before: ColumnMap, map: ColumnMap): Promise<void> {
  if (config.file === null) throw new ConfigError(importingError({ id: 'no-settings-for-map' }));
  // `charges.handling` and `taxes.wht` are in the map's tables of those names, any other field in `columns`.
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
  // A field cannot be taken out alone (`null` below): then the whole table is set.
  const whole = { path: ['maps', map.name], text: mapText(map) };
  const isDone = await editSettings(config.file, losesField ? null : edits, whole);
  if (!isDone) throw new ConfigError(importingError({ id: 'map-in-place', settings: config.file, map: mapText(map) }));
}

/** Why a map cannot have a name: it is not valid, or is taken; null where it can. */
export function mapNameFault({ config }: Pick<Books, 'config'>, name: string): UsageError | null {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name)) return new UsageError(importingError({ id: 'no-map-name' }));
  if (Object.hasOwn(config.maps, name)) return new UsageError(importingError({ id: 'map-taken', name }));
  return null;
}

/**
 * Adds a map to the books' remit.toml.
 *
 * @param text the map as TOML, beginning with its `[maps.NAME]`, whatever the name there
 * @returns the map's name
 * @throws UsageError for a bad or taken name
 */
export async function saveMap({ config }: Pick<Books, 'config'>, name: string, text: string): Promise<string> {
  if (config.file === null) throw new ConfigError(importingError({ id: 'no-settings-for-map' }));
  const fault = mapNameFault({ config }, name);
  if (fault !== null) throw fault;
  const { parse } = await import('smol-toml');
  const before = await readFile(config.file, 'utf8');
  // Another person may have saved a map since the settings were read.
  if (Object.hasOwn(Object(parse(before).maps ?? {}), name))
    throw new UsageError(importingError({ id: 'map-taken', name }));
  const table = text.replace(/^\[maps\..*\]/, `[maps.${name}]`);
  const after = `${before}${before.endsWith('\n') ? '' : '\n'}\n${table}\n`;
  // A map that cannot be read again would make remit.toml unreadable.
  parse(after);
  await replaceFile(config.file, (handle) => handle.writeFile(after), { noun: 'folder', flag: null });
  return name;
}

/** Reads a map that an error proposes as TOML; null where it is none. */
export async function parsedMap(text: string): Promise<ColumnMap | null> {
  const { parse } = await import('smol-toml');
  // Of a text without a map the name does not matter: null is no map.
  const [[name, value] = ['mine', null]] = Object.entries(parse(text).maps ?? {});
  const parsed = parseColumnMap(name, value);
  return 'map' in parsed ? parsed.map : null;
}
