/** The order book is the courier's list of all orders. A walk reads it from the first page to the last. */
import { dayNumber } from '../base/day.ts';
import { BudgetError, ContractError, InterruptedError } from '../base/errors.ts';
import { FiledMap } from '../base/sqlite/filed-map.ts';
import type { Resume, WalksEnded } from '../derive/runs-and-walks.ts';
import { readLastEvidence } from '../ledger/queries/evidence/decided.ts';
import { readNewestOrders } from '../ledger/queries/sync/to-fetch.ts';
import { type BookState, readBookState } from '../ledger/queries/sync/walks.ts';
import { readWaitingOrders } from '../ledger/queries/webhooks.ts';
import { readSeenSince } from '../ledger/write/orders.ts';
import { syncingError } from '../words/errors/syncing.ts';
import { cheapestPages, readChangedOrders, readWanted } from './changed-orders.ts';
import { concludeListing, concludePart, concludeUnread, whyDistrusted } from './listing.ts';
import { BOOK_NAME, type HeldBook, idsKnownTo, PageBatch, readHeldBook } from './page-batch.ts';
import { keepUnreadable, reportFaults, type SyncSession } from './session.ts';

/**
 * Reads the order book: the whole of it if that is due and the budget of requests suffices, else only the orders that
 * may have changed. A due walk that takes more requests than are left is read in parts, one part per sync.
 *
 * @throws BudgetError when the budget does not suffice for what is due
 */
export async function syncOrderBook(session: SyncSession): Promise<void> {
  const state = await readBookState(session.ledger.db);
  const held = await readHeldBook(session.ledger);
  /** Where the walk that the budget stopped goes on; null if none was stopped. */
  const resume = state.lastWalkData === null ? null : ((JSON.parse(state.lastWalkData) as WalksEnded).resume ?? null);
  session.progress.begin({ brings: 'orders' }, null);
  try {
    const isDue = resume !== null || isWholeDue(session, state);
    const size = state.whole?.stated ?? held.ids.size;
    if (isDue && resume === null && (await canPay(session, size))) return await walkWhole(session, held);
    // Also before a part of a walk, which takes several nights: these orders do not wait for its end.
    const hasUnknownOrders = held.ids.size > 0 && (await readChangedOrders(session, state, held));
    // The list has orders that nobody knows: only a whole walk finds them.
    if (hasUnknownOrders && !isDue && (await canPay(session, size))) return await walkWhole(session, held);
    if (isDue || hasUnknownOrders) await walkPart(session, resume);
  } finally {
    session.progress.end();
  }
}

/**
 * How many requests the order book takes, as far as the ledger can tell: in the next sync, for a whole walk, and in a
 * sync between whole walks.
 */
export async function planOrderBook(
  options: Pick<SyncSession, 'ledger' | 'ordersFullEvery' | 'now'> & { readonly pageSize: number },
) {
  const { db } = options.ledger;
  const state = await readBookState(db);
  const newest = await readNewestOrders(db);
  const size = Math.min(options.pageSize, MAX_PAGE_SIZE);
  const whole = Math.max(1, Math.ceil((state.whole?.stated ?? newest.length) / size));
  const { wanted } = await readWanted(options, state);
  const held = new Set(newest);
  // Orders that are not in the ledger are new, and so at the top of the list.
  const list = [...[...wanted].filter((id) => !held.has(id)), ...newest];
  for (const id of list.slice(0, size)) wanted.delete(id);
  // One request for the first page, which is always read.
  const between = Math.min(whole, 1 + cheapestPages(list.slice(size), wanted, size).cost);
  return { next: isWholeDue(options, state) ? whole : between, whole, between };
}

/** If webhooks about orders wait, the id of the last evidence: a walk that begins now answers all of them up to it. */
async function webhooksUntilNow({ db }: SyncSession['ledger']): Promise<number | undefined> {
  return (await readWaitingOrders(db, 1)).length > 0 ? readLastEvidence(db) : undefined;
}

function isWholeDue({ ordersFullEvery = 1, now }: Pick<SyncSession, 'ordersFullEvery' | 'now'>, { whole }: BookState) {
  if (whole === null || ordersFullEvery === 1) return true;
  const today = now().toISOString().slice(0, 10);
  return dayNumber(today) - dayNumber(whole.at.slice(0, 10)) >= ordersFullEvery;
}

/** The most items on a page that the service is known to send. */
const MAX_PAGE_SIZE = 100;

/** Whether the budget suffices for a walk over a list of so many items. */
async function canPay({ meter, client }: SyncSession, items: number): Promise<boolean> {
  if (!meter) return true;
  return Math.ceil(items / Math.min(client.pageSize, MAX_PAGE_SIZE)) <= (await meter.left());
}

/** Fetches the whole order book, stores it batch by batch, and marks the orders that are gone from it. */
async function walkWhole(session: SyncSession, held: HeldBook): Promise<void> {
  const { client, counts, orderBook, progress } = session;
  const batch = new PageBatch(session, held);
  const webhooksUntil = await webhooksUntilNow(session.ledger);
  let reached: Reached = { walk: 0, position: 0, count: null, before: null, webhooksUntil };
  try {
    orderBook.enter(session.run);
    const onPage: Parameters<typeof client.walkOrderBook>[1] = async (page, walkNumber) => {
      if (page.count !== null) progress.expect(page.count);
      await batch.add(page, walkNumber);
      const position = reached.walk === walkNumber ? reached.position : 0;
      reached = { ...reached, walk: walkNumber, position: position + page.items.length, count: page.count };
      progress.advance(page.items.length);
    };
    const walk = await client.walkOrderBook(idsKnownTo(held), onPage, () => new FiledMap<number>());
    await batch.store();
    counts.orders.listed = walk.complete ? orderBook.countIn(walk.walks) : orderBook.size;
    const unreadable = {
      subjects: [...orderBook.unreadableIn(walk.walks)],
      anonymous: orderBook.anonymousIn(walk.walks),
    };
    const showsNoneHeld = walk.complete && !showsSome(held, (id) => orderBook.isSeen(id, walk.walks));
    const distrust = showsNoneHeld ? whyDistrusted(session, null, held.ids.size, 0) : null;
    await concludeListing(session, null, walk, unreadable, distrust, webhooksUntil);
  } catch (stopped) {
    const error = await concludeStopped(session, batch, reached, stopped);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, 'the order book', [error]);
    await keepUnreadable(session, error, { kind: 'order-list', subject: 'orders', listing: BOOK_NAME });
  }
}

function showsSome({ ids }: HeldBook, isSeen: (id: string) => boolean): boolean {
  for (const [id] of ids.entries()) if (isSeen(id)) return true;
  return false;
}

/** How far a walk has come. */
interface Reached {
  /** The number of the walk, from 1: a list that changes is walked again. */
  readonly walk: number;
  /** How many orders of the list it has passed, those of earlier parts included. */
  readonly position: number;
  /** The list's length as its last page states it. */
  readonly count: number | null;
  /** What the part before recorded; null in the first part, and in a walk without parts. */
  readonly before: Resume | null;
  /** The id of the last evidence when the first part began, if webhooks waited then: the whole walk answers them. */
  readonly webhooksUntil: number | undefined;
}

/**
 * Stores what a walk showed before an error stopped it, and records how the walk ended. If you interrupted the walk, it
 * does neither.
 *
 * @returns the error to report: that of storing, if that failed too, else the one that stopped the walk
 */
async function concludeStopped(
  session: SyncSession,
  batch: PageBatch,
  reached: Reached,
  stopped: unknown,
): Promise<unknown> {
  let error = stopped;
  if (!(stopped instanceof InterruptedError)) {
    await batch.store().catch((failure: unknown) => {
      error = failure;
    });
  }
  if (error instanceof InterruptedError) return error;
  if (!(error instanceof BudgetError)) await concludeUnread(session, null, error);
  else if (batch.firstEvidence !== null) await recordResume(session, batch, reached, error);
  return error;
}

/** Records where the next sync continues a walk that the budget stopped. */
async function recordResume(
  session: SyncSession,
  batch: PageBatch,
  { position, count, walk, before, webhooksUntil }: Reached,
  why: BudgetError,
): Promise<void> {
  const since = before?.since ?? batch.firstEvidence!;
  const anonymous = (before?.anonymous ?? false) || session.orderBook.anonymousIn(walk) > 0;
  await concludePart(session, {
    complete: false,
    stated_count: null,
    seen_count: position,
    // 1 says that a part had records without an id; their number is not added up over the parts.
    anonymous: anonymous ? 1 : 0,
    why: why.message,
    resume: { since, position, count, anonymous, webhooks_until: webhooksUntil },
  });
}

/** Reads the next part of a walk, as far as the budget reaches. @throws BudgetError unless it is the last part */
async function walkPart(session: SyncSession, before: Resume | null): Promise<void> {
  // Read again: the orders that may have changed were stored since.
  const held = await readHeldBook(session.ledger);
  const batch = new PageBatch(session, held);
  session.orderBook.enter(session.run);
  const webhooksUntil = before === null ? await webhooksUntilNow(session.ledger) : before.webhooks_until;
  const { position = 0, count = null } = before ?? {};
  let reached: Reached = { walk: 1, position, count, before, webhooksUntil };
  try {
    for await (const { cut, passed } of pagesFrom(session, held, reached)) {
      await batch.add(cut, 1);
      session.progress.advance(cut.items.length);
      reached = { ...reached, position: passed, count: cut.count ?? reached.count };
    }
    await batch.store();
  } catch (stopped) {
    throw await concludeStopped(session, batch, reached, stopped);
  }
  await concludeParts(session, batch, reached);
}

/** The pages of the next part of a walk, each with how many orders from the top of the list are passed after it. */
async function* pagesFrom(session: SyncSession, held: HeldBook, { position, count }: Reached) {
  const { client } = session;
  const maxRequests = await requestsOfPart(session);
  let size = Math.min(client.pageSize, MAX_PAGE_SIZE);
  /** The last page that so many orders fill, or the first: of 250 orders and pages of 100 it is page 2. */
  const lastFullPage = (orders: number) => Math.max(1, Math.floor(orders / size));
  // The last page is read again: if orders are gone, those below them have moved up.
  let page = lastFullPage(position);
  let isFirst = true;
  for (let requests = 0; ; requests += 1) {
    if (requests >= maxRequests) throw new BudgetError(syncingError({ id: 'order-book-in-parts', left: maxRequests }));
    const cut = await client.orderBookPage(page, idsKnownTo(held));
    // The service may send smaller pages than were asked for: then the place is on a page of another number.
    const isOtherSize = requests === 0 && cut.next !== null && cut.items.length !== size;
    if (isOtherSize) size = cut.items.length;
    if (isOtherSize && page > 1) {
      page = lastFullPage(position);
      continue;
    }
    // 250 orders were passed, and 120 are gone since: those that come next may follow the 130th, so page 1 comes again.
    const gone = isFirst ? Math.max(0, (count ?? 0) - (cut.count ?? 0)) : 0;
    isFirst = false;
    const isBack = gone > 0 && lastFullPage(position - gone) < page;
    yield { cut, passed: isBack ? Math.max(0, position - gone) : (page - 1) * size + cut.items.length };
    if (cut.next === null && !isBack) return;
    page = isBack ? lastFullPage(position - gone) : page + 1;
  }
}

/** A part may ask for a page of another size first, then reads the last page again: the third request brings orders. */
const MIN_PART_REQUESTS = 3;

/**
 * How many requests a part of the order book may take: all but those for the lists of the nights to come, which decide
 * money; at least half of what is left, so that the walk ends some day.
 */
async function requestsOfPart({ meter, periods }: SyncSession): Promise<number> {
  if (!meter) return Number.POSITIVE_INFINITY;
  const left = await meter.left();
  // A night asks for the account, and for one list per month; without `periods`, of two months at least.
  const lists = 1 + (periods?.length ?? 2);
  return Math.max(MIN_PART_REQUESTS, left - meter.nightsLeft() * lists, Math.floor(left / 2));
}

/**
 * Concludes the last part. If all parts showed as many orders as the list states, the book is whole as of the first.
 */
async function concludeParts(session: SyncSession, batch: PageBatch, { count, before, webhooksUntil }: Reached) {
  const { ledger, orderBook, counts } = session;
  const since = before?.since ?? batch.firstEvidence!;
  // The ledger marks the orders that earlier parts showed; those of this part are not marked yet.
  const seen = new FiledMap<number>();
  for await (const page of readSeenSince(ledger.db, since.id)) for (const id of page) seen.set(id, 1);
  for (const id of orderBook.seen()) seen.set(id, 1);
  // Whether earlier parts had records without an id is known, but not how many: they count as one.
  const anonymous = orderBook.anonymousIn(1) + (before?.anonymous ? 1 : 0);
  const isComplete = count !== null && seen.size + anonymous === count;
  const why = isComplete ? null : `it states ${count ?? 'no'} orders and showed ${seen.size} in parts`;
  counts.orders.listed = seen.size;
  await concludePart(session, {
    complete: isComplete,
    stated_count: isComplete ? count : null,
    seen_count: seen.size,
    anonymous,
    why,
    ...(isComplete && { since, webhooks_until: webhooksUntil }),
  });
  if (why === null) return;
  session.isIncomplete = true;
  session.progress.warn(`the order book is not complete: ${why}; run the sync again`);
}
