import type { KnownInvoice } from '../history/invoices.ts';
import { type Knowledge, liveInOrder, vanishedInOrder } from '../history/knowledge.ts';
import { factsOf, type OrderFacts } from '../history/order-facts.ts';
import type { KnownOrder } from '../history/orders.ts';
import type { ReadRow } from '../history/read.ts';
import { isComplete, provesAbsence } from '../history/walk.ts';
import { monthsBetween } from '../world/clock.ts';
import { type OwnOrderFacts, ownFacts } from './own-book.ts';

/**
 * Where a row's money goes in the chain: `vanished` and `surplus` and `later` rows are taken by other steps; an order's
 * `own` row is the first on its first live invoice.
 */
export type Place = 'vanished' | 'surplus' | 'later' | 'own';

export interface PlacedRow {
  readonly invoice: KnownInvoice;
  /** Its place in the document. */
  readonly index: number;
  readonly row: ReadRow;
  readonly place: Place;
  readonly order: KnownOrder | undefined;
  readonly facts: OrderFacts | null;
  /** Rule 30. */
  readonly comparable: boolean;
  /** Not in the book, and the book is new enough to say so. */
  readonly unknown: boolean;
}

export interface Ledger extends Knowledge {
  readonly rows: readonly PlacedRow[];
  /** The live invoices that list an order, first to last. */
  listing(order_id: string): KnownInvoice[];
  /** Vanished invoices whose last detail lists it. */
  vanishedListing(order_id: string): KnownInvoice[];
  facts(order_id: string): OrderFacts | null;
  /** What the shop's own book says where it stands for the order book; null where it does not. Rule 48. */
  readonly own: ReadonlyMap<string, OwnOrderFacts> | null;
  /** Rule 47: some order was read from the book. */
  readonly hasBook: boolean;
  /**
   * Every month from this one to the last walk of the book was once walked whole: an invoice that none held is nowhere.
   */
  allListedSince(month: string): boolean;
  /** Latest live invoice's month, else the month of delivery; null where the design says nothing. */
  periodOf(order_id: string): string | null;
}

export const detailOf = (invoice: KnownInvoice) => invoice.details.at(-1)?.document;

/** Every row of every invoice, with what is known of its order. */
export function ledgerOf(knowledge: Knowledge): Ledger {
  const { book, invoices } = knowledge;
  const live = liveInOrder(knowledge);
  const liveLists = byOrder(live);
  const vanishedLists = byOrder(vanishedInOrder(knowledge));
  const listing = (id: string) => liveLists.get(id) ?? [];
  const facts = new Map([...book.orders].map(([id, order]) => [id, factsOf(order)]));
  const lastWalk = book.walks.findLast(provesAbsence)?.run ?? -1;

  const rows = [...invoices.values()].flatMap((invoice) =>
    (detailOf(invoice)?.rows ?? []).map((row, index, all): PlacedRow => {
      const order = book.orders.get(row.order_id);
      const known = facts.get(row.order_id) ?? null;
      const since = invoice.details.at(-1)?.run ?? 0;
      return {
        invoice,
        index,
        row,
        place: placeOf(invoice, row, index, all, listing),
        order,
        facts: known,
        comparable: known !== null && known.seen >= since,
        unknown: order === undefined && lastWalk >= since,
      };
    }),
  );
  const vanishedListing = (id: string) => vanishedLists.get(id) ?? [];
  const hasBook = [...facts.values()].some((each) => each !== null);
  return {
    ...knowledge,
    rows,
    listing,
    vanishedListing,
    facts: (id) => facts.get(id) ?? null,
    hasBook,
    own: knowledge.shop && !hasBook ? ownFacts(invoices.values(), knowledge.shop, listing, vanishedListing) : null,
    allListedSince: (month) => {
      const until = book.walks.at(-1)?.at.toISOString().slice(0, 7) ?? month;
      return monthsBetween(month, until).every((each) => knowledge.months.get(each)?.walks.some(isComplete) ?? false);
    },
    periodOf: (id) => listing(id).at(-1)?.period ?? facts.get(id)?.delivery?.month ?? null,
  };
}

/** The invoices whose last detail lists each order, in the order given. */
function byOrder(invoices: readonly KnownInvoice[]): Map<string, KnownInvoice[]> {
  const lists = new Map<string, KnownInvoice[]>();
  for (const invoice of invoices) {
    for (const id of new Set(detailOf(invoice)?.rows.map(({ order_id }) => order_id))) {
      lists.set(id, [...(lists.get(id) ?? []), invoice]);
    }
  }
  return lists;
}

function placeOf(
  invoice: KnownInvoice,
  row: ReadRow,
  index: number,
  all: readonly ReadRow[],
  listing: (order_id: string) => KnownInvoice[],
): Place {
  if (!invoice.live) return 'vanished';
  if (all.findIndex(({ order_id }) => order_id === row.order_id) !== index) return 'surplus';
  return listing(row.order_id)[0] === invoice ? 'own' : 'later';
}
