import { isCourierName } from '../base/names.ts';
import type { AccountingSettings } from '../base/settings.ts';
import { type CustodyDays, PLACES_WITH_LIMIT } from '../base/states.ts';
import { cleanText } from '../base/text.ts';
import { secretsNamedTwice } from './key.ts';
import { isDecimal, isTable, type ReadTable, type SettingName, type SettingValues, settingFault } from './settings.ts';

const ACCOUNTING_NAMES = ['base_currency', 'revalue', 'fee_vat'];
const CURRENCY = /^[A-Z][A-Z0-9]{1,9}$/;
/** `11% included`. */
const INCLUDED = /^(\d{1,2})(?:\.(\d{1,2}))?% included$/;

/** `[accounting]`: the journal's base currency, its month-end revaluation, and the tax that delivery fees include. */
function readAccounting(table: Table): ReadTable<AccountingSettings> {
  const { base_currency, revalue = false, fee_vat } = table;
  const faults = unknownNames('accounting', table, ACCOUNTING_NAMES, ACCOUNTING_NAMES.join(', '));
  if (base_currency !== undefined && !(typeof base_currency === 'string' && CURRENCY.test(base_currency)))
    faults.push('accounting.base_currency must be a currency in quotes, such as "USD"');
  if (typeof revalue !== 'boolean') faults.push('accounting.revalue must be true or false');
  else if (revalue && base_currency === undefined)
    faults.push('accounting.revalue needs a base currency: set accounting.base_currency, such as "USD"');
  // Null if it is not set, undefined if it cannot be read.
  const vat = fee_vat === undefined ? null : hundredthsOf(fee_vat);
  if (vat === undefined)
    faults.push(
      'accounting.fee_vat must be a percentage above 0 with at most two decimals and the word included, such as "11% included"',
    );
  const baseCurrency = typeof base_currency === 'string' ? base_currency : null;
  return { value: { baseCurrency, revalue: revalue === true, feeVat: vat ?? null }, faults };
}

/** 1100 for `11% included`; undefined for zero and for any other text. */
function hundredthsOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, whole, decimals = ''] = INCLUDED.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return Number(whole + decimals.padEnd(2, '0')) || undefined;
}

/** Which lines of a bank account or cash book are from the courier (`[receipts]`). */
export interface ReceiptSettings {
  /** Words in a line's text or counterparty, and account numbers. */
  readonly payers: readonly string[];
  /** Accounts in which every line is from the courier. */
  readonly accounts: readonly string[];
}

const NO_RECEIPT_SETTINGS: ReceiptSettings = { payers: [], accounts: [] };

/** Decisions that need a second person (`[approvals]`). */
export interface ApprovalSettings {
  /** The most that one person may take off an invoice without a receipt, by currency: decimal text. */
  readonly writeOffAbove: Readonly<Record<string, string>>;
  /** Closing a month needs a second person. */
  readonly close: boolean;
  /** Importing a file of receipts needs a second person. */
  readonly imports: boolean;
}

/** The users of the desk who are not accountants: clerks decide less, readers nothing (`[desk]`). */
export interface DeskSettings {
  readonly clerks: readonly string[];
  readonly readers: readonly string[];
}

export const NO_APPROVALS: ApprovalSettings = { writeOffAbove: {}, close: false, imports: false };
export const NO_DESK: DeskSettings = { clerks: [], readers: [] };

export interface TableValues {
  /** The accounts of a journal, as written: each format reads those that it uses. */
  readonly journal?: Readonly<Record<string, unknown>>;
  readonly receipts?: ReceiptSettings;
  readonly accounting?: AccountingSettings;
  /** The most that may be called rounding on one invoice, by currency: decimal text. */
  readonly rounding_limit?: Readonly<Record<string, string>>;
  /** After how many days COD is overdue where it is. */
  readonly custody_days?: CustodyDays;
  readonly approvals?: ApprovalSettings;
  readonly desk?: DeskSettings;
  /** Column maps by name, as written: the import that uses one reads it. */
  readonly maps?: Readonly<Record<string, unknown>>;
  /** What each courier sets for itself, by its name. */
  readonly couriers?: Readonly<Record<string, CourierToml>>;
}

type Table = Readonly<Record<string, unknown>>;
type AnyReadTable = ReadTable<TableValues[keyof TableValues]>;

const READERS: Readonly<Record<keyof TableValues, (table: Table) => AnyReadTable>> = {
  receipts: readReceipts,
  maps: asWritten,
  journal: asWritten,
  rounding_limit: readRoundingLimit,
  custody_days: readCustodyDays,
  accounting: readAccounting,
  approvals: readApprovalSettings,
  desk: readDesk,
  couriers: readCourierTables,
};

export function isSettingsTable(name: string): name is keyof TableValues {
  return Object.hasOwn(READERS, name);
}

/** Reads a table of remit.toml, or says that it is none. */
export function readTable(name: keyof TableValues, value: unknown): AnyReadTable {
  if (isTable(value)) return READERS[name]({ ...value });
  const heading = name === 'maps' || name === 'couriers' ? `${name}.NAME` : name;
  return { value: undefined, faults: [`\`${name}\` must be a table: [${heading}]`] };
}

function asWritten(table: Table): ReadTable<Table> {
  return { value: table, faults: [] };
}

/** What is wrong with `custody_days`, as the end of a sentence; undefined if nothing is. */
function custodyFault(table: unknown): string | undefined {
  const isDays = (days: unknown) => Number.isInteger(days) && (days as number) >= 0 && (days as number) <= 3_650;
  const isRight =
    isTable(table) &&
    Object.entries(table).every(([name, days]) => PLACES_WITH_LIMIT.some((place) => place === name) && isDays(days));
  if (isRight) return undefined;
  return `must be days from 0 to 3650 of ${PLACES_WITH_LIMIT.join(', ')}, such as { driver = 2, company = 7, ready = 3 }`;
}

function readCustodyDays(table: Table): ReadTable<CustodyDays> {
  const fault = custodyFault(table);
  return { value: table as CustodyDays, faults: fault === undefined ? [] : [`custody_days ${fault}`] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isTexts(list: unknown): list is string[] {
  return Array.isArray(list) && list.every(isText);
}

function readReceipts(table: Table): ReadTable<ReceiptSettings> {
  const faults: string[] = [];
  const lists: Record<string, readonly string[]> = {};
  for (const [key, list] of Object.entries(table)) {
    const isKnown = Object.hasOwn(NO_RECEIPT_SETTINGS, key);
    if (!isKnown)
      faults.push(`[receipts] has no setting ${JSON.stringify(key.slice(0, 60))}: it knows payers and accounts`);
    else if (isTexts(list)) lists[key] = list;
    else faults.push(`receipts.${key} must be a list of texts, such as ["Example Delivery"]`);
  }
  return { value: { ...NO_RECEIPT_SETTINGS, ...lists }, faults };
}

function readRoundingLimit(table: Table): ReadTable<Readonly<Record<string, string>>> {
  const wrong = Object.entries(table).filter((entry) => !isLimit(entry));
  return {
    value: { ...table } as Record<string, string>,
    faults: wrong.map(
      ([code]) =>
        `rounding_limit.${code.slice(0, 60)} must be a currency and a decimal of at most four places in quotes, such as { USD = "0.05" }`,
    ),
  };
}

function readApprovalSettings(table: Table): ReadTable<ApprovalSettings> {
  const { write_off_above = {}, close = false, imports = false } = table;
  const faults = unknownNames('approvals', table, ['write_off_above', 'close', 'imports']);
  for (const [name, value] of Object.entries({ close, imports })) {
    if (typeof value !== 'boolean') faults.push(`approvals.${name} must be true or false`);
  }
  if (!isTable(write_off_above) || !Object.entries(write_off_above).every(isLimit)) {
    faults.push(
      'approvals.write_off_above must be currencies with decimals of at most four places in quotes, such as { USD = "50" }',
    );
  }
  const writeOffAbove = { ...(write_off_above as Record<string, string>) };
  return { value: { writeOffAbove, close: close === true, imports: imports === true }, faults };
}

/** Whether an entry is a currency and its limit: `USD = "50"`. */
function isLimit([code, amount]: [string, unknown]): boolean {
  return CURRENCY.test(code) && isDecimal(amount);
}

function readDesk(table: Table): ReadTable<DeskSettings> {
  const faults = unknownNames('desk', table, ['clerks', 'readers']);
  const { clerks = [], readers = [] } = table;
  for (const [name, list] of Object.entries({ clerks, readers })) {
    if (!isNames(list)) faults.push(`desk.${name} must be a list of user names, such as ["rana"]`);
  }
  const namedTwice = isNames(clerks) && isNames(readers) ? clerks.find((name) => readers.includes(name)) : undefined;
  if (namedTwice !== undefined)
    faults.push(`desk names ${JSON.stringify(namedTwice.slice(0, 60))} as a clerk and as a reader`);
  return { value: { clerks: clerks as string[], readers: readers as string[] }, faults };
}

function isNames(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((name) => typeof name === 'string' && name !== '' && name === name.trim());
}

function unknownNames(table: string, settings: object, known: readonly string[], listed = listOf(known)): string[] {
  const unknown = Object.keys(settings).filter((name) => !known.includes(name));
  return unknown.map((name) => `[${table}] has no setting ${JSON.stringify(name.slice(0, 60))}: it knows ${listed}`);
}

const listOf = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The settings of one courier (`[couriers.NAME]`), as written. */
export interface CourierToml extends Readonly<Pick<SettingValues, NamedAsAtTop>> {
  /** `api`, also when absent: its invoices are fetched. `files`: its settlement sheets are imported. */
  readonly kind?: 'api' | 'files';
  /** Words and account numbers by which its lines in a bank account or cash book are known. */
  readonly payers?: readonly string[];
  /** Accounts in which every line is from it. */
  readonly accounts?: readonly string[];
  /** After how many days a delivered order should be on an invoice. */
  readonly lag?: number;
  /** After how many days a paid invoice should have a receipt. */
  readonly remittance_lag?: number;
  /** After how many days COD is overdue where it is. */
  readonly custody_days?: CustodyDays;
  /** The column map of its settlement sheets. */
  readonly map?: string;
  /** Its name on papers, and where letters to it go. */
  readonly title?: string;
  readonly address?: string;
  readonly email?: string;
}

/** The settings that a courier's table and the top of remit.toml call the same. */
type NamedAsAtTop =
  | `api_${'url' | 'key_file' | 'key_command'}`
  | `requests_per_${'minute' | 'month'}`
  | `webhook_${'secret_file' | 'secret_command' | 'signature' | 'header'}`
  | 'budget_day'
  | 'orders_full_every'
  | 'returns';

type FaultOf = (value: unknown) => string | undefined;

const listFault: FaultOf = (value) =>
  isTexts(value) ? undefined : 'must be a list of texts, such as ["SWIFT DELIVERY"]';

/** How each setting is checked: as the named setting at the top of remit.toml is, or by a function. */
const COURIER_SETTINGS: Readonly<Record<keyof CourierToml, SettingName | FaultOf>> = {
  kind: (value) => (value === 'api' || value === 'files' ? undefined : 'must be "api" or "files"'),
  api_url: 'api_url',
  api_key_file: 'api_key_file',
  api_key_command: 'api_key_command',
  payers: listFault,
  accounts: listFault,
  lag: 'invoice_lag_days',
  remittance_lag: 'remittance_lag_days',
  returns: 'returns',
  requests_per_minute: 'requests_per_minute',
  requests_per_month: 'requests_per_month',
  budget_day: 'budget_day',
  orders_full_every: 'orders_full_every',
  custody_days: custodyFault,
  map: (value) => (isText(value) ? undefined : 'must be a text in quotes, and not empty'),
  webhook_secret_file: 'webhook_secret_file',
  webhook_secret_command: 'webhook_secret_command',
  webhook_signature: 'webhook_signature',
  webhook_header: 'webhook_header',
  title: 'courier_title',
  address: 'courier_address',
  email: 'courier_email',
};

/** Such as `remit_apikey` or `webhook-token`: no setting, and most likely somebody wrote the key itself there. */
export function isLikeASecret(name: string): boolean {
  return /^(remit_)?api_?key$|secret|token|password/i.test(name.replaceAll('-', '_'));
}

/** The setting that names a secret's file. @param name a setting like a secret, as {@link isLikeASecret} finds it */
export function secretFileFor(name: string): 'webhook_secret_file' | 'api_key_file' {
  return /hook/i.test(name) ? 'webhook_secret_file' : 'api_key_file';
}

/** Reads the table of all couriers: each courier's settings by its name. */
function readCourierTables(tables: Table): ReadTable<Readonly<Record<string, CourierToml>>> {
  const faults: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const place = `couriers.${name.slice(0, 60)}`;
    if (!isCourierName(name)) {
      faults.push(
        `[${place}] is no name of a courier: lower-case letters, digits and hyphens, at most 40, a letter first`,
      );
    } else if (!isTable(table)) faults.push(`\`${place}\` must be a table: [${place}]`);
    else faults.push(...faultsOfCourier(place, table));
  }
  return { value: { ...tables } as Record<string, CourierToml>, faults };
}

function faultsOfCourier(place: string, table: Table): string[] {
  const faults = Object.entries(table).flatMap(([setting, value]) => {
    const isKnown = Object.hasOwn(COURIER_SETTINGS, setting);
    if (!isKnown && isLikeASecret(setting)) {
      const shown = `${place}.${cleanText(setting, 60)}`;
      return `${shown} would keep the key itself in a settings file: name its file in \`${secretFileFor(setting)}\``;
    }
    if (!isKnown) {
      const known = Object.keys(COURIER_SETTINGS).join(', ');
      return `[${place}] has no setting ${JSON.stringify(setting.slice(0, 60))}: it knows ${known}`;
    }
    const rule = COURIER_SETTINGS[setting as keyof CourierToml];
    const fault = typeof rule === 'string' ? settingFault(rule, value) : rule(value);
    return fault === undefined ? [] : `${place}.${setting} ${fault}`;
  });
  const namedTwice = secretsNamedTwice(table).map(
    ({ setting, short }) =>
      `[${place}] has both \`${setting}_file\` and \`${setting}_command\`: keep the one that the ${short} comes from`,
  );
  return [...faults, ...namedTwice];
}
