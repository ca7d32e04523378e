import { monthAfter } from '../world/clock.ts';
import { Books, type Movement } from './books.ts';
import type { Fact } from './facts.ts';

interface Closed {
  readonly month: string;
  readonly at: number;
}

/** What couriers owe at months' ends, after the first `upTo` of the facts. */
export class Balances {
  readonly #facts: readonly Fact[];
  readonly #known = new Map<number, readonly Movement[]>();

  constructor(facts: readonly Fact[]) {
    this.#facts = facts;
  }

  /** Closing balances by `courier currency`. A closed month's are those of its close. */
  closing(month: string, upTo = this.#facts.length): Map<string, bigint> {
    return this.#sums(month, upTo, ({ courier, currency }) => `${courier} ${currency}`);
  }

  /** Open items by `courier currency invoice`, and `courier currency unallocated`. */
  items(month: string, upTo = this.#facts.length): Map<string, bigint> {
    return this.#sums(
      month,
      upTo,
      ({ courier, currency, invoice }) => `${courier} ${currency} ${invoice ?? 'unallocated'}`,
    );
  }

  /** All that is known, by `courier currency`. */
  today(upTo = this.#facts.length): Map<string, bigint> {
    return this.closing('9999-12', upTo);
  }

  /**
   * The first month in which anything is booked, by `courier currency`; a currency in which it never had anything is
   * not there.
   */
  begins(upTo = this.#facts.length): Map<string, string> {
    const first = new Map<string, string>();
    const closes = this.#closes(upTo);
    for (const one of this.#movements(upTo)) {
      const key = `${one.courier} ${one.currency}`;
      const month = this.#bookedOn(one, closes).slice(0, 7);
      if (!first.has(key) || month < first.get(key)!) first.set(key, month);
    }
    return first;
  }

  isClosed(month: string, upTo = this.#facts.length): boolean {
    return this.#closes(upTo).some((close) => close.month === month);
  }

  #sums(month: string, upTo: number, keyOf: (one: Movement) => string): Map<string, bigint> {
    const close = this.#closes(upTo).find((one) => one.month === month);
    const known = close?.at ?? upTo;
    const closes = this.#closes(known).filter((one) => close === undefined || one.month < close.month);
    const sums = new Map<string, bigint>();
    for (const one of this.#movements(known)) {
      if (this.#bookedOn(one, closes).slice(0, 7) > month) continue;
      sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0n) + one.amount);
    }
    return sums;
  }

  /**
   * Its own day, or where its month was closed before it became known, the day on which it did; by new settings, the
   * first open day.
   */
  #bookedOn({ day, known, bySettings }: Movement, closes: readonly Closed[]): string {
    const shut = closes.filter(({ month, at }) => at < known && day.slice(0, 7) <= month).map(({ month }) => month);
    const last = shut.sort().at(-1);
    if (last === undefined) return day;
    const [seen, open] = [this.#facts[known]!.day, `${monthAfter(last, 1)}-01`];
    return seen > open && !bySettings ? seen : open;
  }

  #movements(upTo: number): readonly Movement[] {
    const held = this.#known.get(upTo) ?? new Books(this.#facts.slice(0, upTo)).movements();
    this.#known.set(upTo, held);
    return held;
  }

  /** The closes in force after some facts. */
  #closes(upTo: number): Closed[] {
    const closes: Closed[] = [];
    for (const [at, fact] of this.#facts.slice(0, upTo).entries()) {
      if (fact.kind === 'close') closes.push({ month: fact.month, at });
      if (fact.kind === 'reopen')
        closes.splice(
          closes.findIndex(({ month }) => month === fact.month),
          1,
        );
    }
    return closes;
  }
}
