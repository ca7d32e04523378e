import path from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { describePlace, type Place } from '../../base/place.ts';
import { quoted } from '../../base/text.ts';
import { type Fleet, type FleetCell, type Merchant, readFleet } from '../../config/fleet.ts';
import { loadConfig } from '../../config/index.ts';
import { readKey } from '../../config/key.ts';
import { type NightRow, Nights } from '../../ledger/fleet/nights.ts';
import type { Books } from '../books.ts';
import type { Night } from '../night/model.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the program that runs a fleet's use case provides. */
export interface FleetProgram extends Required<Pick<Books, 'now' | 'signal' | 'note' | 'by'>> {
  /** The fleet's folder, absolute. */
  readonly folder: string;
  readonly env: Env;
}

/** Environment variables for one books folder: in a fleet they would give all merchants the same books. */
const OF_ONE_BOOKS = ['REMIT_HOME', 'REMIT_API_URL', 'REMIT_API_KEY', 'REMIT_LEDGER'];

/** The environment without the variables for one books folder. */
export function withoutBooks(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !OF_ONE_BOOKS.includes(name));
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The books of a merchant, as its own commands see them. @throws ConfigError */
export async function booksOfMerchant({ books: directory }: Merchant, program: FleetProgram): Promise<Books> {
  const { now, signal, note, by } = program;
  const env = withoutBooks(program.env);
  const config = await loadConfig({ env, cwd: directory, directory });
  const key: Books['key'] = (source = config.keySource) => readKey(source, env);
  // Nobody asked for the details of one merchant.
  return { config, now, signal, note, by, key, detail: () => {} };
}

/** @throws UsageError naming the merchants that there are */
export function merchantNamed({ merchants, file }: Fleet, name: string): Merchant {
  const found = merchants.get(name);
  if (found) return found;
  throw new UsageError(`there is no merchant ${quoted(name)} in ${file}`, 'See: remit fleet status');
}

/** @throws UsageError naming the cells that there are */
export function cellNamed({ cells, file }: Fleet, name: string): FleetCell {
  const found = cells.get(name);
  if (found) return found;
  const names = [...cells.keys()].join(', ') || 'none';
  throw new UsageError(`there is no cell ${quoted(name)} in ${file}`, `The cells are ${names}.`);
}

export function nightsPlace({ database, folder }: Fleet): Place {
  return database ?? { kind: 'file', file: path.join(folder, 'nights.db') };
}

/** Whether two places are the same, even if their passwords differ. */
export function isSamePlace(a: Place, b: Place): boolean {
  return describePlace(a) === describePlace(b);
}

/** The state of a merchant after its last night. */
export interface MerchantStatus {
  readonly merchant: string;
  readonly cell: string;
  readonly last_good_sync: string | null;
  /** Null before the first night, and where the last one was killed. */
  readonly exit_code: number | null;
  /** Why the last night was not good; null where it was. */
  readonly reason: string | null;
  /** The checks that compared nothing, and the months that are incomplete. */
  readonly not_compared: readonly (
    | { readonly code: string; readonly why: string }
    | { readonly period: string; readonly why: string }
  )[];
  readonly open_errors: number;
  /** The sum of unresolved effects, by currency; negative where the merchant is short. */
  readonly short: readonly { readonly currency: string; readonly amount: string }[];
  readonly oldest_open_month: string | null;
}

const NO_NIGHT = 'it had no night yet';

/** Reads the state of each merchant from its recorded nights; the worst first. */
export async function fleetStatus(program: FleetProgram): Promise<MerchantStatus[]> {
  const fleet = await readFleet(program.folder);
  const { last, checked } = await Nights.using(nightsPlace(fleet), (nights) => nights.last());
  const byName = (rows: readonly NightRow[]) => new Map(rows.map((row) => [row.merchant, row]));
  const [lasts, checks] = [byName(last), byName(checked)];
  return [...fleet.merchants.values()]
    .map((merchant) => statusOf(merchant, lasts.get(merchant.name), checks.get(merchant.name)))
    .sort((a, b) => rankOf(a) - rankOf(b) || b.open_errors - a.open_errors || (a.merchant < b.merchant ? -1 : 1));
}

type Facts = Pick<MerchantStatus, 'last_good_sync' | 'not_compared' | 'open_errors' | 'short' | 'oldest_open_month'>;

const NO_FACTS: Facts = { last_good_sync: null, not_compared: [], open_errors: 0, short: [], oldest_open_month: null };

/** Picks from a night's result what a merchant's status shows: the `said` of its row, as JSON. */
export function saidIn({ check, last_good_sync, oldest_open_month }: Night): Facts {
  return {
    last_good_sync,
    not_compared: [
      ...(check?.skipped ?? []).map(({ code, why }) => ({ code, why })),
      ...(check?.incomplete ?? []).map(({ period, why }) => ({ period, why })),
    ],
    open_errors: check?.open.error ?? 0,
    short: (check?.short ?? []).map(({ currency, effect }) => ({ currency, amount: effect })),
    oldest_open_month,
  };
}

/** @param checked the last night that checked the books: its findings hold until another night checks */
function statusOf({ name, cell }: Merchant, last?: NightRow, checked?: NightRow): MerchantStatus {
  const factsOf = (row?: NightRow) => (row?.said ? (JSON.parse(row.said) as Facts) : null);
  const found = factsOf(checked) ?? NO_FACTS;
  const { last_good_sync, oldest_open_month } = factsOf(last) ?? found;
  return {
    merchant: name,
    cell,
    last_good_sync,
    exit_code: last?.exit_code ?? null,
    reason: last === undefined ? NO_NIGHT : last.reason,
    not_compared: found.not_compared,
    open_errors: found.open_errors,
    short: found.short,
    oldest_open_month: oldest_open_month ?? found.oldest_open_month,
  };
}

/** The exit codes of a night that was not good, and of a good one, from the worst on. */
const WORST_BAD = [2, 1, 130, 4, 3, 0];
const WORST_GOOD = [3, 0];

/**
 * 0 is the worst: wrong settings; then killed, failed, interrupted, busy, not all fetched; no night yet; good ones,
 * mismatches first.
 */
function rankOf({ exit_code, reason }: MerchantStatus): number {
  if (reason === NO_NIGHT) return WORST_BAD.length;
  // A night that was killed is as bad as one that failed.
  if (exit_code === null) return WORST_BAD.indexOf(1);
  if (reason !== null) return Math.max(0, WORST_BAD.indexOf(exit_code));
  return WORST_BAD.length + 1 + WORST_GOOD.indexOf(exit_code);
}
