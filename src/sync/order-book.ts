import { ContractError, InterruptedError } from '../base/errors.ts';
import { concludeBroken, concludeListing, lostEverything } from './listing.ts';
import { BOOK_NAME, PageBatch, readHeldBook } from './page-batch.ts';
import { recordIn, reportFaults, type SyncSession, unreadableBody } from './session.ts';

const LISTING = { kind: 'orders', period: null } as const;

/** Fetches the whole order book, stores it batch by batch, and marks the orders that are gone from it. */
export async function syncOrderBook(session: SyncSession): Promise<void> {
  const { client, counts, progress } = session;
  const { orderBook } = session.deriver;
  const held = await readHeldBook(session.ledger);
  const batch = new PageBatch(session, held);
  progress.begin('orders', null);
  try {
    orderBook.enter(session.run);
    const knownId = (sha256: string) => held.records.get(sha256)?.order_id;
    const walk = await client.walkOrderBook(knownId, async (page, walkNumber) => {
      if (page.count !== null) progress.expect(page.count);
      await batch.add(page, walkNumber);
      progress.advance(page.items.length);
    });
    await batch.store();
    counts.orders.listed = orderBook.seenIn(walk.complete ? walk.walks : null).length;
    const unreadable = {
      subjects: [...orderBook.unreadableIn(walk.walks)],
      anonymous: orderBook.anonymousIn(walk.walks),
    };
    const left = held.ids.filter((id) => orderBook.isSeen(id, walk.walks)).length;
    const distrust = walk.complete ? lostEverything(session, LISTING, held.ids.length, left) : null;
    await concludeListing(session, LISTING, walk, unreadable, distrust);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    await batch.store().catch(() => {});
    await concludeBroken(session, LISTING, error);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, 'the order book', [error]);
    await keepUnreadablePage(session, error);
  } finally {
    progress.end();
  }
}

/** Keeps a page that cannot be cut into its orders, whole as it was received. */
async function keepUnreadablePage(session: SyncSession, fault: ContractError): Promise<void> {
  const body = await unreadableBody(fault);
  if (!body) return;
  const page = { kind: 'order-list', subject: 'orders', listing: BOOK_NAME, body, at: session.now() } as const;
  await session.ledger.db.transaction().execute((trx) => recordIn(trx, session, { ...page, fault: fault.message }));
}
