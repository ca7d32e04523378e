import { type Merchant, readFleet } from '../../config/fleet.ts';
import { type NightRow, Nights } from '../../ledger/fleet/nights.ts';
import type { Night } from '../night/model.ts';
import { type FleetProgram, nightsPlace } from './fleet.ts';

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

/**
 * The status after the last night. What a check finds is taken from the last night that checked the books (`checked`):
 * it holds until another night checks.
 */
function statusOf({ name, cell }: Merchant, last?: NightRow, checked?: NightRow): MerchantStatus {
  const factsOf = (row?: NightRow) => (row?.said ? (JSON.parse(row.said) as Facts) : null);
  const atCheck = factsOf(checked) ?? NO_FACTS;
  const atLast = factsOf(last) ?? atCheck;
  return {
    merchant: name,
    cell,
    last_good_sync: atLast.last_good_sync,
    exit_code: last?.exit_code ?? null,
    reason: last === undefined ? NO_NIGHT : last.reason,
    not_compared: atCheck.not_compared,
    open_errors: atCheck.open_errors,
    short: atCheck.short,
    // Null also if the last night could not open the ledger.
    oldest_open_month: atLast.oldest_open_month ?? atCheck.oldest_open_month,
  };
}

/**
 * How a last night ended, from the worst on, with its exit code: wrong settings, failed or killed, interrupted, busy,
 * not all fetched; no night yet; good with mismatches, good without.
 */
const ENDINGS = ['bad 2', 'bad 1', 'bad 130', 'bad 4', 'bad 3', 'bad 0', NO_NIGHT, 'good 3', 'good 0'];

/** A merchant's place among others, 0 for the worst, which any code that is not listed is too. */
function rankOf({ exit_code, reason }: MerchantStatus): number {
  // A night that was killed has no exit code: it is as bad as one that failed.
  const ended = reason === NO_NIGHT ? NO_NIGHT : `${reason === null ? 'good' : 'bad'} ${exit_code ?? 1}`;
  return Math.max(0, ENDINGS.indexOf(ended));
}
