import { readFleet } from '../../config/fleet.ts';
import { type NightRow, Nights } from '../../ledger/fleet/nights.ts';
import type { Night } from '../night/model.ts';
import { type FleetProgram, nightsPlace } from './fleet.ts';

/** How a merchant was when its last night ended. */
export interface MerchantStatus {
  readonly merchant: string;
  readonly cell: string;
  readonly last_good_sync: string | null;
  /** Null before the first night, and where the last one was ended before it said anything. */
  readonly exit_code: number | null;
  /** Why the last night is no good one; null where it is. */
  readonly reason: string | null;
  /** The checks that compared nothing, and the months that are incomplete. */
  readonly not_compared: readonly (
    | { readonly code: string; readonly why: string }
    | { readonly period: string; readonly why: string }
  )[];
  readonly open_errors: number;
  /** All that is not resolved, by currency; negative where the merchant is short. */
  readonly short: readonly { readonly currency: string; readonly amount: string }[];
  readonly oldest_open_month: string | null;
}

const NO_NIGHT = 'it had no night yet';

/** How each merchant of the fleet is, by what its nights said; the worst first. */
export async function fleetStatus(program: FleetProgram): Promise<MerchantStatus[]> {
  const fleet = await readFleet(program.folder);
  const { last, checked } = await Nights.using(nightsPlace(fleet), (nights) => nights.last());
  const byName = (rows: readonly NightRow[]) => new Map(rows.map((row) => [row.merchant, row]));
  const [lasts, checks] = [byName(last), byName(checked)];
  return [...fleet.merchants.values()]
    .map(({ name, cell }) => statusOf(name, cell, lasts.get(name), checks.get(name)))
    .sort((a, b) => rankOf(a) - rankOf(b) || b.open_errors - a.open_errors || (a.merchant < b.merchant ? -1 : 1));
}

/** What a night said that a status shows. */
type Said = Pick<MerchantStatus, 'last_good_sync' | 'not_compared' | 'open_errors' | 'short' | 'oldest_open_month'>;

const NOTHING_SAID: Said = {
  last_good_sync: null,
  not_compared: [],
  open_errors: 0,
  short: [],
  oldest_open_month: null,
};

/** What the status of a merchant needs of a night. */
export function saidIn({ check, last_good_sync, oldest_open_month }: Night): Said {
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

/** @param checked the last night that checked the books: what it found holds until another does */
function statusOf(
  merchant: string,
  cell: string,
  last: NightRow | undefined,
  checked: NightRow | undefined,
): MerchantStatus {
  const of = (row: NightRow | undefined) => (row?.said ? (JSON.parse(row.said) as Said) : null);
  const found = of(checked) ?? NOTHING_SAID;
  const { last_good_sync, oldest_open_month } = of(last) ?? found;
  return {
    merchant,
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

/** Wrong settings need a person; then what was killed, failed, or found another command at work; then what could not all be fetched; then mismatches. */
function rankOf({ exit_code, reason }: MerchantStatus): number {
  if (reason === NO_NIGHT) return 6;
  if (exit_code === null) return 1;
  const failed = reason === null ? [3, 0] : [2, 1, 130, 4, 3, 0];
  return reason === null ? 7 + failed.indexOf(exit_code) : Math.max(0, failed.indexOf(exit_code));
}
