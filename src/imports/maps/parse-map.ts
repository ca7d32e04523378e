import { currencyCode, parseCurrency } from '../../money/units.ts';
import { dayReader } from '../formats/date-text.ts';
import { isKnownEncoding } from '../formats/encoding.ts';
import { type ColumnMap, FORMATS, IMPORT_KINDS, type ImportKind, MAP_FIELDS } from './column-map.ts';
import { A_HEADER, isHeaders } from './headers.ts';
import { isTable, settlementColumns, type Values } from './settlement-map.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isOneOf = (words: readonly unknown[]) => (value: unknown) => words.includes(value);

/** The values that each setting may have; the text completes "must be". */
const SETTINGS: Record<string, { readonly valid: (value: unknown) => boolean; readonly must: string }> = {
  kind: { valid: isOneOf(IMPORT_KINDS), must: `one of ${IMPORT_KINDS.join(', ')}` },
  format: { valid: isOneOf(FORMATS), must: `one of ${FORMATS.join(', ')}` },
  columns: { valid: isTable, must: 'a table such as { date = "Booking date" }' },
  charges: { valid: isTable, must: 'a table such as { delivery = "Delivery fee" }' },
  taxes: { valid: isTable, must: 'a table such as { wht = "WHT 2%" }' },
  totals_row: { valid: isText, must: 'the first words of the totals row, such as "Total"' },
  date: { valid: (value) => isText(value) && dayReader(value) !== null, must: 'a form such as "DD/MM/YYYY"' },
  decimal: { valid: isOneOf(['.', ',']), must: '"." or ","' },
  thousands: { valid: isOneOf([',', '.', "'", ' ']), must: 'one of "," "." "\'" and " "' },
  currency: { valid: (value) => isText(value) && currencyCode(value) !== null, must: 'a currency code such as "USD"' },
  account: { valid: isText, must: "an account's name or number" },
  courier: { valid: isText, must: "a courier's name" },
  encoding: { valid: (value) => isText(value) && isKnownEncoding(value), must: 'an encoding such as "windows-1256"' },
  delimiter: {
    valid: (value) => typeof value === 'string' && value.length === 1 && !/[\w"\r\n]/.test(value),
    must: 'one character such as ";"',
  },
  skip_rows: {
    valid: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1_000,
    must: 'a whole number of lines, 0 to 1000',
  },
  sheet: { valid: isText, must: "a sheet's name" },
  credit_words: {
    valid: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    must: 'a list such as ["C", "CR"]',
  },
};

/** A map, or all its faults, each a sentence that begins with the setting's name. */
export type ReadMap = { readonly map: ColumnMap } | { readonly faults: readonly string[] };

/** Checks `[maps.NAME]` of a settings file. */
export function parseColumnMap(name: string, values: unknown): ReadMap {
  if (!isTable(values)) return { faults: [`maps.${name} must be a table`] };
  const faults: string[] = [];
  for (const [key, given] of Object.entries(values)) {
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (!setting) faults.push(`maps.${name} has no setting ${key}: it knows ${Object.keys(SETTINGS).join(', ')}`);
    else if (!setting.valid(given)) faults.push(`maps.${name}.${key} must be ${setting.must}`);
  }
  if (values.kind === undefined) faults.push(`maps.${name}.kind is missing: it must be ${SETTINGS.kind!.must}`);
  if (values.decimal !== undefined && values.decimal === values.thousands) {
    faults.push(`maps.${name}.decimal and thousands must differ`);
  }
  const settlement = values.kind === 'settlement' ? settlementColumns(name, values) : null;
  if (settlement) faults.push(...settlement.faults, ...foreignSettingFaults(name, values));
  else if (IMPORT_KINDS.includes(values.kind as ImportKind)) faults.push(...columnFaults(name, values));
  if (faults.length > 0) return { faults };
  const currency = values.currency === undefined ? {} : { currency: parseCurrency(values.currency as string) };
  const { charges: _, taxes: __, ...settings } = values;
  const columns = settlement?.columns ?? values.columns ?? {};
  return { map: { ...settings, columns, ...currency, name } as unknown as ColumnMap };
}

/** Faults for settings that only another kind of file has. */
function foreignSettingFaults(name: string, values: Values): string[] {
  const isForeign = (setting: string, kind: ImportKind) => values[setting] !== undefined && values.kind !== kind;
  const foreign = SETTINGS_OF_ONE_KIND.filter(([setting, kind]) => isForeign(setting, kind));
  return foreign.map(([setting, , only]) => `maps.${name}.${setting} ${only}`);
}

/** The settings that files of one kind alone have. */
const SETTINGS_OF_ONE_KIND: readonly (readonly [setting: string, kind: ImportKind, only: string])[] = [
  ['account', 'receipts', 'is of receipts only'],
  ['courier', 'tariff', 'is of tariff only'],
  ['charges', 'settlement', 'are of settlements only'],
  ['credit_words', 'receipts', 'are of receipts only'],
  ['taxes', 'settlement', 'are of settlements only'],
  ['totals_row', 'settlement', 'is of settlements only'],
];

/** Faults in the columns and settings of a map of any kind but settlements. */
function columnFaults(name: string, values: Values): string[] {
  const kind = values.kind as ImportKind;
  const columns = typeof values.columns === 'object' && values.columns !== null ? (values.columns as Values) : {};
  const { all, required } = MAP_FIELDS[kind];
  const faults: string[] = [];
  const has = (field: string): boolean => columns[field] !== undefined;
  for (const [field, header] of Object.entries(columns)) {
    if (!all.includes(field)) faults.push(`maps.${name}.columns has no field ${field}: ${kind} know ${all.join(', ')}`);
    else if (!isHeaders(header)) faults.push(`maps.${name}.columns.${field} must be ${A_HEADER}`);
  }
  faults.push(...foreignSettingFaults(name, values));
  if (Object.keys(columns).length === 0) return faults;
  // The one required field of a tariff is the fee: a share of the COD may replace it.
  const needsNoFee = kind === 'tariff' && has('percent');
  for (const field of required) if (!has(field) && !needsNoFee) faults.push(`maps.${name}.columns lacks ${field}`);
  if (kind !== 'receipts') return faults;
  const hasOneOfPair = has('debit') || has('credit');
  if (has('amount') === hasOneOfPair) {
    faults.push(`maps.${name}.columns must give amount, or debit and credit${hasOneOfPair ? ', not both' : ''}`);
  } else if (hasOneOfPair && !(has('debit') && has('credit'))) {
    faults.push(`maps.${name}.columns must give both debit and credit`);
  }
  if (has('sign') && (hasOneOfPair || values.credit_words === undefined)) {
    faults.push(`maps.${name}.columns.sign needs amount, and credit_words such as ["C", "CR"]`);
  }
  if (values.credit_words !== undefined && !has('sign')) faults.push(`maps.${name}.credit_words need a sign column`);
  return faults;
}
