import { compareText } from '../../base/text.ts';
import { type RateCard, rateCards } from '../../imports/tariff.ts';
import { bookedOn, type CloseOfMonth, dayToBook } from '../../ledger/queries/balances/movements.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { readTariffRows, readTariffScope } from '../../ledger/queries/imports.ts';
import { type InvoiceHistory, type Known, readInvoiceHistories } from '../../ledger/queries/invoices/history.ts';
import { type DeliveredAmount, type Delivery, readDeliveries } from '../../ledger/queries/orders/deliveries.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { DELIVERY } from '../../money/fields.ts';
import { tariffLine, tariffSubject } from './agreed-fees.ts';
import { knownAt, placingAt } from './closes/known-at-close.ts';

/** A day on which a delivered order became part of the accrual, or left it. */
export interface AccrualMove {
  readonly day: string;
  readonly isAccrued: boolean;
  /** The invoice that now lists it, or no longer does, and the evidence that shows so; null for the delivery itself. */
  readonly by: { readonly number: number; readonly evidence_id: number } | null;
}

/** The part of an invoice's history that decides from when to when it lists its orders. */
interface ListerHistory {
  /** The day on which it is booked. */
  readonly issued: string;
  /** When its first version became known. */
  readonly first: Known;
  /** When it vanished from the courier's lists (not `present`), and when it came back. */
  readonly presences: readonly (Known & { readonly present: boolean })[];
}

/**
 * Says when delivered orders are accrued, which means that no invoice lists them, as it was known at one moment: at a
 * close, or now. An order delivered on 28 October and listed by an invoice of 3 November is accrued from 28 October on,
 * and from 3 November on no longer.
 */
export class AccrualBook {
  readonly #listers = new Map<number, ListerHistory>();
  /** The invoices that were not known yet: what they list counts as listed by nobody. */
  readonly #notYetKnown: number[] = [];
  readonly #closed: readonly CloseOfMonth[];
  /** Kept by the delivery's day, its evidence and its listings, because most orders have these in common. */
  readonly #moves = new Map<string, readonly AccrualMove[]>();
  /** The id of a close: the book rests on the evidence before it; null for all evidence. */
  readonly knownBefore: number | null;

  /** @param histories the invoices, as far as they were known @param knownBefore see the field */
  constructor(histories: readonly InvoiceHistory[], closed: readonly CloseOfMonth[], knownBefore: number | null) {
    this.#closed = closed;
    this.knownBefore = knownBefore;
    for (const history of histories) {
      const first = history.events.find(({ what }) => what === 'version');
      if (!first) {
        this.#notYetKnown.push(history.number);
        continue;
      }
      const presences = history.events.filter((event) => event.what === 'presence');
      this.#listers.set(history.number, { issued: bookedOn(history), first, presences });
    }
  }

  /** The evidence of the first version of an invoice. */
  firstEvidenceOf(number: number): number | undefined {
    return this.#listers.get(number)?.first.evidence_id;
  }

  /**
   * The days on which a delivered order became accrued and ceased to be; none if an invoice lists it by the day of its
   * delivery, and goes on listing it. What became known after a month was closed counts from the day on which it did.
   */
  movesOf(delivery: Delivery): readonly AccrualMove[] {
    if (!this.#isKnown(delivery)) return [];
    let key = `${delivery.date} ${delivery.evidence_id} ${delivery.seen_on}`;
    for (const { invoice_number, evidence_id, seen_on, listed } of delivery.listings) {
      key += ` ${invoice_number} ${evidence_id} ${seen_on} ${listed}`;
    }
    const moves = this.#moves.get(key) ?? this.#findMoves(delivery);
    this.#moves.set(key, moves);
    return moves;
  }

  /** The numbers of all invoices, also of those that were not known yet. */
  get numbers(): readonly number[] {
    return [...this.#listers.keys(), ...this.#notYetKnown];
  }

  /** Whether an order was delivered by the end of a day, as far as it was known. */
  isDeliveredBy(delivery: Delivery, day: string): boolean {
    return this.#isKnown(delivery) && dayToBook(delivery.date, delivery, this.#closed) <= day;
  }

  /** The invoices that list an order at the end of a day, in the order in which they began to. */
  listersOf(delivery: Delivery, day: string): number[] {
    const listed = new Set<number>();
    for (const { day: changedOn, number, isListed } of this.#changesOf(delivery)) {
      if (changedOn > day) break;
      if (isListed) listed.add(number);
      else listed.delete(number);
    }
    return [...listed];
  }

  #findMoves(delivery: Delivery): readonly AccrualMove[] {
    const day = dayToBook(delivery.date, delivery, this.#closed);
    const changes = this.#changesOf(delivery);
    const moves: AccrualMove[] = [];
    const stepOf = ({ isListed }: ListingChange) => (isListed ? 1 : -1);
    // The number of invoices that list the order: first at the end of the day of its delivery, then after each change.
    let listerCount = changes.filter((change) => change.day <= day).reduce((sum, change) => sum + stepOf(change), 0);
    if (listerCount === 0) moves.push({ day, isAccrued: true, by: null });
    for (const change of changes.filter((each) => each.day > day)) {
      const wasAccrued = listerCount === 0;
      listerCount += stepOf(change);
      const isAccrued = listerCount === 0;
      const { number, evidence_id } = change;
      if (isAccrued !== wasAccrued) moves.push({ day: change.day, isAccrued, by: { number, evidence_id } });
    }
    return moves;
  }

  /**
   * Whether the book of another moment gives the same moves: both know all evidence about the order, and the same
   * history of each of its invoices. The closes between the two moments change no move: a close moves only the days of
   * evidence that came after it, and all of this came before.
   */
  hasSameMoves({ listings, ...delivery }: Delivery, other: AccrualBook): boolean {
    const isKnown = (seen: Known) => this.#isKnown(seen) && other.#isKnown(seen);
    return (
      isKnown(delivery) &&
      listings.every((listing) => {
        const { invoice_number: number } = listing;
        return isKnown(listing) && isSame(this.#listers.get(number), other.#listers.get(number));
      })
    );
  }

  /** The invoices whose orders may be accrued on a day: all but those that were booked by then and never vanished. */
  notSurelyListingBy(day: string): number[] {
    const listers = [...this.#listers].flatMap(([number, { issued, first, presences }]) =>
      this.#isKnown(first) && presences.length === 0 && dayToBook(issued, first, this.#closed) <= day ? [] : [number],
    );
    return [...listers, ...this.#notYetKnown];
  }

  #isKnown({ evidence_id }: Pick<Known, 'evidence_id'>): boolean {
    return this.knownBefore === null || evidence_id < this.knownBefore;
  }

  /** The days on which invoices began or ceased to list an order. */
  #changesOf({ listings }: Delivery): ListingChange[] {
    const changes: ListingChange[] = [];
    for (const number of new Set(listings.map(({ invoice_number }) => invoice_number))) {
      const lister = this.#listers.get(number);
      if (!lister) continue;
      const ofInvoice = listings.filter((listing) => listing.invoice_number === number && this.#isKnown(listing));
      changes.push(...changesBy(number, lister, ofInvoice, this.#closed));
    }
    return changes.sort((a, b) => compareText(a.day, b.day) || a.evidence_id - b.evidence_id);
  }
}

/** An invoice begins or ceases to list an order. */
interface ListingChange {
  readonly number: number;
  readonly day: string;
  readonly evidence_id: number;
  /** Whether the invoice lists the order from then on. */
  readonly isListed: boolean;
}

/**
 * The days on which one invoice began or ceased to list an order. It lists the order while it has a row for it and has
 * not vanished itself.
 */
function changesBy(
  number: number,
  { issued, first, presences }: ListerHistory,
  listings: Delivery['listings'],
  closed: readonly CloseOfMonth[],
): ListingChange[] {
  const changes: ListingChange[] = [];
  // Each event changes one of the two conditions.
  const events = [
    ...listings.map(({ listed, ...seen }) => ({ ...seen, changed: { hasRow: listed === 1 } })),
    ...presences.map(({ present, ...seen }) => ({ ...seen, changed: { isPresent: present } })),
  ].sort((a, b) => a.evidence_id - b.evidence_id);
  let conditions = { hasRow: false, isPresent: true };
  let wasListed = false;
  for (const { evidence_id, seen_on, changed } of events) {
    conditions = { ...conditions, ...changed };
    const isListed = conditions.hasRow && conditions.isPresent;
    if (isListed === wasListed) continue;
    wasListed = isListed;
    // What its first version lists, an invoice lists from its date on, however late it came; and nothing before it.
    const day = evidence_id === first.evidence_id || seen_on < issued ? issued : seen_on;
    changes.push({ number, day: dayToBook(day, { evidence_id, seen_on }, closed), evidence_id, isListed });
  }
  return changes;
}

/** Whether an invoice has the same history in two books. Evidence is only added: equal counts are the same events. */
function isSame(a: ListerHistory | undefined, b: ListerHistory | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.issued === b.issued && a.first.evidence_id === b.first.evidence_id && a.presences.length === b.presences.length
  );
}

/**
 * The accruals at the end of a day in a time zone. For a day of a closed month they are as known at its close, which is
 * returned with them (`close`; null for an open month).
 */
export async function accrualBookAt(db: LedgerReader, day: string, zone: string) {
  const closed = await readClosesInForce(db);
  const close = closed.find(({ period }) => period === day.slice(0, 7)) ?? null;
  const histories = await readInvoiceHistories(db, zone);
  if (close === null) return { book: new AccrualBook(histories, closed, null), close };
  const placeAtClose = await placingAt(db, close, zone);
  const known = histories.map((history) => placeAtClose(knownAt(history, close)));
  // At this close only the earlier closes had moved the days of what became known after them.
  const earlier = closed.filter(({ id }) => id < close.id);
  return { book: new AccrualBook(known, earlier, close.id), close };
}

/**
 * The orders that are accrued at the end of a day in a time zone, each with its accrued amounts. For a day of a closed
 * month they are as they were known at the close.
 */
export async function accruedAt(db: LedgerReader, day: string, zone: string) {
  const { book } = await accrualBookAt(db, day, zone);
  const amounts = await readAccruedAmounts(db);
  const accrued = new Map<string, readonly DeliveredAmount[]>();
  // The database leaves out the orders that an invoice surely lists by then.
  const options = { zone, prices: amounts.hasPrices, withoutListed: { notCounting: book.notSurelyListingBy(day) } };
  for await (const deliveries of readDeliveries(db, options)) {
    for (const delivery of deliveries) {
      const last = book.movesOf(delivery).findLast((move) => move.day <= day);
      if (last?.isAccrued) accrued.set(delivery.order.order_id, amounts.of(delivery, book.knownBefore));
    }
  }
  return accrued;
}

/** Reads the rate cards. A delivery is accrued with its COD, and the agreed price or else the fee in its record. */
export async function readAccruedAmounts(db: LedgerReader) {
  // An import that a closed month rests on is never undone: these lines have the prices that were agreed at each close.
  const lines = (await readTariffRows(db)).map(tariffLine);
  // Keeps the lines for this courier.
  const linesOfCourier = await readTariffScope(db);
  /** The delivery prices known before each close, by its id; null for all that are known. */
  const cards = new Map<number | null, RateCard | null>();
  const cardOf = (knownBefore: number | null): RateCard | null => {
    let card = cards.get(knownBefore);
    if (card === undefined) {
      const known = lines.filter(({ evidence_id }) => knownBefore === null || evidence_id < knownBefore);
      card = rateCards(linesOfCourier(known)).get(DELIVERY) ?? null;
      cards.set(knownBefore, card);
    }
    return card;
  };
  return {
    /** Whether any price was agreed, so that orders must be read one by one, with the facts that decide their price. */
    hasPrices: lines.length > 0,
    /** The accrued amounts of a delivery, by currency. @param knownBefore at prices of earlier evidence; null for all */
    of({ order, workflow, date, amounts }: Delivery, knownBefore: number | null): readonly DeliveredAmount[] {
      const pricedBy = order?.pricedBy;
      // A sum of several orders, or one read without what decides its price: no price was agreed then.
      if (!pricedBy) return amounts;
      const cods = new Map(amounts.map(({ currency, cod }) => [currency, cod]));
      const price = cardOf(knownBefore)?.agreed(tariffSubject({ ...pricedBy, workflow }, date, cods));
      return price?.kind === 'agreed' ? priced(amounts, price.fees) : amounts;
    },
  };
}

function priced(amounts: readonly DeliveredAmount[], fees: ReadonlyMap<string, bigint>): DeliveredAmount[] {
  const currencies = new Set(amounts.map(({ currency }) => currency));
  return [
    ...amounts.map((line) => ({ ...line, delivery_fee: fees.get(line.currency) ?? 0n })),
    // No order has COD in a currency that only the price has.
    ...[...fees].flatMap(([currency, delivery_fee]) =>
      currencies.has(currency) ? [] : [{ currency, orders: 0, cod: 0n, delivery_fee }],
    ),
  ];
}
