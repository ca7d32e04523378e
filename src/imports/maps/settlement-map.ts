import { MoneyError } from '../../base/errors.ts';
import { parseCurrency } from '../../money/currency.ts';
import { A_HEADER, type Headers, isHeaders } from './headers.ts';

type Values = Readonly<Record<string, unknown>>;

/** The columns of words and days that a settlement sheet may have. */
const WORDS = [
  'invoice',
  'issued_on',
  'status',
  'order',
  'reference',
  'workflow',
  'delivered_on',
  'currency',
  'weight',
] as const;
/** The columns of amounts: one for all currencies, or a table with one for each. */
const AMOUNTS = ['cod', 'fee', 'net'] as const;
/** Tables beside `columns`: what the courier keeps back, each kind with a column. */
const KINDS = ['charges', 'taxes'] as const;

/** The fields of a settlement sheet, as `columns` may name them. */
export const SETTLEMENT_FIELDS: readonly string[] = [...WORDS, ...AMOUNTS];

/** A kind of charge or tax: a word that reports and accounts can bear. */
export const KIND_NAME = /^[a-z][a-z0-9_-]{0,39}$/;
/** What a lone column of fees is called. */
export const DELIVERY = 'delivery';

/** A column of amounts, as its key in a map says it: `cod`, `cod.LBP`, `charges.handling`, `taxes.wht.USD`. */
export interface AmountKey {
  readonly what: 'cod' | 'charge' | 'tax' | 'net';
  /** The kind of a charge or tax; null for COD and net. */
  readonly name: string | null;
  /** Null where the column is for all currencies. */
  readonly currency: string | null;
}

/** What a key of a map's columns means; null for one that is no amount. */
export function amountKey(key: string): AmountKey | null {
  const [field = '', ...rest] = key.split('.');
  if (field === 'cod' || field === 'net') return { what: field, name: null, currency: rest[0] ?? null };
  if (field === 'fee') return { what: 'charge', name: DELIVERY, currency: rest[0] ?? null };
  if (field !== 'charges' && field !== 'taxes') return null;
  return { what: field === 'charges' ? 'charge' : 'tax', name: rest[0]!, currency: rest[1] ?? null };
}

/**
 * The columns of a settlement's map, a key each, and what is wrong with them. A table within is one key an entry:
 * `cod = { LBP = "COD LL" }` is `cod.LBP`.
 */
export function settlementColumns(
  name: string,
  values: Values,
): { readonly columns: Readonly<Record<string, Headers>>; readonly faults: readonly string[] } {
  const columns: Record<string, Headers> = {};
  const faults: string[] = [];
  const given = isTable(values.columns) ? values.columns : {};
  for (const [field, value] of Object.entries(given)) {
    if (amountKey(field) !== null) take(field, value, `columns.${field}`);
    else if (!(WORDS as readonly string[]).includes(field)) {
      faults.push(`maps.${name}.columns has no field ${field}: settlement know ${SETTLEMENT_FIELDS.join(', ')}`);
    } else if (isHeaders(value)) columns[field] = value;
    else faults.push(`maps.${name}.columns.${field} must be ${A_HEADER}`);
  }
  for (const table of KINDS) {
    if (!isTable(values[table])) continue;
    for (const [kind, value] of Object.entries(values[table])) {
      if (KIND_NAME.test(kind)) take(`${table}.${kind}`, value, `${table}.${kind}`);
      else faults.push(`maps.${name}.${table}.${kind}: a kind is named in small letters, such as handling`);
    }
  }
  return { columns, faults: [...faults, ...lackingColumns(name, columns)] };

  function take(key: string, value: unknown, said: string): void {
    if (isHeaders(value)) columns[key] = value;
    else if (!isTable(value) || Object.keys(value).length === 0) {
      faults.push(`maps.${name}.${said} must be ${A_HEADER}, or a table such as { USD = "COD $" }`);
    } else
      for (const [code, header] of Object.entries(value)) {
        const currency = currencyCode(code);
        if (currency === null) faults.push(`maps.${name}.${said}.${code} is not a currency code`);
        else if (!isHeaders(header)) faults.push(`maps.${name}.${said}.${code} must be ${A_HEADER}`);
        else columns[`${key}.${currency}`] = header;
      }
  }
}

function lackingColumns(name: string, columns: Readonly<Record<string, Headers>>): string[] {
  const keys = Object.keys(columns);
  if (keys.length === 0) return [];
  const has = (field: string) => keys.some((key) => key === field || key.startsWith(`${field}.`));
  const faults = ['invoice', 'issued_on', 'cod']
    .filter((field) => !has(field))
    .map((field) => `maps.${name}.columns lacks ${field}`);
  if (!has('order') && !has('reference')) faults.push(`maps.${name}.columns lacks order, or reference`);
  if (has('fee') && has('charges')) faults.push(`maps.${name} has fee and charges: name the fee among the charges`);
  return faults;
}

/** The settings of a map as a person writes them: what {@link settlementColumns} made one key each, as tables again. */
export function settlementTables(
  columns: Readonly<Record<string, Headers>>,
): Record<'columns' | 'charges' | 'taxes', Values> {
  const tables: Record<'columns' | 'charges' | 'taxes', Record<string, unknown>> = {
    columns: {},
    charges: {},
    taxes: {},
  };
  for (const [key, header] of Object.entries(columns)) {
    const [first = '', ...rest] = key.split('.');
    const isKind = first === 'charges' || first === 'taxes';
    const table = isKind ? tables[first] : tables.columns;
    const [field, currency] = isKind ? [rest[0]!, rest[1]] : [first, rest[0]];
    if (currency === undefined) table[field] = header;
    else table[field] = { ...(table[field] as object | undefined), [currency]: header };
  }
  return tables;
}

function currencyCode(code: string): string | null {
  try {
    return parseCurrency(code);
  } catch (error) {
    if (error instanceof MoneyError) return null;
    throw error;
  }
}

function isTable(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
