import { tablesError } from '../../words/errors/tables.ts';
import { FileFault } from '../formats/fault.ts';
import { headerKey } from '../formats/text-forms.ts';
import { BUILT_IN_MAPS } from './built-in.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from './column-map.ts';
import { guessMap, guessRenamed } from './guess-map.ts';
import { type Headers, headersOf, OPEN_HEADER } from './headers.ts';

/** Headers of WooCommerce's Analytics export, which does not say how an order is paid. */
const ANALYTICS = /^(n\. revenue|net sales)/;

/**
 * Chooses the map by which a table is read: the given one, or the built-in one that its headers fit.
 *
 * @throws FileFault when neither fits, with what is missing, and the map to add
 */
export function chooseMap(kind: ImportKind, headers: readonly string[], userMap: ColumnMap | null): ColumnMap<string> {
  if (userMap !== null && Object.keys(userMap.columns).length > 0) return mapInFile(userMap, headers);
  const keys = headers.map(headerKey);
  if (kind === 'orders' && keys.includes('order #') && keys.some((key) => ANALYTICS.test(key))) {
    throw new FileFault(tablesError({ id: 'woocommerce-analytics' }));
  }
  const map = fittingMap(kind, headers, userMap);
  if (map !== null) return map;
  throw unknownColumns(kind, headers, userMap);
}

/**
 * The user's map, with the one header of each field that the file has.
 *
 * @throws FileFault for a field with several of its headers in the file, or none; if none, with a map that may read it
 */
function mapInFile(userMap: ColumnMap, headers: readonly string[]): ColumnMap<string> {
  const keys = new Set(headers.map(headerKey));
  const fields = Object.entries(userMap.columns).map(([field, names]) => ({
    field,
    names: headersOf(names),
    inFile: headersOf(names).filter((name) => keys.has(headerKey(name))),
  }));
  const twice = fields.find(({ inFile }) => inFile.length > 1);
  if (twice) {
    const { field, inFile: columns } = twice;
    throw new FileFault(tablesError({ id: 'field-twice', field, columns, map: userMap.name }));
  }
  const missing = fields.filter(({ inFile }) => inFile.length === 0);
  if (missing.length === 0) {
    return { ...userMap, columns: Object.fromEntries(fields.map(({ field, inFile }) => [field, inFile[0]!])) };
  }
  const guesses = guessRenamed(userMap, missing, headers);
  const proposed: Record<string, Headers> = { ...userMap.columns };
  for (const { field, names } of missing) {
    const earlierNames = names.filter((name) => name !== OPEN_HEADER);
    proposed[field] = [...earlierNames, guesses.get(field) ?? OPEN_HEADER];
  }
  const missingNames = missing.map(({ names }) => names);
  const why = tablesError({ id: 'map-columns-missing', map: userMap.name, missing: missingNames, headers });
  throw FileFault.ofColumns(why, { ...userMap, columns: proposed });
}

/**
 * The map that a row's headers fit, with the settings of a user's map that has no columns; null if none fits. The first
 * of these:
 * 1. Names of fields as headers, with every required field.
 * 2. A built-in map.
 * 3. Names of fields as headers, where the user's map names the currency for which the file has no column.
 */
function fittingMap(kind: ImportKind, cells: readonly string[], userMap: ColumnMap | null): ColumnMap<string> | null {
  const headers = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
  const fieldMap = mapOfFields(kind, headers);
  if (fieldMap !== null && lackingFields(fieldMap).length === 0) return withSettings(fieldMap, userMap);
  const keys = new Set(headers.map(headerKey));
  const builtIn = BUILT_IN_MAPS.find(({ map, recognisedBy }) => {
    return map.kind === kind && recognisedBy.every((names) => headersOf(names).some((name) => keys.has(name)));
  });
  if (builtIn) return withSettings(builtIn.map, userMap);
  const map = fieldMap === null ? null : withSettings(fieldMap, userMap);
  return map !== null && lackingFields(map, map.currency).length === 0 ? map : null;
}

/** A map with the settings of a user's map that has no columns. */
function withSettings(map: ColumnMap<string>, userMap: ColumnMap | null): ColumnMap<string> {
  return { ...map, ...userMap, columns: map.columns };
}

/** The map of a file whose headers are all names of fields; null if one is not. */
function mapOfFields(kind: ImportKind, headers: readonly string[]): ColumnMap<string> | null {
  // A sign needs `credit_words` too, which no header gives.
  const fields = MAP_FIELDS[kind].all.filter((field) => field !== 'sign');
  const columns: Record<string, string> = {};
  for (const header of headers) {
    const name = headerKey(header).replaceAll(' ', '_');
    if (!fields.includes(name) || columns[name] !== undefined) return null;
    columns[name] = header;
  }
  return headers.length < 2 ? null : { name: kind === 'receipts' ? 'cash-book' : kind, kind, columns };
}

/** The required fields for which a map has no column, nor, for the currency, a setting. */
function lackingFields({ kind, columns }: ColumnMap, currency?: string): string[] {
  const has = (field: string): boolean => columns[field] !== undefined && columns[field] !== OPEN_HEADER;
  const required = new Set(MAP_FIELDS[kind].required);
  if (kind === 'receipts' && !(has('debit') && has('credit'))) required.add('amount');
  if (kind === 'receipts' || kind === 'tariff' || has('cod')) required.add('currency');
  if (kind === 'settlement' && !has('reference')) required.add('order');
  if (currency !== undefined) required.delete('currency');
  return [...required].filter((field) => !has(field));
}

/** The fault of headers that fit no map: the currency is missing, or columns are, or a guess needs confirmation. */
function unknownColumns(kind: ImportKind, headers: readonly string[], userMap: ColumnMap | null): FileFault {
  // A setting to add to the proposed map, with an example as its value.
  const settingToAdd = { currency: 'USD' };
  const fieldMap = mapOfFields(kind, headers);
  if (fieldMap !== null && lackingFields(fieldMap).join() === 'currency') {
    return FileFault.ofColumns(
      tablesError({ id: 'currency-column-missing' }),
      withSettings(fieldMap, userMap),
      settingToAdd,
    );
  }
  const guess = withSettings(guessMap(kind, headers), userMap);
  // The currency of a guess without a setting is an example.
  const lacking = lackingFields(guess, userMap?.currency);
  const missing = lacking.filter((field) => field !== 'currency');
  if (missing.length === 0 && lacking.includes('currency')) {
    return FileFault.ofColumns(tablesError({ id: 'currency-and-columns-unsure' }), guess, settingToAdd);
  }
  return FileFault.ofColumns(tablesError({ id: 'columns-unknown', fields: missing, kind, headers }), guess);
}

/** Whether a row is surely the header: it has each column of the user's map or, if that has none, a map fits it. */
export function isHeaderOf(kind: ImportKind, cells: readonly string[], userMap: ColumnMap | null): boolean {
  const columns = Object.values(userMap?.columns ?? {});
  if (columns.length === 0) return fittingMap(kind, cells, userMap) !== null;
  const keys = new Set(cells.map(headerKey));
  return columns.every((headers) => headersOf(headers).some((header) => keys.has(headerKey(header))));
}

/** The index of the row with the most headers, of the map or usual ones; 0 if no row has two. */
export function likelyHeader(kind: ImportKind, rows: readonly (readonly string[])[], userMap: ColumnMap | null) {
  const headersOfMap = Object.values(userMap?.columns ?? {}).flatMap(headersOf);
  const keysOfMap = new Set(headersOfMap.map(headerKey));
  const counts = rows.map((cells) => {
    const headersGuessed = Object.values(guessMap(kind, cells).columns).filter((header) => header !== OPEN_HEADER);
    const headersInMap = cells.filter((cell) => keysOfMap.has(headerKey(cell)));
    return new Set([...headersGuessed, ...headersInMap].map(headerKey)).size;
  });
  const most = Math.max(...counts);
  return most < 2 ? 0 : counts.indexOf(most);
}
