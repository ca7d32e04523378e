import { DELIVERY, eachField } from '../../money/fields.ts';
import { currencyCode } from '../../money/units.ts';
import { A_HEADER, type Headers, isHeaders } from './headers.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The columns of words and days that a settlement sheet may have. */
const PAYOUT_FIELDS = ['invoice', 'issued_on', 'status'] as const;
const ROW_FIELDS = ['order', 'reference', 'workflow', 'delivered_on', 'currency', 'weight'] as const;
export const WORD_FIELDS = [...PAYOUT_FIELDS, ...ROW_FIELDS] as const;
export type WordField = (typeof WORD_FIELDS)[number];
/** The columns of amounts: one for all currencies, or a table with one for each. */
const AMOUNTS: readonly string[] = ['cod', 'fee', 'net'];
/** The tables next to `columns`, of what the courier keeps back, with a column for each kind. */
const KIND_TABLES = ['charges', 'taxes'] as const;

/** The fields that `columns` of a settlement's map may name. */
export const SETTLEMENT_FIELDS: readonly string[] = [...WORD_FIELDS, ...AMOUNTS];

/** A kind of charge or tax, such as `handling`, in a form that fits into reports and account names. */
export const KIND_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** The parts of a key of amounts in a map: `cod`, `cod.LBP`, `charges.handling`, `taxes.wht.USD`. */
export interface AmountKey {
  readonly what: 'cod' | 'charge' | 'tax' | 'net';
  /** Of a charge or tax; null for COD and net. */
  readonly kind: string | null;
  /** Null for a column of all currencies. */
  readonly currency: string | null;
}

/** Reads a key of a map's columns; null for one that is no amount. */
export function amountKey(key: string): AmountKey | null {
  const [field = '', second, third] = key.split('.');
  if (field === 'cod' || field === 'net') return { what: field, kind: null, currency: second ?? null };
  if (field === 'fee') return { what: 'charge', kind: DELIVERY, currency: second ?? null };
  if (second === undefined || (field !== 'charges' && field !== 'taxes')) return null;
  return { what: field === 'charges' ? 'charge' : 'tax', kind: second, currency: third ?? null };
}

/**
 * The columns of a settlement's map, with a key for each, and the faults in them. A table within has a key for each
 * entry: `cod = { LBP = "COD LL" }` becomes `cod.LBP`.
 */
export function settlementColumns(name: string, values: Values) {
  const columns: Record<string, Headers> = {};
  const faults: string[] = [];
  const given = isTable(values.columns) ? values.columns : {};
  for (const [field, value] of Object.entries(given)) {
    if (AMOUNTS.includes(field)) addAmounts(field, value, `columns.${field}`);
    else if (!SETTLEMENT_FIELDS.includes(field)) {
      const known = `a settlement sheet knows ${SETTLEMENT_FIELDS.join(', ')}`;
      faults.push(`maps.${name}.columns has no field ${field}: ${known}`);
    } else if (isHeaders(value)) columns[field] = value;
    else faults.push(`maps.${name}.columns.${field} must be ${A_HEADER}`);
  }
  for (const table of KIND_TABLES) {
    if (!isTable(values[table])) continue;
    for (const [kind, value] of Object.entries(values[table])) {
      if (KIND_NAME.test(kind)) addAmounts(`${table}.${kind}`, value, `${table}.${kind}`);
      else faults.push(`maps.${name}.${table}.${kind}: a kind is named in small letters, such as handling`);
    }
  }
  return { columns, faults: [...faults, ...lackingColumns(name, columns)] };

  /** Adds one column of amounts, or one for each currency. @param setting where the map has it, for faults */
  function addAmounts(key: string, value: unknown, setting: string): void {
    if (isHeaders(value)) {
      columns[key] = value;
      return;
    }
    const byCurrency = isTable(value) ? Object.entries(value) : [];
    if (byCurrency.length === 0) {
      faults.push(`maps.${name}.${setting} must be ${A_HEADER}, or a table such as { USD = "COD $" }`);
    }
    for (const [code, header] of byCurrency) {
      const currency = currencyCode(code);
      if (currency === null) faults.push(`maps.${name}.${setting}.${code} is not a currency code`);
      else if (!isHeaders(header)) faults.push(`maps.${name}.${setting}.${code} must be ${A_HEADER}`);
      else columns[`${key}.${currency}`] = header;
    }
  }
}

function lackingColumns(name: string, columns: Readonly<Record<string, Headers>>): string[] {
  const keys = Object.keys(columns);
  if (keys.length === 0) return [];
  const has = (field: string) => keys.some((key) => key === field || key.startsWith(`${field}.`));
  const lacking = ['invoice', 'issued_on', 'cod'].filter((field) => !has(field));
  const faults = lacking.map((field) => `maps.${name}.columns lacks ${field}`);
  if (!has('order') && !has('reference')) faults.push(`maps.${name}.columns lacks order, or reference`);
  if (has('fee') && has('charges')) faults.push(`maps.${name} has fee and charges: name the fee among the charges`);
  return faults;
}

/** The tables of a settlement's map as a person writes them: undoes {@link settlementColumns}. */
export function settlementTables(columns: Readonly<Record<string, Headers>>) {
  const tables = eachField(['columns', ...KIND_TABLES], (): Record<string, unknown> => ({}));
  for (const [key, header] of Object.entries(columns)) {
    const [first = '', second, third] = key.split('.');
    const isKind = first === 'charges' || first === 'taxes';
    const table = isKind ? tables[first] : tables.columns;
    const [field, currency] = isKind ? [second!, third] : [first, second];
    if (currency === undefined) table[field] = header;
    else table[field] = { ...(table[field] as object | undefined), [currency]: header };
  }
  return tables;
}

export function isTable(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
