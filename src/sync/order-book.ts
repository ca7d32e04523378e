import { cutOrderId } from '../api/cut-list.ts';
import { dayNumber } from '../base/day.ts';
import { ApiError, AuthError, BudgetError, ContractError, InterruptedError } from '../base/errors.ts';
import { FiledMap } from '../base/sqlite/filed-map.ts';
import type { CutPage } from '../courier/index.ts';
import type { Concluded, Refreshed, Resume } from '../derive/runs-and-walks.ts';
import { readLastEvidence } from '../ledger/queries/evidence/decided.ts';
import { readChangingOrders, readNewestOrders } from '../ledger/queries/sync/to-fetch.ts';
import { type BookState, readBookState } from '../ledger/queries/sync/walks.ts';
import { hasMessageSince, readWaitingOrders } from '../ledger/queries/webhooks.ts';
import { readSeenSince } from '../ledger/write/orders.ts';
import { because } from '../words/errors/syncing.ts';
import { concludeListing, concludePart, concludeUnread, lostEverything } from './listing.ts';
import { BOOK_NAME, CHANGED_NAME, type HeldBook, PageBatch, readHeldBook } from './page-batch.ts';
import { record, recordIn, reportFaults, reportMissing, type SyncSession, unreadableBody } from './session.ts';
import { isRefusal } from './waiting-orders.ts';

const LISTING = { kind: 'orders', period: null } as const;

/**
 * Reads the order book: the whole of it if that is due and the budget of requests suffices, else only the orders that
 * may have changed. A due walk that takes more requests than are left is read in parts, one part per sync.
 *
 * @throws BudgetError when the budget does not suffice for what is due
 */
export async function syncOrderBook(session: SyncSession): Promise<void> {
  const state = await readBookState(session.ledger.db);
  const held = await readHeldBook(session.ledger);
  const resume = state.last === null ? null : ((JSON.parse(state.last) as Concluded).resume ?? null);
  session.progress.begin({ brings: 'orders' }, null);
  try {
    const isDue = resume !== null || isWholeDue(session, state);
    const size = state.whole?.stated ?? held.ids.size;
    if (isDue && resume === null && (await canPay(session, size))) return await walkWhole(session, held);
    const isGrown = held.ids.size > 0 && (await readChangedOrders(session, state, held));
    if (isGrown && !isDue && (await canPay(session, size))) return await walkWhole(session, held);
    if (isDue || isGrown) await walkPart(session, resume);
  } finally {
    session.progress.end();
  }
}

/** How many requests the order book takes in the next sync, as far as the ledger can tell. */
export async function planOrderBook(
  options: Pick<SyncSession, 'ledger' | 'ordersFullEvery' | 'now'> & { readonly pageSize: number },
): Promise<{ readonly next: number; readonly whole: number; readonly between: number }> {
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
  const between = Math.min(whole, 1 + cheapestPages(list.slice(size), wanted, size).cost);
  return { next: isWholeDue(options, state) ? whole : between, whole, between };
}

/** The orders to read between whole walks: those that webhooks named, and others that may have changed. */
async function readWanted({ ledger: { db }, now }: Pick<SyncSession, 'ledger' | 'now'>, { whole }: BookState) {
  const waiting = await readWaitingOrders(db);
  const hasMessages = await hasMessageSince(db, new Date(now().getTime() - DAY).toISOString());
  const changing = await readChangingOrders(db, whole?.id ?? 0, hasMessages);
  return { wanted: new Set([...waiting, ...changing]), hasWaiting: waiting.length > 0 };
}

/** Without a webhook in the last day, changes may come without one: what receives webhooks may have stopped. */
const DAY = 86_400_000;

/** If webhooks about orders wait, the id of the last evidence: a walk that begins now answers all of them up to it. */
async function webhooksUntilNow({ db }: SyncSession['ledger']): Promise<number | null> {
  return (await readWaitingOrders(db, 1)).length > 0 ? readLastEvidence(db) : null;
}

function isWholeDue(
  { ordersFullEvery = 1, now }: Pick<SyncSession, 'ordersFullEvery' | 'now'>,
  { whole }: BookState,
): boolean {
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
  const { client, counts, progress } = session;
  const { orderBook } = session;
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
    const isLost = walk.complete && !showsSome(held, (id) => orderBook.isSeen(id, walk.walks));
    const distrust = isLost ? lostEverything(session, LISTING, held.ids.size, 0) : null;
    await concludeListing(session, LISTING, walk, unreadable, { distrust, webhooksUntil });
  } catch (thrown) {
    const error = await storeStopped(batch, thrown);
    if (error instanceof InterruptedError) throw error;
    if (error instanceof BudgetError) {
      if (batch.firstEvidence !== null) await concludeStopped(session, batch, reached, error);
      throw error;
    }
    await concludeUnread(session, LISTING, error);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, 'the order book', [error]);
    await keepUnreadablePage(session, error);
  }
}

const idsKnownTo = (held: HeldBook) => (sha256: string) => held.find(sha256)?.order_id;

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
  readonly webhooksUntil: number | null;
}

/** Records where the next sync continues a walk that the budget stopped. */
async function concludeStopped(
  session: SyncSession,
  batch: PageBatch,
  { position, count, walk, before, webhooksUntil }: Reached,
  why: BudgetError,
): Promise<void> {
  const since = before?.since ?? batch.firstEvidence!;
  const anonymous = (before?.anonymous ?? false) || session.orderBook.anonymousIn(walk) > 0;
  await concludePart(session, LISTING, {
    complete: false,
    stated_count: null,
    seen_count: position,
    anonymous: anonymous ? 1 : 0,
    why: why.message,
    resume: { since, position, count, anonymous, ...webhooksUntilField(webhooksUntil) },
  });
}

function webhooksUntilField(webhooksUntil: number | null): Pick<Concluded, 'webhooks_until'> {
  return webhooksUntil === null ? {} : { webhooks_until: webhooksUntil };
}

/**
 * Stores what a walk has shown before an error stopped it; nothing if you interrupted it.
 *
 * @returns the error to report: that of storing, if that failed too, else the one that stopped the walk
 */
async function storeStopped(batch: PageBatch, stopped: unknown): Promise<unknown> {
  if (stopped instanceof InterruptedError) return stopped;
  return batch.store().then(
    () => stopped,
    (failure: unknown) => failure,
  );
}

/** Reads the next part of a walk, as far as the budget reaches. @throws BudgetError unless it is the last part */
async function walkPart(session: SyncSession, before: Resume | null): Promise<void> {
  const held = await readHeldBook(session.ledger);
  const batch = new PageBatch(session, held);
  session.orderBook.enter(session.run);
  const webhooksUntil = before === null ? await webhooksUntilNow(session.ledger) : (before.webhooks_until ?? null);
  const { position = 0, count = null } = before ?? {};
  let reached: Reached = { walk: 1, position, count, before, webhooksUntil };
  try {
    for await (const { cut, from } of pagesFrom(session, held, reached)) {
      await batch.add(cut, 1);
      session.progress.advance(cut.items.length);
      const position = Math.max(reached.position, from + cut.items.length);
      reached = { ...reached, position, count: cut.count ?? reached.count };
    }
    await batch.store();
  } catch (thrown) {
    const error = await storeStopped(batch, thrown);
    if (error instanceof InterruptedError) throw error;
    if (!(error instanceof BudgetError)) await concludeUnread(session, LISTING, error);
    else if (batch.firstEvidence !== null) await concludeStopped(session, batch, reached, error);
    throw error;
  }
  await concludeParts(session, batch, reached);
}

/** The pages of the next part of a walk, each with the place of its first order in the list. */
async function* pagesFrom(
  session: SyncSession,
  held: HeldBook,
  { position, count }: Reached,
): AsyncGenerator<{ readonly cut: CutPage; readonly from: number }> {
  const { client } = session;
  const maxRequests = await requestsOfPart(session);
  let size = Math.min(client.pageSize, MAX_PAGE_SIZE);
  // The last page is read again: if orders are gone, those below them have moved up.
  let page = Math.max(1, Math.floor(position / size));
  for (let read = 0; ; read += 1) {
    if (read >= maxRequests) throw new BudgetError(because({ id: 'order-book-in-parts', left: maxRequests }));
    const cut = await client.orderBookPage(page, idsKnownTo(held));
    const isOtherSize = read === 0 && cut.next !== null && cut.items.length !== size;
    if (isOtherSize) size = cut.items.length;
    if (isOtherSize && page > 1) {
      page = Math.max(1, Math.floor(position / size));
      continue;
    }
    yield { cut, from: (page - 1) * size };
    if (cut.next === null) return;
    // 250 orders were passed, and 120 are gone since: those that come next may be on the page of the 130th.
    const gone = read === 0 ? Math.max(0, (count ?? 0) - (cut.count ?? 0)) : 0;
    const pageBack = gone === 0 ? page + 1 : Math.max(1, Math.floor((position - gone) / size));
    page = Math.min(page + 1, pageBack);
  }
}

/** A part reads the last page of the part before again, so one page alone would bring nothing. */
const MIN_PART_REQUESTS = 2;

/**
 * How many requests a part of the order book may take: all but those for the lists of the nights to come, which decide
 * money; at least half of what is left, so that the walk ends some day.
 */
async function requestsOfPart({ meter, periods }: SyncSession): Promise<number> {
  if (!meter) return Number.POSITIVE_INFINITY;
  const left = await meter.left();
  const lists = 1 + (periods?.length ?? 2);
  return Math.max(MIN_PART_REQUESTS, left - meter.nightsLeft() * lists, Math.floor(left / 2));
}

/**
 * Concludes the last part. If all parts showed as many orders as the list states, the book is whole as of the first.
 */
async function concludeParts(
  session: SyncSession,
  batch: PageBatch,
  { count, before, webhooksUntil }: Reached,
): Promise<void> {
  const { ledger, orderBook, counts } = session;
  const since = before?.since ?? batch.firstEvidence!;
  const seen = new FiledMap<number>();
  for await (const page of readSeenSince(ledger.db, since.id)) for (const id of page) seen.set(id, 1);
  for (const id of orderBook.seen()) seen.set(id, 1);
  const anonymous = orderBook.anonymousIn(1) + (before?.anonymous ? 1 : 0);
  const isComplete = count !== null && seen.size + anonymous === count;
  const why = isComplete ? null : `it states ${count ?? 'no'} orders and showed ${seen.size} in parts`;
  counts.orders.listed = seen.size;
  await concludePart(session, LISTING, {
    complete: isComplete,
    stated_count: isComplete ? count : null,
    seen_count: seen.size,
    anonymous,
    why,
    ...(isComplete ? { since, ...webhooksUntilField(webhooksUntil) } : {}),
  });
  if (why === null) return;
  session.isIncomplete = true;
  session.progress.warn(`the order book is not complete: ${why}; run the sync again`);
}

/**
 * Reads the orders that may have changed: on the newest pages, which show new ones too, or one by one, as is cheaper.
 *
 * @returns whether the list states more orders than are known now
 */
async function readChangedOrders(session: SyncSession, state: BookState, held: HeldBook): Promise<boolean> {
  const { client, ledger, counts } = session;
  const newIds = new Set<string>();
  const until = await readLastEvidence(ledger.db);
  const { wanted, hasWaiting } = await readWanted(session, state);
  const refused: string[] = [];
  const batch = new PageBatch(session, held, CHANGED_NAME);
  session.orderBook.enter(session.run);
  let stated: number | null = null;
  let spent: BudgetError | null = null;
  try {
    let newest = await readNewestOrders(ledger.db);
    let isInOrder: boolean | null = null;
    for (let page = 1; ; page += 1) {
      const cut = await client.orderBookPage(page, idsKnownTo(held));
      const ids = cut.items.map(cutOrderId).filter((id) => id !== undefined);
      const unheld = ids.filter((id) => !held.ids.has(id) && !newIds.has(id));
      if (page === 1) stated = cut.count;
      isInOrder ??= showsNewest(newest, ids);
      for (const id of unheld) newIds.add(id);
      for (const id of ids) wanted.delete(id);
      const seen = new Set(ids);
      newest = newest.filter((id) => !seen.has(id));
      await batch.add(cut, 1);
      const isWorthMore = isInOrder === true && cheapestPages(newest, wanted, ids.length).pages > 0;
      if (cut.next === null || (unheld.length === 0 && !isWorthMore)) break;
    }
    refused.push(...(await askOneByOne(session, batch, held, [...wanted])));
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    spent = error;
  }
  await batch.store();
  counts.orders.listed = session.orderBook.size;
  const what = { kind: 'orders-refreshed', subject: 'orders', listing: CHANGED_NAME } as const;
  const data: Refreshed | undefined = hasWaiting ? { webhooks_until: until, refused } : undefined;
  await record(session, { ...what, at: session.now(), fault: spent?.message ?? null, ...(data && { data }) });
  if (spent) throw spent;
  return stated !== null && stated > held.ids.size + newIds.size + (state.whole?.unreadable ?? 0);
}

/**
 * Whether the service lists the newest orders first, as it should: half of a page's orders, or more, are among the
 * newest in the ledger. Null if none of the page's orders is in the ledger.
 *
 * @param newest all orders in the ledger, the newest first
 */
function showsNewest(newest: readonly string[], ids: readonly string[]): boolean | null {
  const held = new Set(newest);
  const heldOnPage = ids.filter((id) => held.has(id));
  if (heldOnPage.length === 0) return null;
  const top = new Set(newest.slice(0, 2 * ids.length));
  return heldOnPage.filter((id) => top.has(id)).length >= heldOnPage.length / 2;
}

/**
 * How many of the next pages to read for the fewest requests: one per page, and one per wanted order on none of them.
 * Four wanted orders, three of them on the second page, cost 4 requests one by one, and 3 with two pages.
 *
 * @param next the orders of the next pages, of `size` each
 */
function cheapestPages(next: readonly string[], wanted: ReadonlySet<string>, size: number) {
  let oneByOne = wanted.size;
  let best = { pages: 0, cost: oneByOne };
  for (let pages = 1; size > 0 && (pages - 1) * size < next.length; pages += 1) {
    const page = next.slice((pages - 1) * size, pages * size);
    oneByOne -= page.filter((id) => wanted.has(id)).length;
    if (pages + oneByOne < best.cost) best = { pages, cost: pages + oneByOne };
  }
  return best;
}

/** Fetches orders one by one, some at the same time, and adds them in order. @returns those that cannot be fetched */
async function askOneByOne(
  session: SyncSession,
  batch: PageBatch,
  held: HeldBook,
  ids: readonly string[],
): Promise<string[]> {
  const refused: string[] = [];
  for (let from = 0; from < ids.length; from += session.concurrency) {
    const batchIds = ids.slice(from, from + session.concurrency);
    const answers = await Promise.allSettled(batchIds.map((id) => session.client.orderAsPage(id, idsKnownTo(held))));
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') {
        await batch.add(answer.value, 1);
        session.progress.advance(1);
      } else {
        reportNotBrought(session, batchIds[index]!, answer.reason);
        if (answer.reason instanceof ContractError || isRefusal(answer.reason)) refused.push(batchIds[index]!);
      }
    }
  }
  return refused;
}

/** Reports an order that was not fetched. @throws an error that others would meet too: no answer, or a refused key */
function reportNotBrought(session: SyncSession, id: string, error: unknown): void {
  if (error instanceof ContractError) reportFaults(session, `order ${id}`, [error]);
  else if (error instanceof ApiError && !(error instanceof AuthError) && error.status !== null)
    reportMissing(session, `order ${id} was not brought`, error);
  else throw error;
}

/** Keeps a page that cannot be cut into its orders, whole as it was received. */
async function keepUnreadablePage(session: SyncSession, fault: ContractError): Promise<void> {
  const body = await unreadableBody(fault);
  if (!body) return;
  const page = { kind: 'order-list', subject: 'orders', listing: BOOK_NAME, body, at: session.now() } as const;
  await session.ledger.db.transaction().execute((trx) => recordIn(trx, session, { ...page, fault: fault.message }));
}
