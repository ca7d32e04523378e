import { type FileSource, readSafely } from '../../books/formats/index.ts';
import {
  type ColumnMap,
  type ImportKind,
  type MapQuestion,
  mapQuestions,
  mapText,
  parseColumnMap,
  withAnswer,
} from '../../books/maps/index.ts';
import { ImportFileError } from '../../errors.ts';

/** How often a file may be refused anew before it is given up: more than there are settings. */
const MOST_ROUNDS = 8;

interface Unsettled {
  readonly kind: ImportKind;
  readonly file: FileSource;
  /** Why it cannot be read as it is, with the map that is proposed. */
  readonly refusal: ImportFileError;
  readonly headers: readonly string[];
  /** Asks a person; empty gives up. */
  readonly ask: (question: string) => Promise<string>;
  /** Says that an answer is none. */
  readonly tell: (what: string) => void;
}

/**
 * The map by which a file is read: what its headers say, with every choice that the file leaves open made by a person. The file was
 * read by it when this returns.
 *
 * @returns the map as text for remit.toml; null where the person gave up
 * @throws ImportFileError where no answer would have it read
 */
export async function settleMap({ kind, file, refusal, headers, ask, tell }: Unsettled): Promise<string | null> {
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
      if (next !== null && 'map' in parseColumnMap(next.name, settingsOf(next))) return next;
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

function settingsOf({ name: _, ...settings }: ColumnMap): object {
  return settings;
}
