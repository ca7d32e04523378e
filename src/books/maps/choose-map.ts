import { quoted } from '../../text.ts';
import { headerKey } from '../formats/characters.ts';
import { FileFault } from '../formats/fault.ts';
import { BUILT_IN_MAPS, type BuiltInMap, HEADER_WORDS } from './built-in.ts';
import { type ColumnMap, type ImportKind, MAP_FIELDS } from './column-map.ts';

/** Headers of WooCommerce's own Analytics export. */
const ANALYTICS = /^(n\. revenue|net sales)/;

/** The built-in map that a file's headers fit; null where none does. */
export function builtInMapFor(kind: ImportKind, headers: readonly string[]): ColumnMap | null {
  const keys = new Set(headers.map(headerKey));
  const fits = ({ map, known }: BuiltInMap): boolean =>
    map.kind === kind &&
    known.every((header) => (typeof header === 'string' ? keys.has(header) : header.some((one) => keys.has(one))));
  // Ours come first, and no shop's headers hold all of theirs.
  return BUILT_IN_MAPS.find(fits)?.map ?? null;
}

/**
 * The map by which a table is read: the one that was named, or the built-in one that its headers fit.
 *
 * @throws FileFault when neither fits, with the map to add
 */
export function chooseMap(kind: ImportKind, headers: readonly string[], named: ColumnMap | null): ColumnMap {
  if (named !== null && Object.keys(named.columns).length > 0) {
    const missing = Object.values(named.columns).filter(
      (header) => !headers.some((one) => headerKey(one) === headerKey(header)),
    );
    if (missing.length === 0) return named;
    throw new FileFault(
      `it has no column ${missing.map((header) => quoted(header)).join(', ')} that the map ${quoted(named.name)} names`,
      `Its columns are ${listed(headers)}. If the header is further down, name the lines above it: skip_rows = 3.`,
    );
  }
  const keys = headers.map(headerKey);
  if (kind === 'orders' && keys.some((key) => key === 'order #') && keys.some((key) => ANALYTICS.test(key))) {
    throw new FileFault(
      "it is an export of WooCommerce's Analytics, which does not say how an order is paid, so that its COD cannot be known",
      'Export the orders with a plugin that gives payment_method and order_total, or as our CSV: reference,ordered_on,status,currency,cod.',
    );
  }
  const builtIn = builtInMapFor(kind, headers);
  if (builtIn !== null)
    return named === null ? builtIn : { ...builtIn, ...named, columns: builtIn.columns, name: named.name };
  const guess = guessMap(kind, headers);
  throw new FileFault(
    `its columns are not known as ${kind}: ${listed(headers)}`,
    'If the header is further down, name the lines above it: skip_rows = 3. Otherwise say what the columns are.',
    {},
    {},
    guess,
  );
}

/** A map made of what the headers seem to say. It is a proposal: what it does not know is left as `...`. */
export function guessMap(kind: ImportKind, headers: readonly string[], name = 'mine'): ColumnMap {
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
  const signed = columns.sign === undefined ? {} : { credit_words: ['C', 'CR'] };
  const currency =
    MAP_FIELDS[kind].all.includes('currency') && columns.currency === undefined ? { currency: 'USD' } : {};
  return { name, kind, columns, ...signed, ...currency };
}

function listed(headers: readonly string[]): string {
  const shown = headers.slice(0, 20).map((header) => quoted(header));
  return shown.join(', ') + (headers.length > 20 ? ` and ${headers.length - 20} more` : '');
}
