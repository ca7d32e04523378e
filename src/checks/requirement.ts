import type { Knowledge } from './knowledge.ts';

/** What a check needs to look at all. */
export interface Requirement {
  readonly name: string;
  /** Why it is not met, and the remedy; null when it is met. */
  whyUnmet(knowledge: Knowledge): string | null;
}

/** Some orders of the courier's own order book were read. */
export const orderBook: Requirement = {
  name: 'order-book',
  whyUnmet: ({ book }) => {
    if (book.hasOrders) return null;
    const why = book.walks === 0 ? 'the order book was never synced' : 'no order of the order book was ever read';
    return `${why}; run \`remit sync --orders\``;
  },
};

/** The order book was once seen whole: only then does an order's absence mean anything. */
export const wholeOrderBook: Requirement = {
  name: 'whole-order-book',
  whyUnmet: ({ book }) =>
    book.whole > 0 ? null : 'no sync has brought the whole order book yet; run `remit sync --orders` again',
};

/** Something was looked at twice, so that a change can show. */
export const twoSyncs: Requirement = {
  name: 'two-syncs',
  whyUnmet: ({ syncs }) => (syncs > 1 ? null : 'it compares two syncs and there was one; it looks from the next on'),
};

/** The order book was looked at twice. */
export const twoOrderBooks: Requirement = {
  name: 'two-order-books',
  whyUnmet: ({ book }) =>
    book.walks > 1 ? null : 'it compares two syncs of the order book; it looks from the next `remit sync --orders` on',
};
