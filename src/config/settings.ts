import { isTimeZone } from '../base/day.ts';
import { nearestWords } from '../base/edit-distance.ts';
import { RETURNS_SETTINGS } from '../base/returns.ts';
import { DEFAULT_REFERENCE_RULE, REFERENCE_STEPS, type ReferenceRule } from '../base/settings.ts';

/**
 * Every setting of remit.toml, once: its kind, its limits and its default. Flat, so that an
 * error can name file and line; tables, such as `[receipts]` and `[maps.NAME]`, are in `tables.ts`.
 */

type Setting =
  /**
   * `path`: relative to the books folder. `url`: where the API's paths begin. `command`: run without a shell.
   * `webhook`: where a summary is sent to. `place`: a path, or the address of a database. `program`: a name on the
   * PATH, or a path. `zone`: a time zone's IANA name. `text`: words that papers show. `email`: a mail address.
   */
  | { readonly kind: 'url' | 'path' | 'command' | 'webhook' | 'place' | 'program' | 'zone' | 'text' | 'email' }
  /** The name of an HTTP header. */
  | { readonly kind: 'header'; readonly default: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  /** A whole number that limits something; unless it is set, nothing does. */
  | { readonly kind: 'limit'; readonly min: number; readonly max: number }
  /** An amount or share as a plain decimal text, so that it is exact; zero or more. */
  | { readonly kind: 'decimal'; readonly default: string }
  /** What is done to references before they are compared: some of {@link REFERENCE_STEPS}. */
  | { readonly kind: 'steps'; readonly default: ReferenceRule };

function integer(fallback: number, min: number, max: number): Extract<Setting, { kind: 'integer' }> {
  return { kind: 'integer', default: fallback, min, max };
}

export const SETTINGS = {
  api_url: { kind: 'url' },
  api_key_file: { kind: 'path' },
  api_key_command: { kind: 'command' },
  ledger: { kind: 'place' },
  ledger_password_command: { kind: 'command' },
  ledger_lock: { kind: 'choice', choices: ['advisory', 'lease'], default: 'advisory' },
  concurrency: integer(4, 1, 64),
  recheck_hours: integer(20, 0, 8_760),
  recheck_paid_days: integer(30, 0, 3_650),
  overdue_days: integer(30, 0, 3_650),
  invoice_lag_days: integer(14, 0, 3_650),
  dispute_days: integer(14, 1, 3_650),
  match_days: integer(21, 0, 3_650),
  remittance_lag_days: integer(5, 0, 3_650),
  remittance_tolerance: { kind: 'decimal', default: '0' },
  rate_tolerance: { kind: 'decimal', default: '0' },
  reference_rule: { kind: 'steps', default: DEFAULT_REFERENCE_RULE },
  returns: { kind: 'choice', choices: RETURNS_SETTINGS, default: 'auto' },
  page_size: integer(100, 1, 10_000),
  timeout_seconds: integer(30, 1, 3_600),
  deadline_seconds: integer(120, 1, 86_400),
  max_attempts: integer(5, 1, 20),
  requests_per_minute: { kind: 'limit', min: 1, max: 60_000 },
  requests_per_month: { kind: 'limit', min: 1, max: 10_000_000 },
  budget_day: integer(1, 1, 28),
  orders_full_every: integer(1, 1, 366),
  notify_command: { kind: 'command' },
  notify_url: { kind: 'webhook' },
  browser: { kind: 'program' },
  webhook_secret_file: { kind: 'path' },
  webhook_secret_command: { kind: 'command' },
  webhook_signature: { kind: 'choice', choices: ['hex', 'base64'], default: 'hex' },
  webhook_header: { kind: 'header', default: 'X-PT-Webhook-Signature' },
  time_zone: { kind: 'zone' },
  merchant_name: { kind: 'text' },
  merchant_address: { kind: 'text' },
  courier_title: { kind: 'text' },
  courier_address: { kind: 'text' },
  courier_email: { kind: 'email' },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type Settings = typeof SETTINGS;
type WithDefault = { [N in SettingName]: Settings[N] extends { default: unknown } ? N : never }[SettingName];

/** The value of each setting that has a default, where nobody sets it. */
export const DEFAULTS = Object.fromEntries(
  Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => {
    return 'default' in setting ? [[name, setting.default]] : [];
  }),
) as { readonly [N in WithDefault]: Settings[N]['default'] };

/** The values of settings that were given somewhere; texts are as given: a path is still relative. */
export type SettingValues = { [N in SettingName]?: ValueOf<(typeof SETTINGS)[N]['kind']> };

type ValueOf<K extends Setting['kind']> = K extends 'integer' | 'limit'
  ? number
  : K extends 'steps'
    ? ReferenceRule
    : string;

/** A table of remit.toml as it was read. */
export interface ReadTable<T> {
  readonly value: T;
  /** Each the end of a message that begins with the file. */
  readonly faults: readonly string[];
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a plain decimal in quotes, of at most four places. */
export function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,12}(\.\d{1,4})?$/.test(value);
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** What is wrong with a value, as the end of a sentence (`must be ...`); undefined when nothing is. */
export function settingFault(name: SettingName, value: unknown): string | undefined {
  const setting: Setting = SETTINGS[name];
  if (setting.kind === 'integer' || setting.kind === 'limit') {
    const inRange = Number.isInteger(value) && (value as number) >= setting.min && (value as number) <= setting.max;
    return inRange ? undefined : `must be a whole number from ${setting.min} to ${setting.max}`;
  }
  if (setting.kind === 'steps') {
    const isStep = (step: unknown) => (REFERENCE_STEPS as readonly unknown[]).includes(step);
    if (Array.isArray(value) && value.every(isStep)) return undefined;
    return `must be a list of some of "${REFERENCE_STEPS.join('", "')}"`;
  }
  if (setting.kind === 'decimal') {
    return isDecimal(value) ? undefined : 'must be a decimal of at most four places in quotes, such as "0.05"';
  }
  if (setting.kind === 'choice') {
    if (setting.choices.some((choice) => choice === value)) return undefined;
    return `must be one of ${setting.choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  }
  if (typeof value !== 'string' || value.trim() === '') return 'must be a text in quotes, and not empty';
  if (setting.kind === 'webhook') return faultOfWebhook(value);
  if (setting.kind === 'zone') return isTimeZone(value) ? undefined : FAULT_OF_ZONE;
  if (setting.kind === 'header') return HEADER.test(value) ? undefined : FAULT_OF_HEADER;
  if (setting.kind === 'email') return EMAIL.test(value) ? undefined : FAULT_OF_EMAIL;
  return setting.kind === 'url' ? faultOfUrl(value) : undefined;
}

const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;
const FAULT_OF_EMAIL = 'must be a mail address, such as "accounts@example.com"';

const HEADER = /^[A-Za-z0-9-]{1,60}$/;
const FAULT_OF_HEADER = 'must be the name of a header, such as "X-PT-Webhook-Signature"';

const FAULT_OF_ZONE = 'must be the name of a time zone, such as "Asia/Beirut", "Asia/Riyadh" or "UTC"';

/** Hosts that are this machine itself. */
const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/** The summary holds your figures: it leaves the machine encrypted only. */
function faultOfWebhook(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe) return 'must be an https address (http only to this machine)';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  return undefined;
}

function faultOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'must be a web address, such as https://api.example.com/v1/external/';
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (url.search !== '' || url.hash !== '') return 'must end with its path, without ? or #';
  return undefined;
}

/** The known setting that a mistyped one most likely means; undefined when none is near. */
export function nearestSetting(typed: string): SettingName | undefined {
  return nearestWords(typed, Object.keys(SETTINGS))[0] as SettingName | undefined;
}
