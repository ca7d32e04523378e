import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { machineZone } from '../base/day.ts';
import { ConfigError } from '../base/errors.ts';
import { isCourierName } from '../base/names.ts';
import { type LockKind, type Place, placeOf } from '../base/place.ts';
import type { ReturnsSetting } from '../base/returns.ts';
import { type AccountingSettings, NO_ACCOUNTING_SETTINGS, type ReferenceRule } from '../base/settings.ts';
import type { CustodyDays } from '../base/states.ts';
import { quoted, shellWord } from '../base/text.ts';
import { type KeySource, readPassword } from './key.ts';
import { DEFAULTS, type SettingName, type SettingValues, settingFault } from './settings.ts';
import { readSettingsFile } from './settings-file.ts';
import {
  type ApprovalSettings,
  type CourierToml,
  type DeskSettings,
  NO_APPROVALS,
  NO_DESK,
  type ReceiptSettings,
  type TableValues,
} from './tables.ts';

/** Everything that can be set, resolved: flags over environment over remit.toml over defaults. */
export interface Config extends CourierSettings {
  /** The books folder; null if all settings come from flags and environment. */
  readonly folder: string | null;
  /** The remit.toml that was read; null without one. */
  readonly file: string | null;
  readonly ledger: Place;
  /** The folder of the statements, absolute. */
  readonly statements: string;
  readonly concurrency: number;
  /** Hours and days: docs/settings.md says from what each counts, template.ts in a line. */
  readonly recheckHours: number;
  readonly recheckPaidDays: number;
  readonly overdueDays: number;
  readonly disputeDays: number;
  readonly matchDays: number;
  /**
   * The largest accepted difference between an invoice's net and its receipts, in units of each currency: decimal text.
   */
  readonly remittanceTolerance: string;
  /** The largest share by which an implied rate may be off: decimal text, 0.01 is one percent. */
  readonly rateTolerance: string;
  readonly referenceRule: ReferenceRule;
  /** The most that may be called rounding on one invoice, by currency: decimal text. */
  readonly roundingLimit: Readonly<Record<string, string>>;
  readonly accounting: AccountingSettings;
  readonly approvals: ApprovalSettings;
  readonly desk: DeskSettings;
  /** `[journal]`, as written. */
  readonly journal: Readonly<Record<string, unknown>>;
  /** `[maps.NAME]` by name, as written: a faulty one is an error only when it is used. */
  readonly maps: Readonly<Record<string, unknown>>;
  /** The time zone whose days the books use, an IANA name; this machine's if the settings name none. */
  readonly timeZone: string;
  /** Present if neither the settings nor the machine names a time zone: it is UTC then. */
  readonly assumesZone?: true;
  /** Whether the settings name the time zone; if not, the ledger's record has it. */
  readonly isZoneSet: boolean;
  readonly pageSize: number;
  readonly timeoutSeconds: number;
  readonly deadlineSeconds: number;
  readonly maxAttempts: number;
  /** Run with the summary of a night that has news or trouble, and the folder it runs in; null when not set. */
  readonly notifyCommand: { readonly command: string; readonly folder: string } | null;
  /** Where that summary is sent to; null when not set. It may hold a secret in its path: never print it. */
  readonly notifyUrl: string | null;
  /** The settings of each `[couriers.NAME]`, by name. */
  readonly couriers: Readonly<Record<string, CourierSettings>>;
  /** Whether one courier has its settings at the top of remit.toml, and not in a table. */
  readonly hasSole: boolean;
  /** The settings at the top of remit.toml, for the courier without a table. */
  readonly sole: CourierSettings;
  /** The courier that the command is about (`--courier`); null for all. */
  readonly courier: string | null;
  /** The courier's name, if the books have several and these are the settings of one. */
  readonly name?: string;
  /** The merchant's name and address on papers; null if not set. */
  readonly merchantName: string | null;
  readonly merchantAddress: string | null;
  /** The browser that prints a statement as PDF: a name on the PATH, or an absolute path; null: remit looks for one. */
  readonly browser: string | null;
}

export interface WebhookSettings {
  readonly secretSource: KeySource;
  readonly signature: 'hex' | 'base64';
  /** The header of the signature, in lower case. */
  readonly header: string;
}

/** The settings that each courier has of its own. */
export interface CourierSettings {
  /** Where the API's paths begin, with a slash at its end; null when not set. */
  readonly apiUrl: string | null;
  readonly keySource: KeySource;
  /** How the courier signs its webhooks. */
  readonly webhook: WebhookSettings;
  readonly receipts: ReceiptSettings;
  /** docs/settings.md says from when these days count; a new remit.toml says it in a line. */
  readonly invoiceLagDays: number;
  readonly remittanceLagDays: number;
  readonly returns: ReturnsSetting;
  /** The most requests to the courier's API per minute, and per month of its budget; null for no limit. */
  readonly requestsPerMinute: number | null;
  readonly requestsPerMonth: number | null;
  /** The day on which a month of the budget begins, in UTC: 1 to 28. */
  readonly budgetDay: number;
  /** After how many days the whole order book is read again. */
  readonly ordersFullEvery: number;
  /** After how many days COD is overdue at each place; undefined if nobody set it. */
  readonly custodyDays: CustodyDays | undefined;
  /** How the courier's figures arrive: `api` if they are fetched, `files` if its settlement sheets are imported. */
  readonly kind: 'api' | 'files';
  /** The column map of the courier's settlement sheets. */
  readonly map: string | null;
  /** The courier's name on papers, and where letters to it go; null if not set. */
  readonly courierTitle: string | null;
  readonly courierAddress: string | null;
  readonly courierEmail: string | null;
}

/** Settings that have a flag on the command line. */
export type SettingFlags = Pick<SettingValues, 'api_url' | 'ledger' | 'concurrency'>;

export interface ConfigOptions {
  /** False for a command that opens no ledger: it needs no books folder. */
  readonly needsLedger?: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

type FileValues = SettingValues & TableValues;

export interface ConfigSources extends ConfigOptions {
  readonly env: Env;
  /** The folder at which relative paths of flags and environment begin. */
  readonly cwd: string;
  /** `-C DIR`. */
  readonly directory?: string | undefined;
  readonly flags?: SettingFlags;
  /** `--courier NAME`. */
  readonly courier?: string | undefined;
}

export const SETTINGS_FILE = 'remit.toml';

/** A command's books folder, whether settings or a ledger are in it, and whether a flag or variable names a ledger. */
export function findBooks({ env, cwd, directory, flags = {} }: ConfigSources) {
  const folder = booksFolder(env, cwd, directory);
  const isThere = existsSync(path.join(folder, SETTINGS_FILE)) || existsSync(path.join(folder, 'ledger.db'));
  return { folder, isThere, isElsewhere: (flags.ledger ?? (env.REMIT_LEDGER || undefined)) !== undefined };
}

/**
 * Reads the settings from flags, environment and remit.toml, validates them, and freezes the result.
 *
 * @throws ConfigError naming the flag, variable or file and line at fault, or when a ledger is needed and there is no
 * books folder
 */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { env, cwd, directory, flags = {}, courier, needsLedger = true } = sources;
  const folder = booksFolder(env, cwd, directory);
  const file = path.join(folder, SETTINGS_FILE);
  const fromFile = await readSettingsFile(file);
  const ledgerHere = path.join(folder, 'ledger.db');
  const overrides = { ...fromEnvironment(env), ...withoutUndefined(flags) };
  requireValid(fromEnvironment(env), 'the environment variable REMIT_', (name) => name.toUpperCase());
  requireValid(flags, 'the flag --', (name) => name.replaceAll('_', '-'));

  const isBooksFolder = fromFile !== undefined || existsSync(ledgerHere);
  if (needsLedger && !isBooksFolder && overrides.ledger === undefined) {
    throw new ConfigError(
      `${folder} is not a books folder: it holds no ${SETTINGS_FILE}`,
      'Make one with `remit init`, name one with -C or REMIT_HOME, or set REMIT_API_URL, REMIT_API_KEY and REMIT_LEDGER.',
    );
  }
  const values: FileValues = { ...fromFile, ...overrides };
  const settings = { ...DEFAULTS, ...values };
  const place =
    overrides.ledger === undefined ? placeOf(values.ledger ?? ledgerHere, folder) : placeOf(overrides.ledger, cwd);
  const ledger = withSettings(place, values, isBooksFolder ? folder : cwd);
  const tables = Object.entries(values.couriers ?? {});
  // One courier may have its settings at the top of remit.toml (`sole`), and others in tables `[couriers.NAME]`. The
  // top is a courier's if it has an address, or if there are no tables.
  const hasSole = values.api_url !== undefined || tables.length === 0;
  const given = { env, folder, values, hasSole };
  const sole = courierSettings(null, topAsTable(values), given);
  const couriers = Object.fromEntries(tables.map(([name, table]) => [name, courierSettings(name, table, given)]));
  const chosenCourier = courierNamed(courier);
  // Without `--courier`, a command is about the only courier if just one has a table and the top is nobody's.
  const onlyName = tables.length === 1 && !hasSole ? tables[0]![0] : undefined;
  const ledgerFolder = ledger.kind === 'file' ? path.dirname(ledger.file) : cwd;
  return Object.freeze({
    folder: isBooksFolder ? folder : null,
    file: fromFile ? file : null,
    ledger,
    statements: path.join(isBooksFolder ? folder : ledgerFolder, 'statements'),
    concurrency: settings.concurrency,
    recheckHours: settings.recheck_hours,
    recheckPaidDays: settings.recheck_paid_days,
    overdueDays: settings.overdue_days,
    disputeDays: settings.dispute_days,
    matchDays: settings.match_days,
    remittanceTolerance: settings.remittance_tolerance,
    rateTolerance: settings.rate_tolerance,
    referenceRule: settings.reference_rule,
    roundingLimit: values.rounding_limit ?? {},
    accounting: values.accounting ?? NO_ACCOUNTING_SETTINGS,
    approvals: values.approvals ?? NO_APPROVALS,
    desk: values.desk ?? NO_DESK,
    journal: values.journal ?? {},
    maps: values.maps ?? {},
    timeZone: values.time_zone ?? machineZone(env) ?? 'UTC',
    ...(values.time_zone === undefined && machineZone(env) === null ? { assumesZone: true } : {}),
    isZoneSet: values.time_zone !== undefined,
    pageSize: settings.page_size,
    timeoutSeconds: settings.timeout_seconds,
    deadlineSeconds: settings.deadline_seconds,
    maxAttempts: settings.max_attempts,
    notifyCommand: values.notify_command === undefined ? null : { command: values.notify_command, folder },
    notifyUrl: values.notify_url ?? null,
    merchantName: values.merchant_name ?? null,
    merchantAddress: values.merchant_address ?? null,
    couriers,
    hasSole,
    courier: chosenCourier,
    browser: values.browser === undefined ? null : programOf(values.browser, folder),
    sole,
    // The settings of the courier that the command is about; for several couriers, those at the top.
    ...(couriers[chosenCourier ?? onlyName ?? ''] ?? sole),
  });
}

/** @throws ConfigError for a text that cannot be a courier's name */
function courierNamed(name: string | undefined): string | null {
  if (name === undefined || isCourierName(name)) return name ?? null;
  throw new ConfigError(
    `the flag --courier names ${quoted(name)}, which is no name of a courier`,
    'A name is of lower-case letters, digits and hyphens, at most 40, a letter first: see remit courier list.',
  );
}

/** The settings at the top of remit.toml in the form of a courier's table, whose fields have shorter names. */
function topAsTable(values: FileValues): CourierToml {
  const { courier_title: title, courier_address: address, courier_email: email } = values;
  return { ...values, ...values.receipts, ...withoutUndefined<CourierToml>({ title, address, email }) };
}

/** After how many days the whole order book is read again if webhooks tell of changes. */
const DAYS_WITH_WEBHOOKS = 7;

/**
 * The settings of a courier by its table. Days that the table does not say are those at the top of remit.toml, and so
 * are limits, unless the top is another courier's.
 *
 * @param name null for the courier whose settings are at the top
 */
function courierSettings(
  name: string | null,
  table: CourierToml,
  { env, folder, values, hasSole }: { env: Env; folder: string; values: FileValues; hasSole: boolean },
): CourierSettings {
  const keyInTable = sourceOf(folder, table.api_key_file, table.api_key_command);
  // A key in a courier's table comes before REMIT_API_KEY, which is there for a courier without one.
  const isInEnvironment = env.REMIT_API_KEY && (name === null || keyInTable.kind === 'none');
  const keySource: KeySource = isInEnvironment ? { kind: 'environment' } : keyInTable;
  const webhookSource = sourceOf(folder, table.webhook_secret_file, table.webhook_secret_command);
  const ordersFullEvery = webhookSource.kind === 'none' ? DEFAULTS.orders_full_every : DAYS_WITH_WEBHOOKS;
  const settings = { ...DEFAULTS, ...values };
  // The limits of the courier at the top are not for others: another account has another budget.
  const limits: CourierToml = hasSole ? table : { ...values, ...table };
  return {
    apiUrl: table.api_url === undefined ? null : withSlash(table.api_url),
    keySource: Object.freeze(keySource),
    webhook: {
      secretSource: { ...webhookSource, of: 'webhook-secret' },
      signature: (table.webhook_signature ?? DEFAULTS.webhook_signature) as WebhookSettings['signature'],
      header: (table.webhook_header ?? DEFAULTS.webhook_header).toLowerCase(),
    },
    receipts: { payers: table.payers ?? [], accounts: table.accounts ?? [] },
    invoiceLagDays: table.lag ?? settings.invoice_lag_days,
    remittanceLagDays: table.remittance_lag ?? settings.remittance_lag_days,
    custodyDays: table.custody_days ?? values.custody_days,
    returns: (table.returns ?? settings.returns) as ReturnsSetting,
    requestsPerMinute: limits.requests_per_minute ?? null,
    requestsPerMonth: limits.requests_per_month ?? null,
    budgetDay: limits.budget_day ?? DEFAULTS.budget_day,
    ordersFullEvery: limits.orders_full_every ?? ordersFullEvery,
    kind: table.kind ?? 'api',
    map: table.map ?? null,
    // A person chose the table's name; the settings at the top have none.
    courierTitle: table.title ?? name,
    courierAddress: table.address ?? null,
    courierEmail: table.email ?? null,
  };
}

/** The folder of `-C`, or REMIT_HOME, or the current folder. @throws ConfigError when the named one does not exist */
function booksFolder(env: Env, cwd: string, directory: string | undefined): string {
  const named = directory ?? (env.REMIT_HOME || undefined);
  if (named === undefined) return cwd;
  const folder = path.resolve(cwd, named);
  const present = statSync(folder, { throwIfNoEntry: false });
  if (!present?.isDirectory()) {
    throw new ConfigError(
      `${directory === undefined ? 'REMIT_HOME' : '-C'} names ${folder}, which is not a folder`,
      present ? 'Name the folder that it is in.' : `Make it with: remit init ${shellWord(folder)}`,
    );
  }
  return folder;
}

function fromEnvironment(env: Env): SettingFlags {
  // An empty variable is how cron files and containers say 'not set'.
  return withoutUndefined({ api_url: env.REMIT_API_URL || undefined, ledger: env.REMIT_LEDGER || undefined });
}

/** Leaves out undefined values, which would replace others in a spread. */
function withoutUndefined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

function requireValid(values: SettingFlags, place: string, spell: (name: string) => string): void {
  for (const [name, value] of Object.entries(withoutUndefined(values))) {
    const fault = settingFault(name as SettingName, value);
    if (fault) throw new ConfigError(`${place}${spell(name)} ${fault}`, 'Correct it and run the command again.');
  }
}

/** Where a secret comes from: a file, else a command, else nowhere. */
function sourceOf(folder: string, file: string | undefined, command: string | undefined): KeySource {
  if (file !== undefined) return { kind: 'file', file: path.resolve(folder, file) };
  return command === undefined ? { kind: 'none' } : { kind: 'command', command, folder };
}

/**
 * The place of a ledger that was typed, with the password command and the lock of a settings file.
 *
 * @param file remit.toml of the books, or another such file; null for none
 * @throws ConfigError for a place or a file that cannot be read
 */
export async function typedPlace(text: string, cwd: string, file: string | null): Promise<Place> {
  const place = placeOf(text, cwd);
  if (file === null || place.kind === 'file') return place;
  const values = await readSettingsFile(file);
  if (values !== undefined) return withSettings(place, values, path.dirname(file));
  throw new ConfigError(`${file} is not there`, 'Name the settings file of the place that the ledger is copied to.');
}

/** A server's place with the password command and the lock of its settings. */
function withSettings(place: Place, values: SettingValues, folder: string): Place {
  if (place.kind === 'file') return place;
  const { ledger_password_command: command, ledger_lock: lock } = values;
  return {
    ...place,
    ...(lock === undefined ? {} : { lock: lock as LockKind }),
    password: async () =>
      (await place.password()) ??
      (command === undefined ? null : await readPassword('ledger_password_command', { command, folder })),
  };
}

/** A path is relative to the books folder; a mere name is looked for on the PATH. */
function programOf(program: string, folder: string): string {
  return /[/\\]/.test(program) ? path.resolve(folder, program) : program;
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
