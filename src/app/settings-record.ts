/** The settings that figures rest on, as the ledger has them on record. A person changes them in `remit.toml`. */
import { canonicalJson } from '../api/canonical.ts';
import type { Config, CourierSettings } from '../config/index.ts';
import { wholeLedger } from '../ledger/index.ts';
import { readSettings } from '../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';

/** The settings of the books that decide a figure, or who may decide, by their names in remit.toml. */
const OF_BOOKS = {
  time_zone: 'timeZone',
  overdue_days: 'overdueDays',
  dispute_days: 'disputeDays',
  match_days: 'matchDays',
  remittance_tolerance: 'remittanceTolerance',
  rate_tolerance: 'rateTolerance',
  reference_rule: 'referenceRule',
  rounding_limit: 'roundingLimit',
  accounting: 'accounting',
  approvals: 'approvals',
  desk: 'desk',
  journal: 'journal',
  maps: 'maps',
} as const satisfies Readonly<Record<string, keyof Config>>;

/** Such settings of one courier. Its address tells accounts apart; where its key comes from is never recorded. */
const OF_COURIER = {
  kind: 'kind',
  api_url: 'apiUrl',
  receipts: 'receipts',
  lag: 'invoiceLagDays',
  remittance_lag: 'remittanceLagDays',
  returns: 'returns',
  custody_days: 'custodyDays',
  map: 'map',
} as const satisfies Readonly<Record<string, keyof CourierSettings>>;

type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

/**
 * The settings at one instant: those of the books, and each courier's by its key. It is the `data` of evidence of the
 * kind `settings`.
 */
export interface SettingsRecord {
  readonly books: Values;
  readonly couriers: Readonly<Record<string, Values>>;
}

/**
 * Reads the last record before a piece of evidence, or else the first; without `before`, the last. Null where there is
 * none.
 */
export async function readSettingsRecord(db: LedgerReader, before?: number): Promise<SettingsRecord | null> {
  return (await readSettings(wholeLedger(db), before)) as SettingsRecord | null;
}

/** The record of the books' settings. Where no time zone is set, that of the last record stays. */
export function booksRecord(config: Config, lastRecord: Values | undefined): Values {
  const record = picked(OF_BOOKS, config);
  return config.isZoneSet ? record : { ...record, time_zone: lastRecord?.time_zone ?? record.time_zone };
}

/**
 * The record of a courier's settings. Where no address is set, that of the last record stays: another machine may have
 * it in its environment alone.
 */
export function courierRecord(settings: CourierSettings, lastRecord: Values | undefined): Values {
  const record = picked(OF_COURIER, settings);
  return { ...record, api_url: record.api_url ?? lastRecord?.api_url ?? null };
}

function picked(names: Names, settings: object): Values {
  const values = Object.entries(names).map(([name, field]) => [name, (settings as Values)[field]]);
  // As the ledger gives it back: it has a map's date as text.
  return JSON.parse(JSON.stringify(Object.fromEntries(values)));
}

/** The books' settings on record, to be laid over those of remit.toml. */
export const booksSettings = (record: SettingsRecord | null): Partial<Config> => asSettings(OF_BOOKS, record?.books);

/** A courier's settings on record, to be laid over those of its table. */
export const courierSettings = (record: SettingsRecord | null, key: string): Partial<CourierSettings> =>
  asSettings(OF_COURIER, record?.couriers[key]);

function asSettings(names: Names, values: Values = {}): Values {
  const recorded = Object.entries(names).filter(([name]) => values[name] !== undefined);
  return Object.fromEntries(recorded.map(([name, field]) => [field, values[name]]));
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Where two records differ, as a person finds it in remit.toml: `match_days`, `receipts of swift`. */
export function differences(
  onRecord: SettingsRecord,
  wanted: SettingsRecord,
  nameOf: (courier: string) => string,
): readonly string[] {
  const names = (one: Values = {}, other: Values = {}) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]));
  const keys = [...new Set([...Object.keys(onRecord.couriers), ...Object.keys(wanted.couriers)])].sort();
  const ofCouriers = keys.flatMap((key) =>
    names(onRecord.couriers[key], wanted.couriers[key]).map((name) => `${name} of ${nameOf(key)}`),
  );
  return [...names(onRecord.books, wanted.books), ...ofCouriers];
}
