import { MoneyError } from '../base/errors.ts';
import { groupBy } from '../base/group.ts';
import { compareText } from '../base/text.ts';
import { sizeOf, type Units } from '../money/units.ts';
import { moneyError } from '../words/errors/money.ts';
import { pricesError } from '../words/errors/prices.ts';

/** An exact number: rates are divided and compared as fractions, never as floats. `below` is positive. */
export interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

const DECIMAL = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Reads a plain decimal, such as `89500` or `0.0000112`.
 *
 * @throws MoneyError when it is none
 */
export function parseFraction(text: string): Fraction {
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new MoneyError(moneyError({ id: 'no-rate', rate: text.slice(0, 40) }));
  return { above: BigInt(whole + decimals), below: 10n ** BigInt(decimals.length) };
}

/**
 * Reads a rate of exchange: a plain decimal above zero.
 *
 * @throws MoneyError when it is none
 */
export function parseRate(text: string): Fraction {
  const rate = parseFraction(text);
  if (rate.above > 0n) return rate;
  throw new MoneyError(moneyError({ id: 'rate-of-zero' }));
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.above * b.below;
  const right = b.above * a.below;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * A fraction for people: a plain decimal with the given number of significant digits, the last rounded half up, without
 * trailing zeros. 1/89,500 is `0.000011173184`.
 */
export function sayFraction({ above, below }: Fraction, digits = 8): string {
  if (above === 0n) return '0';
  let decimals = 0n;
  // Enough decimals for the wanted digits, however small the number is.
  while ((above * 10n ** decimals) / below < 10n ** BigInt(digits - 1) && decimals < 60n) decimals += 1n;
  const rounded = (2n * above * 10n ** decimals + below) / (2n * below);
  if (decimals === 0n) return String(rounded);
  const text = String(rounded).padStart(Number(decimals) + 1, '0');
  const point = text.length - Number(decimals);
  return `${text.slice(0, point)}.${text.slice(point)}`.replace(/\.?0+$/, '');
}

/** One unit of `from` is `rate` units of `to`, from its date until the next. */
export interface Rate {
  /** Its place, for messages: `rates.csv:12`. */
  readonly place: string;
  readonly date: string;
  readonly from: string;
  readonly to: string;
  /** Positive. */
  readonly rate: Fraction;
}

/**
 * Finds lines that give one pair of currencies two rates on one day, two lines at a time: an import refuses them. The
 * same rate twice is no contradiction.
 */
export function rateConflicts(rates: readonly Rate[]) {
  const byPairAndDay = groupBy(rates, ({ date, from, to }) => `${date} ${from} ${to}`);
  return [...byPairAndDay.values()].flatMap((lines) => {
    const first = lines[0]!;
    const differing = lines.filter(({ rate }) => compareFractions(rate, first.rate) !== 0);
    return differing.map((second) => {
      const { date: on, from, to, place } = second;
      const explanation = pricesError({ id: 'rates-differ', first: first.place, second: place, from, to, on });
      return { lines: [first, second] as const, explanation };
    });
  });
}

/** Dated rates, made for many look-ups. */
export class RateTable {
  readonly #byPair: ReadonlyMap<string, readonly Rate[]>;

  constructor(rates: readonly Rate[]) {
    const pairs = groupBy(rates, ({ from, to }) => `${from} ${to}`);
    for (const lines of pairs.values()) lines.sort((a, b) => compareText(a.date, b.date));
    this.#byPair = pairs;
  }

  /**
   * The latest rate on or before a day. If the table has the pair only the other way round, its rate is inverted,
   * exactly; if it has both, the later date counts, and on one date the direct rate.
   *
   * @returns null when there is none
   */
  on(day: string, from: string, to: string): { readonly rate: Fraction; readonly line: Rate } | null {
    const direct = this.#latest(day, from, to);
    const inverted = this.#latest(day, to, from);
    if (direct && (!inverted || inverted.date <= direct.date)) return { rate: direct.rate, line: direct };
    if (!inverted) return null;
    const { above, below } = inverted.rate;
    return { rate: { above: below, below: above }, line: inverted };
  }

  #latest(day: string, from: string, to: string): Rate | undefined {
    const lines = this.#byPair.get(`${from} ${to}`) ?? [];
    // A binary search: `low` becomes the number of lines on or before the day.
    let low = 0;
    let high = lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lines[middle]!.date <= day) low = middle + 1;
      else high = middle;
    }
    return lines[low - 1];
  }
}

/** COD that was paid in another currency than was asked for: 100 USD are missing, and 8,950,000 LBP came instead. */
interface Exchange {
  /** The missing amount. */
  readonly asked: { readonly currency: string; readonly amount: Units };
  /** What came instead. */
  readonly collected: { readonly currency: string; readonly amount: Units };
  /** Units of the collected currency for one of the asked. */
  readonly implied: Fraction;
}

/**
 * The exchange that an order's COD shows: too little of one currency, too much of another, all others as asked.
 *
 * @returns null if one currency alone differs, or more than two, or two in the same direction
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

/** An exchange compared with the table's rate and line for its day; both are null if there is none. */
export interface RateFinding {
  /** `no-rate`: the table has none for the pair on or before the day. */
  readonly outcome: 'within' | 'outside' | 'no-rate';
  readonly exchange: Exchange;
  readonly table: Fraction | null;
  readonly line: Rate | null;
}

/**
 * Compares the rate that an exchange implies with the table's: 90,000 instead of 89,500 is off by 500/89,500.
 *
 * @param tolerance the greatest share by which the implied rate may be off, either way: 1/100 is one percent
 */
export function judgeExchange(exchange: Exchange, day: string, rates: RateTable, tolerance: Fraction): RateFinding {
  const found = rates.on(day, exchange.asked.currency, exchange.collected.currency);
  if (!found) return { outcome: 'no-rate', exchange, table: null, line: null };
  const { rate } = found;
  const { implied } = exchange;
  const difference = implied.above * rate.below - rate.above * implied.below;
  const share = { above: sizeOf(difference), below: rate.above * implied.below };
  const outcome = compareFractions(share, tolerance) > 0 ? 'outside' : 'within';
  return { outcome, exchange, table: rate, line: found.line };
}
