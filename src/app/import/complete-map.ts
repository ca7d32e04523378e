import { ImportFileError } from '../../base/errors.ts';
import { type FileSource, readSafely } from '../../imports/formats/read-safely.ts';
import type { ColumnMap, ImportKind } from '../../imports/maps/column-map.ts';
import { headersOf, OPEN_HEADER } from '../../imports/maps/headers.ts';
import { mapSettings, mapText } from '../../imports/maps/map-text.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import { parsedMap } from './column-map.ts';

/** How often a file may be refused before the program gives up: more often than a map has settings. */
const MOST_ROUNDS = 8;

interface IncompleteMap {
  readonly kind: ImportKind;
  readonly file: FileSource;
  /** Why the file cannot be read as it is, with a proposed map (`refusal.map`, as TOML). */
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
export async function completeMap(incomplete: IncompleteMap): Promise<string | null> {
  const { kind, file, refusal, headers, held, ask, tell } = incomplete;
  let fault = refusal;
  let lastTried: ColumnMap | null = held;
  for (let round = 0; round < MOST_ROUNDS && fault.map !== null; round += 1) {
    let map: ColumnMap | null = await parsedMap(fault.map);
    if (map === null) break;
    for (const question of mapQuestions(map, lastTried)) {
      map = await answer(map, question);
      if (map === null) return null;
    }
    try {
      await readSafely(kind, file, { map });
      return mapText(map);
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error;
      fault = error;
      lastTried = map;
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

/** A question about a proposed map: on a setting whose value was guessed, or on a field without a column. */
interface MapQuestion {
  readonly about: 'date' | 'decimal' | 'currency' | 'column';
  /** The field of a question about a column; null for one about a setting. */
  readonly field: string | null;
  readonly text: string;
}

const SETTING_QUESTIONS = [
  ['date', 'How are its dates written (DD/MM/YYYY, MM/DD/YYYY, ...)?'],
  ['decimal', 'Which sign stands before its decimals, a point or a comma (. or ,)?'],
  ['currency', 'Which currency are its amounts in (a code, such as USD)?'],
] as const;

/**
 * The questions that a proposed map leaves open: on fields whose column is not known ({@link OPEN_HEADER}), and on
 * settings, whose values in a proposal are guesses. One that `lastTried` had too is no guess: a person gave it before.
 *
 * @param lastTried the map that was tried before, of the settings or with a person's answers; null for a first proposal
 */
function mapQuestions(proposed: ColumnMap, lastTried: ColumnMap | null): MapQuestion[] {
  const columns = Object.entries(proposed.columns)
    .filter(([, headers]) => headersOf(headers).includes(OPEN_HEADER))
    .map(([field]) => ({ about: 'column' as const, field, text: columnQuestion(proposed, field) }));
  const isGuess = (key: keyof ColumnMap) => proposed[key] !== undefined && proposed[key] !== lastTried?.[key];
  const settings = SETTING_QUESTIONS.filter(([key]) => isGuess(key));
  return [...columns, ...settings.map(([about, text]) => ({ about, field: null, text }))];
}

function columnQuestion({ kind }: ColumnMap, field: string): string {
  if (kind === 'receipts' && field === 'amount')
    return 'Which column holds the amount (or which two, with a comma between: paid out, paid in)?';
  return `Which column holds the ${field.replaceAll('_', ' ')}?`;
}

/**
 * The map with an answer in it.
 *
 * @returns null for no column's header, or no decimal sign; a date or currency is tested when the file is read
 */
function withAnswer(
  map: ColumnMap,
  { about, field }: MapQuestion,
  answer: string,
  headers: readonly string[],
): ColumnMap | null {
  if (about === 'column') return withColumn(map, field!, answer, headers);
  if (about === 'decimal') {
    if (answer !== '.' && answer !== ',') return null;
    const thousands = answer === '.' ? ',' : '.';
    return { ...map, decimal: answer, ...(map.thousands === answer && { thousands }) };
  }
  return { ...map, [about]: answer.toUpperCase() };
}

function withColumn(map: ColumnMap, field: string, answer: string, headers: readonly string[]): ColumnMap | null {
  const key = (text: string) => text.trim().toLowerCase();
  const headerNamed = (text: string) => headers.find((header) => key(header) === key(text));
  const { [field]: openHeaders = [], ...columns } = map.columns;
  const wholeAnswer = headerNamed(answer);
  if (wholeAnswer !== undefined) {
    // A map may name several headers of a field, because files differ. Those that it has stay in it.
    const before = headersOf(openHeaders).filter((header) => header !== OPEN_HEADER);
    return { ...map, columns: { ...columns, [field]: before.length === 0 ? wholeAnswer : [...before, wholeAnswer] } };
  }
  // The amounts of a bank may be in two columns.
  if (map.kind !== 'receipts' || field !== 'amount') return null;
  const [debit, credit, ...extra] = answer.split(',').map(headerNamed);
  if (debit === undefined || credit === undefined || extra.length > 0) return null;
  return { ...map, columns: { ...columns, debit, credit } };
}
