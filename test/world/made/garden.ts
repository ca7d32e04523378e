import { order as makeOrder } from './business.ts';
import type { Dice } from './dice.ts';
import { headerOf } from './invoice-figures.ts';
import type { Expected, Invoice, Line, Order } from './model.ts';
import { Purse, plain } from './money.ts';
import { agreed } from './prices.ts';

/** A world while differences are planted in it. Each takes an invoice or order that no other touches. */
export class Garden {
  readonly expected: Expected[] = [];
  readonly neverSent: { reference: string; day: string; cents: bigint }[] = [];
  readonly lines: Line[] = [];
  readonly unusual = new Map<number, { currency: string; off: bigint | null }>();
  readonly #invoices: Invoice[];
  readonly #orders: Order[];
  readonly #taken = new Set<Invoice | Order>();

  readonly orders: Order[];
  readonly dice: Dice;

  constructor(orders: Order[], invoices: readonly Invoice[], dice: Dice) {
    this.orders = orders;
    this.dice = dice;
    const shuffled = <T>(items: readonly T[]) =>
      items
        .map((item) => ({ item, at: dice.roll() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item);
    this.#invoices = shuffled(invoices);
    this.#orders = shuffled(orders);
  }

  expect(code: string, about: string | number, currency: string | null = null, cents: bigint | null = null): void {
    this.expected.push({ code, about: String(about), currency, effect: cents === null ? null : plain(cents) });
  }

  /** An invoice of its own, with enough dollars to lose some. */
  invoice(fits: (invoice: Invoice) => boolean): Invoice {
    const found = this.#invoices.find(
      (one) =>
        !this.#taken.has(one) &&
        fits(one) &&
        headerOf(one, false).net.of('USD') > 5_000n &&
        !one.orders.some((each) => this.#taken.has(each)),
    );
    if (!found) throw new Error('the world is too small for so many differences');
    this.#taken.add(found);
    return found;
  }

  /** A delivered order for dollars alone on an invoice that no other difference touches, or what else is asked for. */
  order(fits: (order: Order) => boolean = isPlain): Order {
    const found = this.#orders.find(
      (one) => !this.#taken.has(one) && (one.invoice === null || !this.#taken.has(one.invoice)) && fits(one),
    );
    if (!found) throw new Error('the world is too small for so many differences');
    this.#taken.add(found);
    return found;
  }

  /** One more order, delivered and billed with another. */
  added(beside: Order, forced: Partial<Order>): Order {
    const asked = Purse.of([['USD', BigInt(this.dice.whole(2_000, 9_000))]]);
    const made = makeOrder(this.orders.length, 1, this.dice, {
      workflow: 'STANDARD',
      district: 'Beirut',
      outcome: 'delivered',
      created: beside.created,
      ended: beside.ended,
      fee: agreed('STANDARD', 'Beirut', beside.ended),
      asked,
      cod: asked.copy(),
      ...forced,
    });
    this.orders.push(made);
    this.#taken.add(made);
    beside.invoice!.orders.push(made);
    made.invoice = beside.invoice;
    return made;
  }

  some(): bigint {
    return BigInt(this.dice.whole(101, 999));
  }

  /**
   * What an invoice is left with when too little or too much came in for it. Too little is in whole dollars, too much
   * in halves: neither what is too much, nor a correction of some cents, is what others still lack together, or lack
   * less what others have too much. Then it could be for them.
   *
   * @param sign 1 where something is still due, -1 where it was paid too much
   */
  leftover(sign: 1 | -1): bigint {
    return BigInt(this.dice.whole(5, 9) * 100 + (sign === 1 ? 0 : 50));
  }
}

/** Whether an order is the plainest: sent, delivered, billed, dollars and nothing else. */
export function isPlain({ outcome, cod, fee, invoice, workflow }: Order): boolean {
  const [first, ...more] = [...cod.entries(), ...fee.entries().filter(([currency]) => currency !== 'USD')];
  const isDollars = first !== undefined && first[0] === 'USD' && first[1] > 1_500n && more.length === 0;
  return outcome === 'delivered' && workflow === 'STANDARD' && invoice !== null && isDollars;
}

/** A way in which two sides can differ, with how often of a hundred it is planted. */
export type Plant = readonly [times: number, plant: (garden: Garden) => void];
