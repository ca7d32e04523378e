import { readFile } from 'node:fs/promises';
import { ConfigError, ImportFileError, UsageError } from '../../base/errors.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { type FileSource, readSafely, sampleSafely } from '../../imports/formats/read-safely.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from '../../imports/maps/column-map.ts';
import { type MapQuestion, mapQuestions, withAnswer } from '../../imports/maps/map-questions.ts';
import { mapSettings, mapText } from '../../imports/maps/map-text.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import { because } from '../../words/errors/importing.ts';
import type { Books } from '../books.ts';

/** The headers and the first three rows of a file, as texts. None where it is no table. */
export async function sampleRows(kind: ImportedKind, file: FileSource): Promise<readonly (readonly string[])[]> {
  const { headers, rows } = await sampleSafely(kind, file);
  return [headers, ...rows.slice(0, 3)];
}

/** A table whose columns a person names. */
export interface Unmapped {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The fields that a column may hold. */
  readonly fields: readonly string[];
  /** The guess by the headers; null where they give none. */
  readonly guess: ColumnMap | null;
}

const SHOWN_ROWS = 5;

/** @throws ImportFileError where the file is no table */
export async function readUnmapped(kind: ImportedKind, file: FileSource): Promise<Unmapped> {
  const { headers, rows } = await sampleSafely(kind, file);
  const guess = withDate(await guessedMap(kind, file), { headers, rows });
  const fields = [...new Set([...MAP_FIELDS[kind].all, ...Object.keys(guess?.columns ?? {})])];
  return { headers, rows: rows.slice(0, SHOWN_ROWS), fields, guess };
}

const DAY = /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})$/;

/** Where no header says so, the first column that holds nothing but days is the date, and its values show their form. */
function withDate(proposed: ColumnMap | null, { headers, rows }: Pick<Unmapped, 'headers' | 'rows'>): ColumnMap | null {
  if (proposed === null) return null;
  // A proposal has placeholders too: only headers of the file are a guess.
  const known = Object.entries(proposed.columns).filter(([, header]) => headers.includes(header));
  const guess = { ...proposed, columns: Object.fromEntries(known) };
  if ('date' in guess.columns || rows.length === 0) return guess;
  const place = headers.findIndex((_, at) => rows.every((row) => DAY.test(row[at]?.trim() ?? '')));
  if (place < 0) return guess;
  const [, yearFirst, dayFirst] = DAY.exec(rows[0]![place]!.trim())!;
  const date = yearFirst ? ['YYYY', 'MM', 'DD'].join(yearFirst) : ['DD', 'MM', 'YYYY'].join(dayFirst);
  return { ...guess, date, columns: { ...guess.columns, date: headers[place]! } };
}

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
 * @throws UsageError for a map that is none or whose name is taken; ImportFileError where the file cannot be read by it
 */
export async function saveReadingMap(
  books: Pick<Books, 'config' | 'signal'>,
  map: ColumnMap,
  file: FileSource,
): Promise<object> {
  const settings = mapSettings(map);
  const parsed = parseColumnMap(map.name, settings);
  if ('faults' in parsed) throw new UsageError(because({ id: 'map-incomplete', faults: parsed.faults }));
  const held = Object.hasOwn(books.config.maps, map.name)
    ? parseColumnMap(map.name, books.config.maps[map.name])
    : null;
  // The same map was sent twice.
  const isHeld = held !== null && 'map' in held && mapText(held.map) === mapText(parsed.map);
  const fault = isHeld ? null : mapNameFault(books, map.name);
  if (fault !== null) throw fault.at('name');
  await readSafely(map.kind, file, { map: parsed.map, signal: books.signal });
  if (!isHeld) await saveMap(books, map.name, mapText(parsed.map));
  return settings;
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
 * @param text the map as a refusal proposes it, beginning with its `[maps.NAME]`
 * @returns the map's name
 * @throws UsageError for a name that is none or is taken
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

/** How often a file may be refused before the program gives up: more often than there are settings. */
const MOST_ROUNDS = 8;

interface IncompleteMap {
  readonly kind: ImportKind;
  readonly file: FileSource;
  /** Why it cannot be read as it is, with the map that is proposed. */
  readonly refusal: ImportFileError;
  readonly headers: readonly string[];
  /** Asks a person; empty gives up. */
  readonly ask: (question: string) => Promise<string>;
  /** Reports an answer that does not fit. */
  readonly tell: (what: string) => void;
}

/**
 * Completes the map of a file: its headers give what they can, and a person answers the rest. When this returns a map, the file was
 * read with it.
 *
 * @returns the map as text for remit.toml; null where the person gave up
 * @throws ImportFileError where no answer would have it read
 */
export async function completeMap({ kind, file, refusal, headers, ask, tell }: IncompleteMap): Promise<string | null> {
  let fault = refusal;
  let answered: ColumnMap | null = null;
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

/** The map of a refusal. */
async function parsedMap(text: string): Promise<ColumnMap | null> {
  const { parse } = await import('smol-toml');
  const [[name, value] = ['mine', null]] = Object.entries(parse(text).maps ?? {});
  const parsed = parseColumnMap(name, value);
  return 'map' in parsed ? parsed.map : null;
}
