import { type Act, closingOf } from './accountant.ts';
import type { Manner } from './answers.ts';
import { addInvoice, addOrder, pay } from './beginning.ts';
import { daysAfter, monthAfter } from './clock.ts';
import { Dice } from './dice.ts';
import type { ServerState } from './documents.ts';
import { MUTATIONS } from './mutations/index.ts';
import { lateMutations } from './mutations/late.ts';
import { type OwnFiles, ownFilesOf } from './own-book.ts';
import { emptyState } from './state.ts';

/** One change of the server, drawn from a seed of its own: leaving out another does not change it. */
export interface Change {
  readonly name: string;
  readonly seed: number;
}

export interface PlannedNight {
  readonly at: Date;
  readonly orders: boolean;
  readonly full: boolean;
  /** The months of `sync PERIOD`; null for the default. */
  readonly asked: { readonly from: string; readonly to: string } | null;
  readonly down: boolean;
  /** The shop imports what it knows after this sync: a seed for what that is. */
  readonly own: number | null;
  readonly changes: readonly Change[];
  /** What the accountant does after it. */
  readonly acts: readonly Act[];
}

export interface Plan {
  readonly seed: number;
  readonly manner: Manner;
  /** The month with which the books begin, where months are closed. */
  readonly firstClosed: string;
  readonly nights: readonly PlannedNight[];
}

export const FIRST_MONTH = '2026-04';

/**
 * A random world.
 *
 * @param length how many nights; two to six where it is not given
 */
export function planOf(seed: number, length?: number): Plan {
  const dice = new Dice(seed);
  const manner: Manner = {
    shape: dice.pick(['flat', 'array', 'wrapper', 'object'] as const),
    pageSize: dice.pick([2, 3, 10, 100]),
  };
  const names = Object.keys(MUTATIONS);
  // In every fifth world no order book is ever read, and the shop brings its own: our figure is then the shop's.
  const hasOwn = seed % 5 === 3;
  const shop = new Dice(seed ^ 0xb00c);
  const hasBook = dice.chance(0.88) && !hasOwn;
  const most = dice.chance(0.2) ? 14 : 6;
  const closing = closingOf(seed, [FIRST_MONTH, monthAfter(FIRST_MONTH, 1), monthAfter(FIRST_MONTH, 2)], length);
  let at = new Date(Date.UTC(2026, 6, dice.int(2, 27), dice.int(1, 22), dice.int(0, 59)));
  const nights = Array.from({ length: length ?? dice.int(2, 6) }, (_, index): PlannedNight => {
    at = daysAfter(at, index === 0 ? 0 : dice.pick([1, 1, 2, 5, 9, 16, 31]));
    const month = at.toISOString().slice(0, 7);
    const narrow = index > 0 && dice.chance(0.12);
    const from = narrow ? monthAfter(month, -dice.int(0, 2)) : FIRST_MONTH;
    return {
      at,
      orders: hasBook && (index === 0 ? dice.chance(0.9) : dice.chance(0.7)),
      full: dice.chance(0.15),
      asked: index === 0 || narrow ? { from, to: narrow ? from : month } : null,
      down: index > 0 && dice.chance(0.06),
      own: hasOwn && (index === 1 || shop.chance(0.5)) ? shop.seed() : null,
      changes: [
        ...Array.from({ length: dice.int(index === 0 ? 0 : 1, most) }, () => ({
          name: dice.pick(names),
          seed: dice.seed(),
        })),
        ...(closing.late[index] ?? []),
      ],
      acts: closing.acts[index] ?? [],
    };
  });
  return { seed, manner, firstClosed: closing.first, nights };
}

/** What the shop imports after each night's sync; null where it imports nothing. */
export function ownOf(plan: Plan, index: number, state: ServerState): OwnFiles | null {
  const seed = plan.nights[index]?.own ?? null;
  const isFirst = plan.nights.findIndex(({ own }) => own !== null) === index;
  return seed === null ? null : ownFilesOf(state, seed, isFirst);
}

/** The server before the first night: some months of invoices that add up, and orders on their way. */
export function beginning(plan: Plan): ServerState {
  const dice = new Dice(plan.seed ^ 0x5eed);
  const state = emptyState();
  const start = plan.nights[0]?.at as Date;
  for (let back = 75; back > 2; back -= dice.int(8, 20)) {
    const issued = daysAfter(start, -back);
    const orders = Array.from({ length: dice.int(1, 4) }, () =>
      addOrder(state, dice, daysAfter(issued, -dice.int(1, 8))),
    );
    const invoice = addInvoice(state, dice, orders, issued);
    if (back > 28 ? dice.chance(0.9) : dice.chance(0.4)) pay(state, invoice);
  }
  for (let count = dice.int(1, 4); count > 0; count -= 1) {
    addOrder(state, dice, daysAfter(start, -dice.int(1, 20) / 2), dice.int(1, 5));
  }
  return state;
}

/** Changes the server as a night's plan says. */
export function applyNight(state: ServerState, night: PlannedNight): void {
  state.down = night.down;
  const all = { ...MUTATIONS, ...lateMutations };
  for (const { name, seed } of night.changes) all[name]?.({ state, dice: new Dice(seed), now: night.at });
}
