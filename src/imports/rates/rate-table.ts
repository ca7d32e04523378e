import type { Explanation } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { compareText } from '../../base/text.ts';
import { because } from '../../words/errors/prices.ts';
import { compareFractions, type Fraction, inverse } from './fraction.ts';

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

/** Two lines that give one pair of currencies two rates on one day. */
export interface RateConflict {
  readonly lines: readonly [Rate, Rate];
  readonly explanation: Explanation;
}

/** Lines that contradict each other: to be refused at import. The same rate twice is no contradiction. */
export function rateConflicts(rates: readonly Rate[]): RateConflict[] {
  return [...groupBy(rates, ({ date, from, to }) => `${date} ${from} ${to}`).values()].flatMap((same) =>
    same
      .slice(1)
      .filter((rate) => compareFractions(rate.rate, same[0]!.rate) !== 0)
      .map((rate): RateConflict => {
        const { date: on, from, to, place } = rate;
        const explanation = because({ id: 'rates-differ', first: same[0]!.place, second: place, from, to, on });
        return { lines: [same[0]!, rate], explanation };
      }),
  );
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
   * The latest rate on or before a day. A pair that is given the other way round is turned, exactly; where both ways
   * are given the later date counts, and on one date the way that was asked for.
   *
   * @returns null when there is none
   */
  on(day: string, from: string, to: string): { readonly rate: Fraction; readonly line: Rate } | null {
    const direct = this.#latest(day, from, to);
    const turned = this.#latest(day, to, from);
    if (direct && (!turned || turned.date <= direct.date)) return { rate: direct.rate, line: direct };
    return turned ? { rate: inverse(turned.rate), line: turned } : null;
  }

  #latest(day: string, from: string, to: string): Rate | undefined {
    const lines = this.#byPair.get(`${from} ${to}`) ?? [];
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
