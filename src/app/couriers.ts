import { LedgerError, UsageError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import { comesAsSheets, type MonthSettings, readMonths, readMonthsToCheck } from '../checks/facts/months.ts';
import type { CourierSettings } from '../config/index.ts';
import { type Ledger, ofCourier, SOLE_COURIER, wholeLedger } from '../ledger/index.ts';
import { readCouriersAndNames } from '../ledger/queries/couriers.ts';
import { readDocumentedMonths } from '../ledger/queries/months.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { booksError } from '../words/errors/books.ts';
import {
  booksSettings,
  courierRecord,
  courierSettings,
  isSame,
  readSettingsRecord,
  type SettingsRecord,
} from './settings-record.ts';

/** Settings as far as they say which couriers there are. */
export interface CourierChoice {
  /** `[couriers.NAME]`: what each courier sets for itself, by name. */
  readonly couriers?: Readonly<Record<string, object>>;
  /** Whether there is a sole courier: its settings are at the top of remit.toml, outside every table. */
  readonly hasSole?: boolean;
  /**
   * The sole courier's settings. They stay as they are where one courier's settings were laid over the rest of this
   * object; a courier without a table has them too.
   */
  readonly sole?: object;
  /** `--courier`; null for all. */
  readonly courier?: string | null;
  /** For a past ledger: the settings on record then, and the couriers' tables of today by their keys. */
  readonly past?: { readonly record: SettingsRecord | null; readonly tables: ReadonlyMap<string, SettingsTable> };
}

export interface Courier<C = unknown> {
  /** Marks its rows in the ledger; no rename changes it. */
  readonly key: string;
  readonly name: string;
  /** The settings of the books with those of its table laid over them. */
  readonly config: C;
  /** Whether the settings name it; one that they no longer name keeps its rows. */
  readonly isSet: boolean;
}

/**
 * The couriers that a command is about, by name: those in the settings, and those in the ledger. Their settings are
 * those on record; where none are, those of remit.toml.
 *
 * @throws UsageError for a name that no courier has
 */
export async function couriersOf<C extends CourierChoice>(db: LedgerReader, config: C): Promise<Courier<C>[]> {
  const { ledgerCouriers, names, record, tables } = await placeCouriers(db, config);
  // Each layer is laid over those before it. Below, a courier's table and record are laid over all of them.
  const settingsOfAll = { ...config, ...config.sole, ...booksSettings(record) };
  const ledgerKeys = ledgerCouriers.map(({ key }) => key);
  // A table of today may be of a courier that joined after the day of a past ledger: it is no courier of that day.
  const isCourierThen = (key: string) => {
    const isPastOnRecord = config.past !== undefined && record !== null;
    return !isPastOnRecord || record.couriers[key] !== undefined || ledgerKeys.includes(key);
  };
  const keys = new Set([...ledgerKeys, ...Object.keys(record?.couriers ?? {}), ...tables.keys()]);
  const couriers = [...keys].filter(isCourierThen).map((key): Courier<C> => {
    const table = tables.get(key);
    const name = ledgerCouriers.find((courier) => courier.key === key)?.name ?? table?.name ?? key;
    const settings = { ...(table?.settings ?? namesOnly(name)), ...courierSettings(record, key) };
    return { key, name, config: { ...settingsOfAll, ...settings }, isSet: table !== undefined };
  });
  couriers.sort((a, b) => (a.name < b.name ? -1 : 1));
  const withOthers = couriers.map((courier) => withOtherCouriers(courier, couriers));
  const { courier: chosenName = null } = config;
  if (chosenName === null) return withOthers;
  const formerKey = names.findLast(({ name }) => name === chosenName)?.key;
  const chosen =
    withOthers.find(({ name }) => name === chosenName) ??
    withOthers.find(({ key }) => key === chosenName) ??
    withOthers.find(({ key }) => key === formerKey);
  if (chosen) return [chosen];
  const couriersNamed = withOthers.map(({ name }) => name);
  throw new UsageError(booksError({ id: 'no-courier', courier: chosenName, couriers: couriersNamed }));
}

/**
 * Reads the couriers and settings in the ledger, and finds each courier's table in remit.toml.
 *
 * @returns `tables`: by the courier's key
 */
export async function placeCouriers(
  db: LedgerReader,
  config: CourierChoice,
): Promise<KnownCouriers & { readonly tables: ReadonlyMap<string, SettingsTable> }> {
  const wholeDb = wholeLedger(db);
  const record = config.past ? config.past.record : await readSettingsRecord(wholeDb);
  const known = { ...(await readCouriersAndNames(wholeDb)), record };
  return { ...known, tables: config.past?.tables ?? placeTables(known, config) };
}

/**
 * Adds the other couriers' receipt rules to a courier's settings: a receipt that one of them claims is not this one's.
 */
function withOtherCouriers<C extends CourierChoice>(courier: Courier<C>, couriers: readonly Courier<C>[]): Courier<C> {
  if (couriers.length === 1) return courier;
  const others = couriers
    .filter(({ key }) => key !== courier.key)
    .map(({ key, name, config }) => {
      return { key, name, receipts: (config as { receipts?: unknown }).receipts ?? NO_RECEIPTS };
    });
  return { ...courier, config: { ...courier.config, name: courier.name, others } };
}

/** How letters and statements call a courier without a table: the titles at the top are another courier's. */
const namesOnly = (name: string) => ({ courierTitle: name, courierAddress: null, courierEmail: null });

const NO_RECEIPTS = { payers: [], accounts: [] };

/**
 * The one courier that a command is about.
 *
 * @throws UsageError where the books have several and none was named
 */
export async function oneCourier<C extends CourierChoice>(ledger: Ledger, config: C): Promise<Courier<C>> {
  const couriers = await couriersOf(ledger.db, config);
  if (couriers.length < 2) return couriers[0]!;
  throw new UsageError(booksError({ id: 'which-courier', couriers: couriers.map(({ name }) => name) }));
}

/** A courier with nothing to show, and why. */
export interface LackingCourier {
  readonly courier: string;
  readonly error: LedgerError;
}

/**
 * The couriers that have one of the months, or any month where `months` is null.
 *
 * @returns those that have one, or the first courier where none has; `lacking`: those from which nothing came yet
 */
export async function couriersWithMonths<C extends CourierChoice & MonthSettings>(
  ledger: Ledger,
  config: C,
  months: readonly string[] | null,
): Promise<{ readonly couriers: Courier<C>[]; readonly lacking: LackingCourier[] }> {
  const couriers = await couriersOf(ledger.db, config);
  if (couriers.length < 2) return { couriers, lacking: [] };
  const why = booksError({ id: 'nothing-of-courier', ofMonths: months !== null });
  const withMonths: Courier<C>[] = [];
  const lacking: LackingCourier[] = [];
  for (const courier of couriers) {
    const courierMonths = await readMonths(ledgerOf(ledger, courier).db, courier.config);
    if (courierMonths.some((month) => months === null || months.includes(month))) withMonths.push(courier);
    else lacking.push({ courier: courier.name, error: new LedgerError(why) });
  }
  return withMonths.length > 0 ? { couriers: withMonths, lacking } : { couriers: couriers.slice(0, 1), lacking: [] };
}

/**
 * The months to check of each courier; null for all that it has. Where none is requested: every month that any courier
 * has, from this courier's first one on. So a courier whose sync fails, or whose sheets do not come, is not passed over
 * in silence; one in the settings from which nothing came at all lacks every month.
 */
export async function monthsToCheck<C extends CourierChoice & MonthSettings>(
  ledger: Ledger,
  { config, now }: { readonly config: C; readonly now: () => Date },
  requested: readonly string[] | null,
): Promise<{ readonly courier: Courier<C>; readonly months: readonly string[] | null }[]> {
  const couriers = await couriersOf(ledger.db, config);
  if (requested !== null || couriers.length < 2) return couriers.map((courier) => ({ courier, months: requested }));
  const all = await readMonthsToCheck(wholeLedger(ledger.db), config.timeZone, now());
  // Whoever checks the first courier then says that there is no month yet.
  if (all.length === 0) return [{ courier: couriers[0]!, months: null }];
  const courierMonths: { courier: Courier<C>; months: string[] }[] = [];
  for (const courier of couriers) {
    const [first = courier.isSet ? all[0] : undefined] = await readDocumentedMonths(ledgerOf(ledger, courier).db);
    if (first !== undefined) courierMonths.push({ courier, months: all.filter((month) => month >= first) });
  }
  return courierMonths;
}

/** Months, and how they are printed together: `2026-09..2026-11`. */
export interface Months {
  readonly periods: readonly string[];
  readonly period: string;
}

/**
 * The requested months, or every month of a courier.
 *
 * @param read reads every month; without it, those in which the courier has a line
 * @throws LedgerError when none is requested and there is none
 */
export async function monthsOf(
  { db, name }: Pick<Ledger, 'db' | 'name'>,
  settings: MonthSettings,
  requested: readonly string[] | null,
  read: (db: LedgerReader, settings: MonthSettings) => Promise<string[]> = readMonths,
): Promise<Months> {
  if (requested) return { periods: requested, period: formatPeriod(requested) };
  const periods = await read(db, settings);
  const first = periods[0];
  if (first === undefined) {
    throw new LedgerError(
      booksError({ id: 'no-month-yet', ledger: name, bySheets: await comesAsSheets(db, settings) }),
    );
  }
  // Named by the first and the last, even if a month between them is missing.
  return { periods, period: periods.length === 1 ? first : `${first}..${periods.at(-1)}` };
}

export function ledgerOf(ledger: Ledger, { key }: Pick<Courier, 'key'>): Ledger {
  return { ...ledger, db: ofCourier(ledger.db, key) };
}

/** The couriers that have rows in the ledger, every `name` that each ever had, and the settings on record. */
interface KnownCouriers extends Awaited<ReturnType<typeof readCouriersAndNames>> {
  readonly record: SettingsRecord | null;
}

interface SettingsTable {
  readonly name: string;
  readonly settings: CourierSettings;
}

/**
 * Finds the courier of each table: the one that has or had the table's name; if several did, the one with the table's
 * settings, or else with its address. A table that fits none is a new courier's.
 *
 * For example, a and b swapped their names, c was renamed d, and there is a new c. The tables a and b fit two couriers
 * each: their settings decide. The tables c and d both fit the courier that was c: d gets it, as that is its name now,
 * and c is a new courier's.
 *
 * @returns the tables by their couriers' keys
 */
function placeTables(
  known: KnownCouriers,
  { couriers = {}, hasSole, sole }: CourierChoice,
): Map<string, SettingsTable> {
  const tables = Object.entries(couriers).map(([name, settings]) => ({ name, settings: settings as CourierSettings }));
  const tablesByKey = new Map<string, SettingsTable>();
  const unassigned = new Set(tables);
  const assign = (table: SettingsTable, key: string) => {
    tablesByKey.set(key, table);
    unassigned.delete(table);
  };
  const candidates = ({ name }: SettingsTable) => keysOfName(name, known).filter((key) => !tablesByKey.has(key));
  // Where couriers swapped names, not a table's name but its settings, or else its address, say whose it is.
  for (const fitsRecord of [hasSettingsOf, hasAddressOf]) {
    for (const table of [...unassigned]) {
      const keys = keysOfName(table.name, known);
      const fitting = keys.filter((key) => fitsRecord(table, known.record?.couriers[key]));
      if (keys.length > 1 && fitting.length === 1 && !tablesByKey.has(fitting[0]!)) assign(table, fitting[0]!);
    }
  }
  // Then one by one, first the table that the fewest couriers fit; of several, one whose name is in use.
  const isNameNow = (table: SettingsTable) => known.ledgerCouriers.some(({ name }) => name === table.name);
  const nextToPlace = () => {
    const pairs = [...unassigned].map((table) => ({ table, keys: candidates(table) }));
    pairs.sort((a, b) => a.keys.length - b.keys.length || Number(isNameNow(b.table)) - Number(isNameNow(a.table)));
    return pairs.find(({ keys }) => keys.length > 0);
  };
  for (let next = nextToPlace(); next; next = nextToPlace()) assign(next.table, next.keys[0]!);
  const usedKeys = new Set(known.ledgerCouriers.map(({ key }) => key));
  for (const table of unassigned) {
    const key = freeKey(table.name, usedKeys);
    usedKeys.add(key);
    tablesByKey.set(key, table);
  }
  const hasTopSettings = hasSole ?? tables.length === 0;
  if (hasTopSettings && !tablesByKey.has(SOLE_COURIER)) {
    tablesByKey.set(SOLE_COURIER, { name: SOLE_COURIER, settings: sole as CourierSettings });
  }
  return tablesByKey;
}

/**
 * The keys of the couriers that have or had a name: first the one that has it, then the one that began with it, then
 * the last that had it.
 */
function keysOfName(name: string, { ledgerCouriers, names }: KnownCouriers): string[] {
  const hasItNow = ledgerCouriers.filter((courier) => courier.name === name);
  const beganWithIt = ledgerCouriers.filter(({ key }) => key === name);
  const hadIt = names.filter((given) => given.name === name).reverse();
  return [...new Set([...hasItNow, ...beganWithIt, ...hadIt].map(({ key }) => key))];
}

type OnRecord = SettingsRecord['couriers'][string] | undefined;

function hasSettingsOf({ settings }: SettingsTable, onRecord: OnRecord): boolean {
  return isSame(courierRecord(settings, onRecord), onRecord);
}

function hasAddressOf({ settings }: SettingsTable, onRecord: OnRecord): boolean {
  return settings.apiUrl !== null && settings.apiUrl === onRecord?.api_url;
}

/**
 * A key that no courier has: the name; or `NAME-2` where a renamed courier still has that key, or where the name is
 * `courier`, which is the sole courier's key.
 */
function freeKey(name: string, usedKeys: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? name : `${name}-${n}`;
    if (!usedKeys.has(key) && (n > 1 || key !== SOLE_COURIER)) return key;
  }
}
