import { because } from '../../words/errors/tables.ts';
import { headerKey } from '../formats/characters.ts';
import { FileFault } from '../formats/fault.ts';
import { BUILT_IN_MAPS, type BuiltInMap } from './built-in.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from './column-map.ts';
import { guessMap, guessRenamed } from './guess-map.ts';
import { type Headers, headersOf, OPEN_HEADER } from './headers.ts';

/** Headers of WooCommerce's own Analytics export, which does not say how an order is paid. */
const ANALYTICS = /^(n\. revenue|net sales)/;

/**
 * The map by which a table is read: the one that was named, or the built-in one that its headers fit.
 *
 * @throws FileFault when neither fits: what is missing, and the map to add
 */
export function chooseMap(kind: ImportKind, headers: readonly string[], named: ColumnMap | null): ColumnMap<string> {
  if (named !== null && Object.keys(named.columns).length > 0) return mapInFile(named, headers);
  const keys = headers.map(headerKey);
  if (kind === 'orders' && keys.includes('order #') && keys.some((key) => ANALYTICS.test(key))) {
    throw new FileFault(because({ id: 'woocommerce-analytics' }));
  }
  const map = fittingMap(kind, headers, named);
  if (map !== null) return map;
  throw unknownColumns(kind, headers);
}

/**
 * A named map with, of each field's headers, the one that the file has.
 *
 * @throws FileFault for a field of which the file has several headers, or none; then with the map that may read it
 */
function mapInFile(named: ColumnMap, headers: readonly string[]): ColumnMap<string> {
  const keys = new Set(headers.map(headerKey));
  const fields = Object.entries(named.columns).map(([field, names]) => ({
    field,
    names: headersOf(names),
    inFile: headersOf(names).filter((name) => keys.has(headerKey(name))),
  }));
  for (const { field, inFile } of fields) {
    if (inFile.length > 1) throw new FileFault(because({ id: 'field-twice', field, columns: inFile, map: named.name }));
  }
  const missing = fields.filter(({ inFile }) => inFile.length === 0);
  if (missing.length === 0) {
    return { ...named, columns: Object.fromEntries(fields.map(({ field, inFile }) => [field, inFile[0]!])) };
  }
  const guesses = guessRenamed(named, missing, headers);
  const proposed: Record<string, Headers> = { ...named.columns };
  for (const { field, names } of missing) {
    const known = names.filter((name) => name !== OPEN_HEADER);
    proposed[field] = [...known, guesses.get(field) ?? OPEN_HEADER];
  }
  const missingNames = missing.map(({ names }) => names);
  const why = because({ id: 'map-columns-missing', map: named.name, missing: missingNames, headers });
  throw FileFault.ofColumns(why, { ...named, columns: proposed });
}

/**
 * The built-in map that a row's headers fit, with the settings of a named map that has no columns of its own; null where none fits. Such a
 * map may name the currency that the file does not have.
 */
export function fittingMap(
  kind: ImportKind,
  cells: readonly string[],
  named: ColumnMap | null,
): ColumnMap<string> | null {
  const headers = withoutBlankEnd(cells);
  const builtIn = builtInMapFor(kind, headers);
  if (named === null) return builtIn;
  if (builtIn !== null) return { ...builtIn, ...named, columns: builtIn.columns, name: named.name };
  const fieldMap = mapOfFields(kind, headers);
  const map = fieldMap === null ? null : { ...fieldMap, ...named, columns: fieldMap.columns };
  return map !== null && lackingFields(map).length === 0 ? map : null;
}

function withoutBlankEnd(headers: readonly string[]): readonly string[] {
  return headers.slice(0, headers.findLastIndex((header) => header.trim() !== '') + 1);
}

/**
 * The built-in map that a file's headers fit; null where none does. Headers that are fields of the kind and nothing else fit as they are,
 * whichever of them a file has, as long as none is missing that is needed.
 */
function builtInMapFor(kind: ImportKind, headers: readonly string[]): ColumnMap<string> | null {
  const keys = new Set(headers.map(headerKey));
  const fits = ({ map, known }: BuiltInMap): boolean =>
    map.kind === kind && known.every((names) => headersOf(names).some((name) => keys.has(name)));
  const fieldMap = mapOfFields(kind, headers);
  if (fieldMap !== null && lackingFields(fieldMap).length === 0) return fieldMap;
  // Ours come first, and no shop's headers hold all of theirs.
  return BUILT_IN_MAPS.find(fits)?.map ?? null;
}

const OWN_NAMES: Record<ImportKind, string> = {
  orders: 'orders',
  receipts: 'cash-book',
  settlement: 'settlement',
  tariff: 'tariff',
  rates: 'rates',
};

/** The map of a file whose headers are all fields of its kind; null where one is not. */
function mapOfFields(kind: ImportKind, headers: readonly string[]): ColumnMap<string> | null {
  const fields = MAP_FIELDS[kind].all.filter((field) => field !== 'sign');
  const columns: Record<string, string> = {};
  for (const header of headers) {
    const name = headerKey(header).replaceAll(' ', '_');
    if (!fields.includes(name) || columns[name] !== undefined) return null;
    columns[name] = header;
  }
  return headers.length < 2 ? null : { name: OWN_NAMES[kind], kind, columns };
}

/** The fields without which a map reads nothing, and for which it has no column; of the currency, nor a setting. */
function lackingFields({ kind, columns, currency }: ColumnMap): string[] {
  const has = (field: string): boolean => columns[field] !== undefined && columns[field] !== OPEN_HEADER;
  const needed = new Set(MAP_FIELDS[kind].required);
  if (kind === 'receipts' && !(has('debit') && has('credit'))) needed.add('amount');
  if (kind === 'receipts' || kind === 'tariff' || has('cod')) needed.add('currency');
  if (kind === 'settlement' && !has('reference')) needed.add('order');
  if (currency !== undefined) needed.delete('currency');
  return [...needed].filter((field) => !has(field));
}

/** Says as exactly as possible what of a table is not known: the currency alone, a column, or which is which. */
function unknownColumns(kind: ImportKind, headers: readonly string[]): FileFault {
  const example = { currency: 'USD' };
  const fieldMap = mapOfFields(kind, headers);
  if (fieldMap !== null && lackingFields(fieldMap).join() === 'currency') {
    return FileFault.ofColumns(because({ id: 'currency-column-missing' }), fieldMap, example);
  }
  const guess = guessMap(kind, headers);
  const { currency: _example, ...withoutExample } = guess;
  const lacking = lackingFields(withoutExample);
  const missing = lacking.filter((field) => field !== 'currency');
  if (missing.length === 0 && lacking.includes('currency')) {
    return FileFault.ofColumns(because({ id: 'currency-and-columns-unsure' }), guess, example);
  }
  return FileFault.ofColumns(because({ id: 'columns-unknown', fields: missing, kind, headers }), guess);
}
