import type { Units } from '../../money/units.ts';
import { compareFractions, type Fraction } from './fraction.ts';
import type { Rate, RateTable } from './rate-table.ts';

/** What was collected in another currency than was asked for. */
export interface Exchange {
  /** The currency of which too little was collected, and how much. */
  readonly asked: { readonly currency: string; readonly amount: Units };
  /** The currency of which more was collected than asked for, and how much. */
  readonly collected: { readonly currency: string; readonly amount: Units };
  /** Units of the collected currency for one of the asked. */
  readonly implied: Fraction;
}

/**
 * The exchange that an order's COD shows: one currency short, another over, all others as asked.
 *
 * @returns null where there is none to compute: one currency alone differs, or more than two, or both the same way
 */
export function exchangeOf(asked: ReadonlyMap<string, Units>, collected: ReadonlyMap<string, Units>): Exchange | null {
  const differences = [...new Set([...asked.keys(), ...collected.keys()])]
    .map((currency) => ({ currency, amount: (collected.get(currency) ?? 0n) - (asked.get(currency) ?? 0n) }))
    .filter(({ amount }) => amount !== 0n);
  const short = differences.filter(({ amount }) => amount < 0n);
  const over = differences.filter(({ amount }) => amount > 0n);
  if (short.length !== 1 || over.length !== 1) return null;
  const missing = { currency: short[0]!.currency, amount: -short[0]!.amount };
  return { asked: missing, collected: over[0]!, implied: { above: over[0]!.amount, below: missing.amount } };
}

/** An exchange beside the dated table. */
export interface RateFinding {
  /** `no-rate`: the table has none for the pair on or before the day. */
  readonly outcome: 'within' | 'outside' | 'no-rate';
  readonly exchange: Exchange;
  readonly table: Fraction | null;
  readonly line: Rate | null;
}

/**
 * Compares the rate that an exchange implies with the table's.
 *
 * @param tolerance the greatest share by which the implied rate may be off, either way: 1/100 is one percent
 */
export function judgeExchange(exchange: Exchange, day: string, rates: RateTable, tolerance: Fraction): RateFinding {
  const found = rates.on(day, exchange.asked.currency, exchange.collected.currency);
  if (!found) return { outcome: 'no-rate', exchange, table: null, line: null };
  const { rate } = found;
  const { implied } = exchange;
  const off = implied.above * rate.below - rate.above * implied.below;
  const share = { above: off < 0n ? -off : off, below: rate.above * implied.below };
  const outcome = compareFractions(share, tolerance) > 0 ? 'outside' : 'within';
  return { outcome, exchange, table: rate, line: found.line };
}
