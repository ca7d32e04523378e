/** `[couriers.NAME]`: the settings of one courier of the books. */
import { isCourierName } from '../base/names.ts';
import { type CustodyDays, PLACES_WITH_LIMIT } from '../base/states.ts';
import { secretsNamedTwice } from './key.ts';
import { isTable, type ReadTable, settingFault } from './settings.ts';

/** A courier's own settings, as written. */
export interface CourierToml {
  /** `api`, also when absent: its invoices are fetched. `files`: its settlement sheets are imported. */
  readonly kind?: 'api' | 'files';
  readonly api_url?: string;
  readonly api_key_file?: string;
  readonly api_key_command?: string;
  /** Words and account numbers by which its lines in a bank account or cash book are known. */
  readonly payers?: readonly string[];
  /** Accounts in which every line is from it. */
  readonly accounts?: readonly string[];
  /** After how many days a delivered order should be on an invoice. */
  readonly lag?: number;
  /** After how many days a paid invoice should have a receipt. */
  readonly remittance_lag?: number;
  /** How its invoices count RETURN rows. */
  readonly returns?: string;
  /** The most requests to its API per minute, and per month; `budget_day` is the day on which the month begins. */
  readonly requests_per_minute?: number;
  readonly requests_per_month?: number;
  readonly budget_day?: number;
  /** After how many days its whole order book is read again. */
  readonly orders_full_every?: number;
  /** After how many days COD is overdue where it is. */
  readonly custody_days?: CustodyDays;
  /** The column map of its settlement sheets. */
  readonly map?: string;
  /** Where the secret of its webhooks comes from, and how it signs them. */
  readonly webhook_secret_file?: string;
  readonly webhook_secret_command?: string;
  readonly webhook_signature?: string;
  readonly webhook_header?: string;
  /** Its name on papers, and where letters to it go. */
  readonly title?: string;
  readonly address?: string;
  readonly email?: string;
}

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const textFault = (value: unknown) => (isText(value) ? undefined : 'must be a text in quotes, and not empty');
const listFault = (value: unknown) =>
  Array.isArray(value) && value.every(isText) ? undefined : 'must be a list of texts, such as ["SWIFT DELIVERY"]';

/** What is wrong with `custody_days`, as the end of a sentence; undefined if nothing is. */
export function custodyFault(table: unknown): string | undefined {
  const isDays = (days: unknown) => Number.isInteger(days) && (days as number) >= 0 && (days as number) <= 3_650;
  const isRight =
    isTable(table) &&
    Object.entries(table).every(([name, days]) => PLACES_WITH_LIMIT.some((place) => place === name) && isDays(days));
  if (isRight) return undefined;
  return `must be days from 0 to 3650 of ${PLACES_WITH_LIMIT.join(', ')}, such as { driver = 2, company = 7, ready = 3 }`;
}

/** For each setting: says what is wrong with a value, as the end of a sentence; undefined if nothing is. */
const FAULTS: Readonly<Record<keyof CourierToml, (value: unknown) => string | undefined>> = {
  kind: (value) => (value === 'api' || value === 'files' ? undefined : 'must be "api" or "files"'),
  api_url: (value) => settingFault('api_url', value),
  api_key_file: (value) => settingFault('api_key_file', value),
  api_key_command: (value) => settingFault('api_key_command', value),
  payers: listFault,
  accounts: listFault,
  lag: (value) => settingFault('invoice_lag_days', value),
  remittance_lag: (value) => settingFault('remittance_lag_days', value),
  returns: (value) => settingFault('returns', value),
  requests_per_minute: (value) => settingFault('requests_per_minute', value),
  requests_per_month: (value) => settingFault('requests_per_month', value),
  budget_day: (value) => settingFault('budget_day', value),
  orders_full_every: (value) => settingFault('orders_full_every', value),
  custody_days: custodyFault,
  map: textFault,
  webhook_secret_file: (value) => settingFault('webhook_secret_file', value),
  webhook_secret_command: (value) => settingFault('webhook_secret_command', value),
  webhook_signature: (value) => settingFault('webhook_signature', value),
  webhook_header: (value) => settingFault('webhook_header', value),
  title: textFault,
  address: textFault,
  email: (value) => settingFault('courier_email', value),
};

/** Reads the table of all couriers: each courier's settings by its name. */
export function readCourierTables(tables: object): ReadTable<Readonly<Record<string, CourierToml>>> {
  const faults: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const place = `couriers.${name.slice(0, 60)}`;
    if (!isCourierName(name)) {
      faults.push(
        `[${place}] is no name of a courier: lower-case letters, digits and hyphens, at most 40, a letter first`,
      );
    } else if (!isTable(table)) faults.push(`\`${place}\` must be a table: [${place}]`);
    else faults.push(...faultsOf(place, table));
  }
  return { value: { ...tables } as Record<string, CourierToml>, faults };
}

/** Such as `apikey` or `api_token`: no setting, and most likely somebody wrote the key itself there. */
const LIKE_A_SECRET = /^api_?key$|secret|token|password/i;

function faultsOf(place: string, table: Readonly<Record<string, unknown>>): string[] {
  const faults = Object.entries(table).flatMap(([setting, value]) => {
    if (!Object.hasOwn(FAULTS, setting) && LIKE_A_SECRET.test(setting)) {
      return `${place} would keep the key itself in a settings file: name its file in \`api_key_file\``;
    }
    if (!Object.hasOwn(FAULTS, setting)) {
      const known = Object.keys(FAULTS).join(', ');
      return `[${place}] has no setting ${JSON.stringify(setting.slice(0, 60))}: it knows ${known}`;
    }
    const fault = FAULTS[setting as keyof CourierToml](value);
    return fault === undefined ? [] : `${place}.${setting} ${fault}`;
  });
  const namedTwice = secretsNamedTwice(table).map(
    ({ setting, short }) =>
      `[${place}] has both \`${setting}_file\` and \`${setting}_command\`: keep the one that the ${short} comes from`,
  );
  return [...faults, ...namedTwice];
}
