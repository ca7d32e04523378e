import { ourSource, type Sources } from './facts/sources.ts';
import type { Lacking } from './remedy.ts';

/** Why a check cannot look. */
export type UnmetSentence =
  | { id: 'order-book-never-synced' }
  | { id: 'sheets-without-order-book' }
  | { id: 'no-order-ever-read' }
  | { id: 'order-book-never-whole' }
  | { id: 'only-one-sync' }
  | { id: 'only-one-order-book' }
  | { id: 'no-close' }
  | { id: 'no-own-order-book' }
  | { id: 'no-receipts' }
  /** `fees`: no fee can be compared with anything else. */
  | { id: 'no-rate-card'; fees: 'uncompared' | 'by-record' }
  | { id: 'no-exchange-rates' };

/** What a check needs to look at all. */
export interface Requirement {
  readonly name: string;
  /** Why it is not met, and the remedy; null when it is met. */
  unmet(sources: Sources): Lacking<UnmetSentence> | null;
}

/** Some orders of the courier's own order book were read. */
export const orderBook: Requirement = {
  name: 'order-book',
  unmet: (sources) => {
    const { book } = sources;
    if (book.hasOrders) return null;
    if (isOfSheets(sources)) return SHEETS_ALONE;
    const id = book.walks === 0 ? 'order-book-never-synced' : 'no-order-ever-read';
    return { why: { id }, commands: ['remit sync --orders'] };
  },
};

/** The order book was once seen whole: only then does an order's absence mean anything. */
export const wholeOrderBook: Requirement = {
  name: 'whole-order-book',
  unmet: (sources) => {
    if (sources.book.whole > 0) return null;
    if (isOfSheets(sources)) return SHEETS_ALONE;
    return { why: { id: 'order-book-never-whole' }, commands: ['remit sync --orders'] };
  },
};

/** A courier that sends settlement sheets shows no order book, and nothing brings one. */
const SHEETS_ALONE: Lacking<UnmetSentence> = { why: { id: 'sheets-without-order-book' }, commands: [] };

/** Whether all that the ledger holds of the courier, or ever held, came of settlement sheets. */
export function isOfSheets({ months, hadSheets }: Sources): boolean {
  return hadSheets && months.every(({ ofSheet }) => ofSheet);
}

/** Something was looked at twice, so that a change can show. */
export const twoSyncs: Requirement = {
  name: 'two-syncs',
  unmet: ({ syncs }) => (syncs > 1 ? null : { why: { id: 'only-one-sync' }, commands: [] }),
};

/** The order book was looked at twice. */
export const twoOrderBooks: Requirement = {
  name: 'two-order-books',
  unmet: (sources) => {
    if (sources.book.walks > 1) return null;
    return isOfSheets(sources) ? SHEETS_ALONE : { why: { id: 'only-one-order-book' }, commands: [] };
  },
};

/** A month was closed once. What was found of one that is open again is still followed. */
export const aClose: Requirement = {
  name: 'a-close',
  unmet: ({ everClosed }) => (everClosed ? null : { why: { id: 'no-close' }, commands: [] }),
};

/** Files of the merchant's own side were imported. */
function files(kind: string, why: (sources: Sources) => UnmetSentence): Requirement {
  return {
    name: kind,
    unmet: (sources) =>
      sources.imported.has(kind) ? null : { why: why(sources), commands: [`remit import ${kind} FILE`] },
  };
}

export const ownBook = files('orders', () => ({ id: 'no-own-order-book' }));

/** Any record of the orders but the invoices: the courier's order book, or the shop's own. */
export const anyOrderBook: Requirement = {
  name: 'any-order-book',
  unmet: (sources) => {
    const lacking = ourSource(sources) === null ? orderBook.unmet(sources) : null;
    return lacking && { ...lacking, commands: [...lacking.commands, 'remit import orders FILE'] };
  },
};

/** Receipts of the bank or the cash box. */
export const receipts = files('receipts', () => ({ id: 'no-receipts' }));

/** The agreed prices. Where our figure rests on the own book, nothing else of ours says a fee. */
export const tariff = files('tariff', (sources) => ({
  id: 'no-rate-card',
  fees: ourSource(sources) === 'own-book' ? 'uncompared' : 'by-record',
}));

export const rates = files('rates', () => ({ id: 'no-exchange-rates' }));

/** The same, where no receipt was matched at a rate: such a match is looked at whatever was imported. */
function orExchanged({ name, unmet }: Requirement): Requirement {
  return { name, unmet: (sources) => (sources.paidAtRate ? null : unmet(sources)) };
}

export const exchanges: readonly Requirement[] = [orExchanged(rates), orExchanged(ownBook)];

const FILES: readonly Requirement[] = [ownBook, receipts, tariff, rates, ...exchanges];

/** The first of a check's requirements that is not met, and what it lacks; null when all are met. */
export function unmetOf(
  { requires }: { readonly requires: readonly Requirement[] },
  sources: Sources,
): (Lacking<UnmetSentence> & { readonly requirement: Requirement }) | null {
  for (const requirement of requires) {
    const lacking = requirement.unmet(sources);
    if (lacking) return { ...lacking, requirement };
  }
  return null;
}

/** Whether it asks for a file of the merchant's own side. */
export function isOfFiles(requirement: Requirement): boolean {
  return FILES.includes(requirement);
}

export function needsFilesOf({ requires }: { readonly requires: readonly Requirement[] }, kind: string): boolean {
  // A settlement sheet is the courier's own side, on which every check rests.
  if (kind === 'settlement') return true;
  return requires.some((requirement) => isOfFiles(requirement) && requirement.name === kind);
}

/** Whether it asks for another look, or a close, to compare with: without one nothing is there that could differ. */
export function isOfLooks(requirement: Requirement): boolean {
  return [twoSyncs, twoOrderBooks, aClose].includes(requirement);
}

/** Whether it asks for records of the orders, which a courier that sends settlement sheets does not show. */
export function isOfOrderBook(requirement: Requirement): boolean {
  return [orderBook, wholeOrderBook, anyOrderBook].includes(requirement);
}

export function needsClose({ requires }: { readonly requires: readonly Requirement[] }): boolean {
  return requires.includes(aClose);
}

/** Whether a check compares with what the merchant brings or does: files of the own side, a close. It is skipped without them. */
export function needsOwnSide({ requires }: { readonly requires: readonly Requirement[] }): boolean {
  return requires.includes(aClose) || requires.some(isOfFiles);
}
