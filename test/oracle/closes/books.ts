import { invoiceSide } from '../history/invoices.ts';
import type { Night } from '../history/knowledge.ts';
import type { Money } from '../history/read.ts';
import { compared, counted, type Expected } from '../judge/finding.ts';
import { monthAfter } from '../world/clock.ts';
import { balanceAt, type ClosedAfter, type Sides } from './balance.ts';
import { clearedBy, FIGURES, figureOf, figuresOf, type MonthFigures } from './figures.ts';

/** A closed month, with what was frozen. */
export interface Closed extends ClosedAfter {
  readonly figures: MonthFigures;
  /** What it opened with and what it closes with, by currency. */
  readonly opening: ReadonlyMap<string, bigint>;
  readonly closing: ReadonlyMap<string, bigint>;
  /** What the flag had cleared of each of its invoices; null where it was not paid. */
  readonly cleared: ReadonlyMap<number, Money | null>;
}

/** The accountant's side of the books: which months are closed, and what of them has moved since. */
export class CloseBook {
  /** In the order of their months. */
  readonly inForce: Closed[] = [];
  #nights: readonly Night[] = [];
  #sides: Sides = [];

  /** Takes what the nights so far showed: those seen before, and one more. */
  see(nights: readonly Night[]): void {
    this.#nights = [...nights];
    this.#sides = [...this.#sides, invoiceSide(nights)];
  }

  get last(): Closed | undefined {
    return this.inForce.at(-1);
  }

  /** What closing a month now would freeze. */
  wouldFreeze(period: string): Closed {
    const side = this.#sides.at(-1)!;
    return {
      period,
      night: this.#nights.length - 1,
      figures: figuresOf(side, period),
      opening: this.closingOf(monthAfter(period, -1)),
      closing: this.#balance(period, this.inForce),
      cleared: new Map(
        [...side.invoices.values()]
          .filter(({ live, period: own, details }) => live && own === period && details.length > 0)
          .map(({ number, details }) => [
            number,
            details.at(-1)?.document.status === 'PAID' ? clearedBy({ details }) : null,
          ]),
      ),
    };
  }

  close(period: string): void {
    this.inForce.push(this.wouldFreeze(period));
  }

  reopen(): void {
    this.inForce.pop();
  }

  /**
   * What a month ends with, by currency: as it was closed, or as it was known at the first close after it; else all
   * that moved up to its end. Rule 61.
   */
  closingOf(month: string): ReadonlyMap<string, bigint> {
    const close = this.inForce.find(({ period }) => period >= month);
    if (close === undefined) return this.#balance(month, this.inForce);
    if (close.period === month) return close.closing;
    const known = close.night + 1;
    const earlier = this.inForce.filter(({ period }) => period < close.period);
    return balanceAt(month, this.#nights.slice(0, known), this.#sides.slice(0, known), earlier);
  }

  /** `closed-period-changed`: every frozen figure that is another now. Rule 58. */
  drift(): Expected[] {
    const side = this.#sides.at(-1);
    if (!side) return [];
    return this.inForce.flatMap((close) => {
      const { period, figures: then, cleared } = close;
      const now = figuresOf(side, period, (number) => cleared.get(number));
      const earlier = this.inForce.filter((other) => other.period < period);
      const closing = this.#balance(period, earlier);
      const about = { ...ABOUT, period };
      const found: Expected[] = [];
      for (const field of ['invoices', 'orders'] as const) {
        const base = { ...about, currency: null, field };
        if (now.isUnread && field === 'invoices') found.push({ ...base, times: 'may' });
        else if (then[field] !== now[field]) found.push({ ...base, times: 'one', ...counted(then[field], now[field]) });
      }
      const currencies = new Set([
        ...then.money.keys(),
        ...now.money.keys(),
        ...close.closing.keys(),
        ...closing.keys(),
      ]);
      for (const currency of currencies) {
        const moved = (field: string, was: bigint, is: bigint) => {
          if (was !== is) found.push({ ...about, times: 'one', currency, field, ...compared(was, is) });
        };
        for (const field of FIGURES) moved(field, figureOf(then, currency, field), figureOf(now, currency, field));
        moved('closing_balance', close.closing.get(currency) ?? 0n, closing.get(currency) ?? 0n);
      }
      return found;
    });
  }

  #balance(month: string, closes: readonly ClosedAfter[]): Map<string, bigint> {
    return balanceAt(month, this.#nights, this.#sides, closes);
  }
}

const ABOUT = {
  code: 'closed-period-changed',
  severity: 'error',
  invoice_number: null,
  order_id: null,
  effect: null,
} as const;
