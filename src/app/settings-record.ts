/** The settings that figures rest on, as the ledger has them on record: `remit.toml` is where one changes them. */
import { canonicalJson } from '../api/canonical.ts';
import type { Config, CourierSettings } from '../config/index.ts';
import { wholeLedger } from '../ledger/index.ts';
import { readSettings } from '../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';

/** What decides a figure of the books or who may decide, by its name in remit.toml. */
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

/** The same of one courier. Its address tells accounts apart; where its key comes from is never recorded. */
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

/** The settings at one instant: those of the books, and each courier's by its key. It is the `data` of evidence of the kind `settings`. */
export interface SettingsRecord {
  readonly books: Values;
  readonly couriers: Readonly<Record<string, Values>>;
}

/** Reads the last record, or the last before a piece of evidence; where none is before it, the first. Null where none ever was. */
export async function readRecord(db: LedgerReader, before?: number): Promise<SettingsRecord | null> {
  return (await readSettings(wholeLedger(db), before)) as SettingsRecord | null;
}

/** The first settings that were ever recorded; null where none were. */
export async function readFirstRecord(db: LedgerReader): Promise<SettingsRecord | null> {
  // None is before evidence 0, and where none is before, the first is read.
  return readRecord(db, 0);
}

/** What settings are on record, of the books. An unset time zone is no other: that of the record stays. */
export function booksRecord(config: Config, held: Values | undefined): Values {
  const record = picked(OF_BOOKS, config);
  return config.isZoneSet ? record : { ...record, time_zone: held?.time_zone ?? record.time_zone };
}

/** The same of a courier. One whose address is not set here, as where the environment has it, keeps that of the record. */
export function courierRecord(own: CourierSettings, held: Values | undefined): Values {
  const record = picked(OF_COURIER, own);
  return { ...record, api_url: record.api_url ?? held?.api_url ?? null };
}

function picked(names: Names, settings: object): Values {
  const values = Object.entries(names).map(([name, field]) => [name, (settings as Values)[field]]);
  // As the ledger gives it back: a date of a map is a text there.
  return JSON.parse(JSON.stringify(Object.fromEntries(values)));
}

/** The settings of the books as recorded, to stand over those of remit.toml. */
export const booksSettings = (record: SettingsRecord | null): Partial<Config> => asSettings(OF_BOOKS, record?.books);

/** The same of a courier, by its key. */
export const courierSettings = (record: SettingsRecord | null, key: string): Partial<CourierSettings> =>
  asSettings(OF_COURIER, record?.couriers[key]);

function asSettings(names: Names, values: Values = {}): Values {
  const known = Object.entries(names).filter(([name]) => values[name] !== undefined);
  return Object.fromEntries(known.map(([name, field]) => [field, values[name]]));
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Where two records differ, as a person finds it in remit.toml: `match_days`, `payers of swift`. */
export function differences(
  held: SettingsRecord,
  wanted: SettingsRecord,
  nameOf: (courier: string) => string,
): readonly string[] {
  const names = (one: Values = {}, other: Values = {}) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]));
  const keys = [...new Set([...Object.keys(held.couriers), ...Object.keys(wanted.couriers)])].sort();
  const ofCouriers = keys.flatMap((key) =>
    names(held.couriers[key], wanted.couriers[key]).map((name) => `${name} of ${nameOf(key)}`),
  );
  return [...names(held.books, wanted.books), ...ofCouriers];
}
