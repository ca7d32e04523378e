import type { Item } from '../api/list.ts';
import type { Order } from '../api/wire.ts';
import type { Page } from '../courier/index.ts';
import { applyOrders, readRecord, type SeenOrder } from '../derive/derive-order-pages.ts';
import { type OrderPages, type PageRecipe, runsOf, slicePage } from '../derive/order-pages.ts';
import { ContractError, InterruptedError } from '../errors.ts';
import { findParts, keepPack, sealBody, sealPack, sha256, sha256Bytes } from '../ledger/index.ts';
import { readBookIds } from '../ledger/read/index.ts';
import { concludeBroken, concludeListing, listingName, lostEverything } from './listing.ts';
import { recordIn, reportFaults, type SyncSession, unreadableBody } from './session.ts';

const LISTING = { kind: 'orders', period: null } as const;
const NAME = listingName(LISTING);

/** How many pages of one walk are kept in one transaction: a killed sync reads as many again. */
const PAGES_A_STRETCH = 50;
const BYTES_A_STRETCH = 8 * 1024 * 1024;

/** Brings the whole order book, a stretch of pages in one transaction, and marks the orders that are gone from it. */
export async function syncOrderBook(session: SyncSession): Promise<void> {
  const { client, counts, progress } = session;
  const { orderBook } = session.deriver;
  const held = await readBookIds(session.ledger.db);
  const stretch = new Stretch(session);
  progress.begin('orders', null);
  try {
    orderBook.enter(session.run);
    const walk = await client.walkOrders(async (page, walkNumber) => {
      if (page.count !== null) progress.expect(page.count);
      await stretch.add(page, walkNumber);
      progress.advance(page.items.length);
    });
    await stretch.flush();
    const last = walk.complete ? walk.walks : null;
    counts.orders.listed = orderBook.seenIn(last).length;
    const unreadable = {
      subjects: [...orderBook.unreadableIn(walk.walks)],
      anonymous: orderBook.anonymousIn(walk.walks),
    };
    const left = held.filter((id) => orderBook.isSeen(id, walk.walks)).length;
    const distrust = walk.complete ? lostEverything(session, LISTING, held.length, left) : null;
    await concludeListing(session, LISTING, walk, unreadable, distrust);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    await stretch.flush().catch(() => {});
    await concludeBroken(session, LISTING, error);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, 'the order book', [error]);
    const body = await unreadableBody(error);
    if (body) await keepPage(session, { body, at: session.now(), fault: error.message });
  } finally {
    progress.end();
  }
}

/** A page of the order book whose orders cannot even be told apart, whole as it was received. */
async function keepPage(
  session: SyncSession,
  page: { body: NonNullable<Awaited<ReturnType<typeof unreadableBody>>>; at: Date; fault: string; source?: string },
): Promise<void> {
  await session.ledger.db
    .transaction()
    .execute((trx) => recordIn(trx, session, { kind: 'order-list', subject: 'orders', listing: NAME, ...page }));
}

interface WaitingPage {
  readonly recipe: Omit<PageRecipe, 'parts'>;
  readonly items: readonly { readonly sha256: Buffer; readonly bytes: Buffer; readonly item: Item<Order> }[];
}

/** An order of a page: what was decoded already, or where that failed what its bytes alone say, as a replay will read them. */
async function seenOrder(
  { sha256: bytesHash, bytes, item }: WaitingPage['items'][number],
  index: number,
  parts: ReadonlyMap<string, number>,
): Promise<SeenOrder> {
  const json = item.ok ? ({ ok: true, value: item.raw } as const) : await readRecord(bytes, index);
  const hash = bytesHash.toString('hex');
  return { sha256: hash, part: parts.get(hash)!, json };
}

/** Pages of a walk that wait to be kept and derived together. */
class Stretch {
  readonly #session: SyncSession;
  #walk = 0;
  #at = new Date(0);
  #size = 0;
  #pages: WaitingPage[] = [];

  constructor(session: SyncSession) {
    this.#session = session;
  }

  async add(page: Page<Order>, walk: number): Promise<void> {
    const sliced = slicePage(page.body);
    if (!sliced || sliced.items.length !== page.items.length) {
      throw new ContractError(
        'a page of the order book cannot be taken apart into its orders',
        'The answer is kept; send the delivery company this message.',
        { body: page.body },
      );
    }
    if (walk !== this.#walk) await this.flush();
    this.#walk = walk;
    this.#at = this.#session.now();
    this.#size += page.body.length;
    this.#pages.push({
      recipe: {
        source: page.url,
        received_at: this.#at.toISOString(),
        sha256: sha256(page.body),
        size: page.body.length,
        ...sliced.around,
      },
      items: sliced.items.map((bytes, index) => ({ sha256: sha256Bytes(bytes), bytes, item: page.items[index]! })),
    });
    if (this.#pages.length >= PAGES_A_STRETCH || this.#size >= BYTES_A_STRETCH) await this.flush();
  }

  /** Keeps what waits as one document, each distinct order once, and has it derived. */
  async flush(): Promise<void> {
    const pages = this.#pages;
    if (pages.length === 0) return;
    const session = this.#session;
    this.#pages = [];
    this.#size = 0;
    const { fresh, parts } = await this.#sort(pages);
    const packed = fresh.length > 0 ? await sealPack(fresh.map(({ bytes }) => bytes)) : null;
    const faults: string[] = [];
    await session.ledger.db.transaction().execute(async (trx) => {
      const first = packed ? await keepPack(trx, fresh, packed) : 0;
      for (const [index, part] of fresh.entries()) parts.set(part.sha256.toString('hex'), first + index);
      const document: OrderPages = {
        pages: pages.map(({ recipe, items }) => ({
          ...recipe,
          parts: runsOf(items.map(({ sha256: hash }) => parts.get(hash.toString('hex'))!)),
        })),
      };
      const body = await sealBody(Buffer.from(JSON.stringify(document)));
      const what = { kind: 'order-pages', subject: 'orders', listing: NAME, walk: this.#walk, at: this.#at, body };
      await recordIn(trx, session, what, async (evidence) => {
        for (const { items } of pages) {
          const orders = await Promise.all(items.map((item, index) => seenOrder(item, index, parts)));
          const done = await applyOrders({ trx, evidence, orderBook: session.deriver.orderBook }, orders);
          session.counts.orders.changed += done.changed;
          faults.push(...done.faults);
        }
      });
    });
    reportFaults(
      session,
      'the order book',
      faults.map((fault) => new ContractError(fault, '')),
    );
  }

  /** Tells the orders that the ledger does not hold from those that it does. */
  async #sort(pages: readonly WaitingPage[]) {
    const distinct = new Map<string, WaitingPage['items'][number]>();
    for (const { items } of pages) for (const item of items) distinct.set(item.sha256.toString('hex'), item);
    const parts = await findParts(
      this.#session.ledger.db,
      [...distinct.values()].map(({ sha256: hash }) => hash),
    );
    return { fresh: [...distinct].filter(([hash]) => !parts.has(hash)).map(([, item]) => item), parts };
  }
}
