import { type Knowledge, ourSource } from './knowledge.ts';

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

/** A month was closed once. What was found of one that is open again is still followed. */
export const aClose: Requirement = {
  name: 'a-close',
  whyUnmet: ({ everClosed }) =>
    everClosed ? null : 'it compares with a close and no month was closed; `remit close` closes one',
};

/** Files of the merchant's own side were imported. */
function files(kind: string, what: string): Requirement {
  return {
    name: kind,
    whyUnmet: ({ imported }) => (imported.has(kind) ? null : `${what} was imported; run \`remit import ${kind} FILE\``),
  };
}

/** The shop's own order book. */
export const ownBook = files('orders', 'no order book of your own');

/** Any record of the orders but the invoices: the courier's order book, or the shop's own. */
export const anyOrderBook: Requirement = {
  name: 'any-order-book',
  whyUnmet: (knowledge) => {
    if (ourSource(knowledge) !== null) return null;
    return `${orderBook.whyUnmet(knowledge)}, or \`remit import orders FILE\``;
  },
};

/** What came in, of the bank or the cash box. */
export const receipts = files('receipts', 'no bank statement and no cash book');

/** The agreed prices. Where our figure rests on the own book, nothing else of ours says a fee. */
export const tariff: Requirement = {
  name: 'tariff',
  whyUnmet: (knowledge) => {
    const why = files('tariff', 'no rate card').whyUnmet(knowledge);
    if (why === null || ourSource(knowledge) !== 'own-book') return why;
    return why.replace(';', ', so that no fee can be compared;');
  },
};

/** Dated rates of exchange. */
export const rates = files('rates', 'no table of exchange rates');

const FILES: readonly Requirement[] = [ownBook, receipts, tariff, rates];

/** Whether it asks for a file of the merchant's own side. */
export function isOfFiles(requirement: Requirement): boolean {
  return FILES.includes(requirement);
}

/** Whether it asks for another look, or a close, to compare with: without one nothing is there that could differ. */
export function isOfLooks(requirement: Requirement): boolean {
  return [twoSyncs, twoOrderBooks, aClose].includes(requirement);
}

/** Whether a check compares with a close. */
export function needsClose({ requires }: { readonly requires: readonly Requirement[] }): boolean {
  return requires.includes(aClose);
}

/** Whether a check compares with what the merchant brings or does: files of the own side, a close. It is skipped without them. */
export function needsOwnSide({ requires }: { readonly requires: readonly Requirement[] }): boolean {
  return requires.includes(aClose) || requires.some(isOfFiles);
}
