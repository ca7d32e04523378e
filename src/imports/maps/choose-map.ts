import { isDeepStrictEqual } from 'node:util';
import { editDistance } from '../../base/edit-distance.ts';
import { because } from '../../words/errors/tables.ts';
import { headerKey } from '../formats/characters.ts';
import { FileFault } from '../formats/fault.ts';
import { BUILT_IN_MAPS, type BuiltInMap, HEADER_WORDS } from './built-in.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from './column-map.ts';
import { type Headers, headersOf } from './headers.ts';

/** Headers of WooCommerce's own Analytics export. */
const ANALYTICS = /^(n\. revenue|net sales)/;

/**
 * The built-in map that a file's headers fit; null where none does. Headers that are fields of the kind and nothing else fit as they are,
 * whichever of them a file has, as long as none is missing that is needed.
 */
function builtInMapFor(kind: ImportKind, headers: readonly string[]): ColumnMap<string> | null {
  const keys = new Set(headers.map(headerKey));
  const fits = ({ map, known }: BuiltInMap): boolean =>
    map.kind === kind &&
    known.every((header) => (typeof header === 'string' ? keys.has(header) : header.some((one) => keys.has(one))));
  const fieldMap = mapOfFields(kind, headers);
  if (fieldMap !== null && lacking(fieldMap).length === 0) return fieldMap;
  // Ours come first, and no shop's headers hold all of theirs.
  return BUILT_IN_MAPS.find(fits)?.map ?? null;
}

/** The map of a file whose headers are all fields of its kind; null where one is not. */
function mapOfFields(kind: ImportKind, headers: readonly string[]): ColumnMap<string> | null {
  const fields = MAP_FIELDS[kind].all.filter((field) => field !== 'sign');
  const columns: Record<string, string> = {};
  for (const header of headers) {
    const field = fields.find((one) => one === headerKey(header).replaceAll(' ', '_'));
    if (field === undefined || columns[field] !== undefined) return null;
    columns[field] = header;
  }
  return headers.length < 2 ? null : { name: OWN_NAMES[kind], kind, columns };
}

const OWN_NAMES: Record<ImportKind, string> = {
  orders: 'orders',
  receipts: 'cash-book',
  settlement: 'settlement',
  tariff: 'tariff',
  rates: 'rates',
};

/** The fields without which a map reads nothing: a column that it lacks or leaves open, or the currency, which it may name itself. */
function lacking({ kind, columns, currency }: ColumnMap): string[] {
  const has = (field: string): boolean => columns[field] !== undefined && columns[field] !== '...';
  const needed = new Set(MAP_FIELDS[kind].required);
  if (kind === 'receipts' && !(has('debit') && has('credit'))) needed.add('amount');
  if (kind === 'receipts' || kind === 'tariff' || has('cod')) needed.add('currency');
  if (kind === 'settlement' && !has('reference')) needed.add('order');
  return [...needed].filter((field) => !has(field) && !(field === 'currency' && currency !== undefined));
}

/** Whether a row is surely the header: it has each column that the map names, or a built-in map knows it. */
export function isHeaderOf(kind: ImportKind, cells: readonly string[], named: ColumnMap | null): boolean {
  const columns = Object.values(named?.columns ?? {});
  if (columns.length === 0) return fittingMap(kind, cells, named) !== null;
  const keys = new Set(cells.map(headerKey));
  return columns.every((headers) => headersOf(headers).some((header) => keys.has(headerKey(header))));
}

/** Which of a file's first rows is most likely its header: the one with most headers of the map and words that headers have, else the first. */
export function likelyHeader(
  kind: ImportKind,
  rows: readonly (readonly string[])[],
  named: ColumnMap | null = null,
): number {
  const map = new Set(
    Object.values(named?.columns ?? {})
      .flatMap(headersOf)
      .map(headerKey),
  );
  const known = rows.map((cells) => {
    const guessed = Object.values(guessMap(kind, cells).columns).filter((one) => one !== '...');
    return new Set([...guessed, ...cells.filter((cell) => map.has(headerKey(cell)))].map(headerKey)).size;
  });
  const most = Math.max(...known);
  return most < 2 ? 0 : known.indexOf(most);
}

/** The built-in map with the settings of one that names no columns, which may name the currency that the file does not have. */
function fittingMap(kind: ImportKind, cells: readonly string[], named: ColumnMap | null): ColumnMap<string> | null {
  const headers = trimmed(cells);
  const builtIn = builtInMapFor(kind, headers);
  if (named === null) return builtIn;
  if (builtIn !== null) return { ...builtIn, ...named, columns: builtIn.columns, name: named.name };
  const fieldMap = mapOfFields(kind, headers);
  const map = fieldMap === null ? null : { ...fieldMap, ...named, columns: fieldMap.columns };
  return map !== null && lacking(map).length === 0 ? map : null;
}

function trimmed(headers: readonly string[]): readonly string[] {
  return headers.slice(0, headers.findLastIndex((header) => header.trim() !== '') + 1);
}

/**
 * The map by which a table is read: the one that was named, or the built-in one that its headers fit.
 *
 * @throws FileFault when neither fits: what is missing, and the map to add
 */
export function chooseMap(kind: ImportKind, headers: readonly string[], named: ColumnMap | null): ColumnMap<string> {
  if (named !== null && Object.keys(named.columns).length > 0) return mapInFile(named, headers);
  const keys = headers.map(headerKey);
  if (kind === 'orders' && keys.some((key) => key === 'order #') && keys.some((key) => ANALYTICS.test(key))) {
    throw new FileFault(because({ id: 'woocommerce-analytics' }));
  }
  const map = fittingMap(kind, headers, named);
  if (map !== null) return map;
  throw unknownColumns(kind, headers);
}

/** A map with those of its headers that a file has. @throws FileFault where a field has none, with the map that may read it; or several */
function mapInFile(named: ColumnMap, headers: readonly string[]): ColumnMap<string> {
  const keys = new Set(headers.map(headerKey));
  const fields = Object.entries(named.columns).map(([field, names]) => ({
    field,
    names: headersOf(names),
    found: headersOf(names).filter((name) => keys.has(headerKey(name))),
  }));
  for (const { field, found } of fields) {
    if (found.length > 1) throw new FileFault(because({ id: 'field-twice', field, columns: found, map: named.name }));
  }
  const missing = fields.filter(({ found }) => found.length === 0);
  if (missing.length === 0) {
    return { ...named, columns: Object.fromEntries(fields.map(({ field, found }) => [field, found[0]!])) };
  }
  const why = because({
    id: 'map-columns-missing',
    map: named.name,
    missing: missing.map(({ names }) => names),
    headers,
  });
  const guesses = guessRenamed(named, missing, headers);
  const columns = Object.fromEntries(
    fields.map(({ field, names, found }): [string, Headers] => [
      field,
      found.length > 0
        ? named.columns[field]!
        : [...names.filter((name) => name !== '...'), guesses.get(field) ?? '...'],
    ]),
  );
  throw new FileFault(why, {}, {}, { ...named, columns });
}

/** How much alike two headers must be, from 0 to 1, to be taken for one that was renamed. */
const ALIKE = 0.5;

/** Which of a file's other headers the missing fields have now: the only one that is a field's word, else the only one that is most like it. */
function guessRenamed(
  { kind, columns }: ColumnMap,
  missing: readonly { readonly field: string; readonly names: readonly string[] }[],
  headers: readonly string[],
): Map<string, string> {
  const used = new Set(Object.values(columns).flatMap(headersOf).map(headerKey));
  const words = new Map(HEADER_WORDS[kind]);
  const guesses = new Map<string, string>();
  let free = headers.filter((header) => header.trim() !== '' && !used.has(headerKey(header)));
  const byWord = ({ field }: { readonly field: string }) => free.filter((one) => words.get(field)?.test(one.trim()));
  const byLikeness = ({ names }: { readonly names: readonly string[] }) => {
    const scores = free.map((header) => Math.max(...names.map((name) => likeness(name, header))));
    const most = Math.max(...scores);
    return most < ALIKE ? [] : free.filter((_, place) => scores[place] === most);
  };
  for (const candidates of [byWord, byLikeness]) {
    for (const one of missing) {
      if (guesses.has(one.field)) continue;
      const [header, ...others] = candidates(one);
      if (header === undefined || others.length > 0) continue;
      guesses.set(one.field, header);
      free = free.filter((each) => each !== header);
    }
  }
  return guesses;
}

/** How much alike two headers are, from 0 to 1: by the words that both have, or by their letters. */
function likeness(one: string, other: string): number {
  const [a, b] = [headerKey(one), headerKey(other)];
  const wordsOf = (text: string) => new Set(text.match(/[\p{L}\p{N}]+|[%$€£]/gu) ?? []);
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const byWords = left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
  return Math.max(byWords, 1 - editDistance(a, b) / Math.max(a.length, b.length));
}

/** What of a table is not known, exactly: the currency alone, a column, or which is which. */
function unknownColumns(kind: ImportKind, headers: readonly string[]): FileFault {
  const fieldMap = mapOfFields(kind, headers);
  if (fieldMap !== null && lacking(fieldMap).join() === 'currency') {
    return new FileFault(because({ id: 'currency-column-missing' }), {}, { currency: 'USD' }, fieldMap);
  }
  const guess = guessMap(kind, headers);
  const { currency: _example, ...stated } = guess;
  const missing = lacking(stated).filter((field) => field !== 'currency');
  if (missing.length === 0 && lacking(stated).includes('currency')) {
    return new FileFault(because({ id: 'currency-and-columns-unsure' }), {}, { currency: 'USD' }, guess);
  }
  return new FileFault(because({ id: 'columns-unknown', fields: missing, kind, headers }), {}, {}, guess);
}

/** A map made of what the headers seem to say. It is a proposal: what it does not know is left as `...`. */
export function guessMap(kind: ImportKind, headers: readonly string[], name = 'mine'): ColumnMap<string> {
  const columns: Record<string, string> = {};
  for (const [field, words] of HEADER_WORDS[kind]) {
    const header = headers.find((one) => words.test(one.trim()) && !Object.values(columns).includes(one));
    if (header !== undefined) columns[field] = header;
  }
  if (kind === 'receipts') {
    if (columns.debit !== undefined && columns.credit !== undefined) delete columns.amount;
    else {
      delete columns.debit;
      delete columns.credit;
      columns.amount ??= '...';
    }
    if (columns.amount === undefined || columns.sign === undefined) delete columns.sign;
  }
  for (const field of MAP_FIELDS[kind].required) columns[field] ??= '...';
  if (kind === 'settlement' && columns.reference === undefined) columns.order ??= '...';
  const signed = columns.sign === undefined ? {} : { credit_words: ['C', 'CR'] };
  const currency =
    MAP_FIELDS[kind].all.includes('currency') && columns.currency === undefined ? { currency: 'USD' } : {};
  return { name, kind, columns, ...signed, ...currency };
}

/** Whether a map reads a file that another read before as that did: it may name more headers of a field, of which a file has one. */
export function readsAlike({ columns: was, ...before }: ColumnMap, { columns: now, ...after }: ColumnMap): boolean {
  const fields = Object.keys(was);
  if (fields.length !== Object.keys(now).length) return false;
  if (!isDeepStrictEqual(before, JSON.parse(JSON.stringify(after)))) return false;
  return fields.every((field) => {
    const keys = new Set(headersOf(now[field] ?? []).map(headerKey));
    return headersOf(was[field]!).every((header) => keys.has(headerKey(header)));
  });
}
