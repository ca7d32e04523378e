import type { Sentence } from '../base/sentence.ts';
import { ourSource, type Sources } from './facts/sources.ts';

/** What is lacking (`why`), and the commands that bring it, any one of them; none if only time does. */
export type Lacking<S extends Sentence = Sentence> = { readonly why: S; readonly commands: readonly string[] };

export type RemedySentence = { id: 'with-remedy'; why: Sentence; commands: readonly string[] };

/** One sentence that says what is lacking and which command brings it. */
export function withRemedy({ why, commands }: Lacking): Sentence {
  if (commands.length === 0) return why;
  return { id: 'with-remedy', why, commands } satisfies RemedySentence;
}

/** Why a check cannot run. */
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
  /** `fees`: whether the orders' records state fees to compare with instead. */
  | { id: 'no-rate-card'; fees: 'uncompared' | 'by-record' }
  /** A rate card was imported, and has prices of other couriers alone. */
  | { id: 'rate-card-of-others'; fees: 'uncompared' | 'by-record' }
  | { id: 'no-exchange-rates' };

/** Something that must be in the ledger for a check to run. */
export interface Requirement {
  /** The kind of the merchant's file that meets it, such as `receipts`; absent if no file does. */
  readonly file?: string;
  /** Why it is not met, and the remedy; null when it is met. */
  unmet(sources: Sources): Lacking<UnmetSentence> | null;
}

/** Some orders of the courier's order book were read. A walk is one reading of it, page by page. */
export const orderBook: Requirement = {
  unmet: (sources) => {
    const { book } = sources;
    if (book.hasOrders) return null;
    if (hasOnlySheets(sources)) return SHEETS_ALONE;
    const id = book.syncs === 0 ? 'order-book-never-synced' : 'no-order-ever-read';
    return { why: { id }, commands: ['remit sync --orders'] };
  },
};

/** The order book was once seen whole: only then does an order's absence mean anything. */
export const wholeOrderBook: Requirement = {
  unmet: (sources) => {
    if (sources.book.lastWholeWalk > 0) return null;
    if (hasOnlySheets(sources)) return SHEETS_ALONE;
    return { why: { id: 'order-book-never-whole' }, commands: ['remit sync --orders'] };
  },
};

/** A courier that sends settlement sheets shows no order book, and nothing brings one. */
const SHEETS_ALONE: Lacking<UnmetSentence> = { why: { id: 'sheets-without-order-book' }, commands: [] };

/** Whether the courier sends settlement sheets: some were imported, and each month's list was last read from one. */
export function hasOnlySheets({ months, hadSheets }: Sources): boolean {
  return hadSheets && months.every(({ isOfSheet }) => isOfSheet);
}

/** There were two syncs, so that a change can be seen. */
export const twoSyncs: Requirement = {
  unmet: ({ syncs }) => (syncs > 1 ? null : { why: { id: 'only-one-sync' }, commands: [] }),
};

/** The order book was read twice, so that a change can be seen. */
export const twoOrderBooks: Requirement = {
  unmet: (sources) => {
    if (sources.book.syncs > 1) return null;
    return hasOnlySheets(sources) ? SHEETS_ALONE : { why: { id: 'only-one-order-book' }, commands: [] };
  },
};

/** A month was closed, if only once: what was found about it is followed even after it is opened again. */
export const aClose: Requirement = {
  unmet: ({ everClosed }) => (everClosed ? null : { why: { id: 'no-close' }, commands: [] }),
};

/** Files of a kind, such as `receipts`, were imported. */
function files(kind: string, why: (sources: Sources) => UnmetSentence): Requirement {
  return {
    file: kind,
    unmet: (sources) =>
      sources.imported.has(kind) ? null : { why: why(sources), commands: [`remit import ${kind} FILE`] },
  };
}

export const ownBook = files('orders', () => ({ id: 'no-own-order-book' }));

/** Records of the orders besides the invoices: the courier's order book, or the shop's. */
export const anyOrderBook: Requirement = {
  unmet: (sources) => {
    const lacking = ourSource(sources) === null ? orderBook.unmet(sources) : null;
    return lacking && { ...lacking, commands: [...lacking.commands, 'remit import orders FILE'] };
  },
};

/** Receipts of the bank or the cash box. */
export const receipts = files('receipts', () => ({ id: 'no-receipts' }));

/** The agreed prices. If our figure comes from the own order book, nothing else states a fee to compare with. */
export const tariff = files('tariff', (sources) => ({
  id: sources.hasOthersRateCard ? 'rate-card-of-others' : 'no-rate-card',
  fees: ourSource(sources) === 'own-book' ? 'uncompared' : 'by-record',
}));

export const rates = files('rates', () => ({ id: 'no-exchange-rates' }));

/** A requirement that is also met once a receipt was matched at a rate: such a match is checked without any file. */
function orExchanged({ unmet, ...requirement }: Requirement): Requirement {
  return { ...requirement, unmet: (sources) => (sources.paidAtRate ? null : unmet(sources)) };
}

/** For `implied-rate`: rates of exchange and the own book, to compare COD with; or receipts matched at a rate. */
export const exchanges: readonly Requirement[] = [orExchanged(rates), orExchanged(ownBook)];

type Requiring = { readonly requires: readonly Requirement[] };

/** The first of a check's requirements that is not met, with what is lacking; null when all are met. */
export function unmetOf({ requires }: Requiring, sources: Sources) {
  for (const requirement of requires) {
    const lacking = requirement.unmet(sources);
    if (lacking) return { ...lacking, requirement };
  }
  return null;
}

/** Whether a check rests on imported files of a kind: what it found is resolved once they are taken back. */
export function needsFilesOf({ requires }: Requiring, kind: string): boolean {
  // A settlement sheet is the courier's document, on which every check rests.
  if (kind === 'settlement') return true;
  return requires.some(({ file }) => file === kind);
}

/** Whether it is met by a second sync or a close: before that nothing is there that could differ. */
export function asksForSecondLook(requirement: Requirement): boolean {
  return [twoSyncs, twoOrderBooks, aClose].includes(requirement);
}

/** Whether it is met by records of the orders, which a courier that sends settlement sheets does not show. */
export function asksForOrderBook(requirement: Requirement): boolean {
  return [orderBook, wholeOrderBook, anyOrderBook].includes(requirement);
}

export function needsClose({ requires }: Requiring): boolean {
  return requires.includes(aClose);
}

/** Whether a check needs what the merchant brings or does: an imported file, or a close. */
export function needsOwnSide({ requires }: Requiring): boolean {
  return requires.includes(aClose) || requires.some(({ file }) => file !== undefined);
}
