/** Between whole walks over the order book, reads only the orders that may have changed. */
import { cutOrderId } from '../api/cut-list.ts';
import { BudgetError, ContractError } from '../base/errors.ts';
import type { OrdersRefreshed } from '../derive/runs-and-walks.ts';
import { readLastEvidence } from '../ledger/queries/evidence/decided.ts';
import { readChangingOrders, readNewestOrders } from '../ledger/queries/sync/to-fetch.ts';
import type { BookState } from '../ledger/queries/sync/walks.ts';
import { hasMessageSince, readWaitingOrders } from '../ledger/queries/webhooks.ts';
import { CHANGED_NAME, type HeldBook, idsKnownTo, PageBatch } from './page-batch.ts';
import { isAnswered, record, reportFaults, reportMissing, type SyncSession } from './session.ts';
import { isRefusal } from './waiting-orders.ts';

/** The orders to read between whole walks: those that webhooks named, and others that may have changed. */
export async function readWanted({ ledger: { db }, now }: Pick<SyncSession, 'ledger' | 'now'>, { whole }: BookState) {
  const waiting = await readWaitingOrders(db);
  // Without a message for a day, what receives webhooks may have stopped: changes may come without one.
  const hasMessages = await hasMessageSince(db, new Date(now().getTime() - DAY).toISOString());
  const changing = await readChangingOrders(db, whole?.id ?? 0, hasMessages);
  return { wanted: new Set([...waiting, ...changing]), hasWaiting: waiting.length > 0 };
}

const DAY = 86_400_000;

/**
 * Reads the orders that may have changed: on the newest pages, which show new ones too, or one by one, as is cheaper.
 *
 * @returns whether the list states more orders than are known now
 */
export async function readChangedOrders(session: SyncSession, state: BookState, held: HeldBook): Promise<boolean> {
  // The reading answers the webhooks up to here; later ones may be newer than what it reads.
  const until = await readLastEvidence(session.ledger.db);
  const { wanted, hasWaiting } = await readWanted(session, state);
  const refused: string[] = [];
  const batch = new PageBatch(session, held, CHANGED_NAME);
  // Remembers which orders this run sees.
  session.orderBook.enter(session.run);
  let isGrown = false;
  let budgetError: BudgetError | null = null;
  try {
    const { stated, newIds } = await readNewestPages(session, batch, held, wanted);
    isGrown = stated !== null && stated > held.ids.size + newIds.size + (state.whole?.unreadable ?? 0);
    refused.push(...(await askOneByOne(session, batch, held, [...wanted])));
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    budgetError = error;
  }
  await batch.store();
  session.counts.orders.listed = session.orderBook.size;
  const what = { kind: 'orders-refreshed', subject: 'orders', listing: CHANGED_NAME } as const;
  // Recorded after an end of the budget too: only the webhooks of orders that were seen or refused are answered.
  const data: OrdersRefreshed | undefined = hasWaiting ? { webhooks_until: until, refused } : undefined;
  await record(session, { ...what, at: session.now(), fault: budgetError?.message ?? null, ...(data && { data }) });
  if (budgetError) throw budgetError;
  return isGrown;
}

/**
 * Reads pages from the newest on, as long as they show new orders, or are cheaper than to ask for wanted orders one by
 * one. Takes the orders that it read out of `wanted`.
 *
 * @returns the length of the list as it states it, and the orders that are not in the ledger
 */
async function readNewestPages(session: SyncSession, batch: PageBatch, held: HeldBook, wanted: Set<string>) {
  let stated: number | null = null;
  const newIds = new Set<string>();
  /** The orders in the ledger that no page has shown yet, the newest first: in a list in order they come next. */
  let newest = await readNewestOrders(session.ledger.db);
  /** Whether the service lists the newest orders first; null until a page has an order of the ledger to tell by. */
  let isInOrder: boolean | null = null;
  for (let page = 1; ; page += 1) {
    const cut = await session.client.orderBookPage(page, idsKnownTo(held));
    const ids = cut.items.map(cutOrderId).filter((id) => id !== undefined);
    const newOnPage = ids.filter((id) => !held.ids.has(id) && !newIds.has(id));
    if (page === 1) stated = cut.count;
    isInOrder ??= showsNewest(newest, ids);
    for (const id of newOnPage) newIds.add(id);
    for (const id of ids) wanted.delete(id);
    const seen = new Set(ids);
    newest = newest.filter((id) => !seen.has(id));
    // All that is read here counts as one walk: number 1.
    await batch.add(cut, 1);
    // Only in a list in order is it known which orders the next pages have.
    const isWorthMore = isInOrder === true && cheapestPages(newest, wanted, ids.length).pages > 0;
    if (cut.next === null || (newOnPage.length === 0 && !isWorthMore)) return { stated, newIds };
  }
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
export function cheapestPages(next: readonly string[], wanted: ReadonlySet<string>, size: number) {
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
async function askOneByOne(session: SyncSession, batch: PageBatch, held: HeldBook, ids: readonly string[]) {
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
  else if (isAnswered(error)) reportMissing(session, `order ${id} was not brought`, error);
  else throw error;
}
