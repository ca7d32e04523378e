import { editDistance } from '../../base/edit-distance.ts';
import { headerKey } from '../formats/text-forms.ts';
import { HEADER_WORDS } from './built-in.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from './column-map.ts';
import { headersOf, OPEN_HEADER } from './headers.ts';

/**
 * Guesses a map from a file's headers, for a person to confirm. A required field without a header is left open; USD is
 * an example where no column has the currency.
 */
export function guessMap(kind: ImportKind, headers: readonly string[], name = 'mine'): ColumnMap<string> {
  const columns: Record<string, string> = {};
  for (const [field, words] of Object.entries(HEADER_WORDS[kind])) {
    const header = headers.find((text) => words.test(text.trim()) && !Object.values(columns).includes(text));
    if (header !== undefined) columns[field] = header;
  }
  if (kind === 'receipts') keepOneFormOfAmount(columns);
  for (const field of MAP_FIELDS[kind].required) columns[field] ??= OPEN_HEADER;
  if (kind === 'settlement' && columns.reference === undefined) columns.order ??= OPEN_HEADER;
  const creditWords = columns.sign === undefined ? {} : { credit_words: ['C', 'CR'] };
  const needsCurrency = MAP_FIELDS[kind].all.includes('currency') && columns.currency === undefined;
  return { name, kind, columns, ...creditWords, ...(needsCurrency ? { currency: 'USD' } : {}) };
}

/** Keeps the columns of debit and credit, if there are both, or else those of an amount and its sign. */
function keepOneFormOfAmount(columns: Record<string, string>): void {
  if (columns.debit !== undefined && columns.credit !== undefined) {
    delete columns.amount;
    delete columns.sign;
    return;
  }
  delete columns.debit;
  delete columns.credit;
  columns.amount ??= OPEN_HEADER;
}

/** The least {@link likeness} of a renamed header to its old name. */
const ALIKE = 0.5;

type MissingField = { readonly field: string; readonly names: readonly string[] };

/**
 * Guesses, by field, the new headers of fields that a file lacks under the names in the map: the only unused header
 * that is a usual word for the field, or else the only one that is most like an old name.
 */
export function guessRenamed(
  { kind, columns }: ColumnMap,
  missing: readonly MissingField[],
  headers: readonly string[],
): Map<string, string> {
  const used = new Set(Object.values(columns).flatMap(headersOf).map(headerKey));
  const guesses = new Map<string, string>();
  let free = headers.filter((header) => header.trim() !== '' && !used.has(headerKey(header)));
  const byWord = ({ field }: MissingField) => free.filter((header) => HEADER_WORDS[kind][field]?.test(header.trim()));
  const byLikeness = ({ names }: MissingField) => {
    const scores = free.map((header) => Math.max(...names.map((name) => likeness(name, header))));
    const most = Math.max(...scores);
    return most < ALIKE ? [] : free.filter((_, index) => scores[index] === most);
  };
  for (const candidatesOf of [byWord, byLikeness]) {
    for (const missingField of missing) {
      if (guesses.has(missingField.field)) continue;
      const [header, ...others] = candidatesOf(missingField);
      if (header === undefined || others.length > 0) continue;
      guesses.set(missingField.field, header);
      free = free.filter((candidate) => candidate !== header);
    }
  }
  return guesses;
}

/** How much alike two headers are, from 0 to 1: by the words that both have, or by their letters. */
function likeness(a: string, b: string): number {
  const [keyA, keyB] = [headerKey(a), headerKey(b)];
  const [wordsA, wordsB] = [wordsOf(keyA), wordsOf(keyB)];
  const words = wordsA.size + wordsB.size;
  const shared = [...wordsA].filter((word) => wordsB.has(word)).length;
  const byWords = words === 0 ? 0 : (2 * shared) / words;
  const byLetters = 1 - editDistance(keyA, keyB) / Math.max(keyA.length, keyB.length);
  return Math.max(byWords, byLetters);
}

/** `amount ($)` has the words `amount` and `$`. */
function wordsOf(key: string): Set<string> {
  return new Set(key.match(/[\p{L}\p{N}]+|[%$€£]/gu) ?? []);
}
