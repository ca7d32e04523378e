import { readFile } from 'node:fs/promises';
import { ConfigError, ImportFileError, UsageError } from '../../base/errors.ts';
import { replaceFile } from '../../base/files/replace.ts';
import { type FileSource, readSafely, sampleSafely } from '../../imports/formats/read-safely.ts';
import type { ColumnMap, ImportKind } from '../../imports/maps/column-map.ts';
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
  const before = await readFile(config.file, 'utf8');
  const table = text.replace(/^\[maps\..*\]/, `[maps.${name}]`);
  const after = `${before}${before.endsWith('\n') ? '' : '\n'}\n${table}\n`;
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
