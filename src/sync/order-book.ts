import { MAX_LEVELS } from '../api/json.ts';
import type { Begun, CutItem, CutPage, Glance } from '../courier/index.ts';
import { applyOrders, readRecord, type SeenOrder } from '../derive/derive-order-pages.ts';
import { aroundOrders, type OrderPages, type PageRecipe, runsOf } from '../derive/order-pages.ts';
import { ContractError, InterruptedError } from '../errors.ts';
import { findParts, keepPack, sealBody, sha256 } from '../ledger/index.ts';
import { HeldRecords } from './held-records.ts';
import { type LikelyPack, type Part, packLikely, packOf } from './likely-pack.ts';
import { concludeBroken, concludeListing, listingName, lostEverything } from './listing.ts';
import { recordIn, reportFaults, type SyncOptions, type SyncSession, unreadableBody } from './session.ts';

const LISTING = { kind: 'orders', period: null } as const;
const NAME = listingName(LISTING);

/** How many pages of one walk are kept in one transaction: a killed sync reads as many again, and as many as were being written. */
const PAGES_A_STRETCH = 25;
const BYTES_A_STRETCH = 4 * 1024 * 1024;
/** Of orders that are not held as they are shown. They wait as objects, of several times their bytes; and a pack of so much compresses as well as a larger one. */
const FRESH_BYTES_A_STRETCH = 1024 * 1024;

/** The order book, of which the first page is asked for, beside what the ledger holds of it. */
export interface BegunBook {
  readonly held: HeldRecords;
  readonly walk: Begun<CutPage<OrderGlance>>;
}

/** Asks for the order book. */
export async function beginOrderBook({ client, ledger }: Pick<SyncOptions, 'client' | 'ledger'>): Promise<BegunBook> {
  const held = await HeldRecords.read(ledger);
  const glanceAt = (order: Buffer) => {
    const hash = sha256(order);
    return { sha256: hash, id: held.find(hash)?.order_id ?? null };
  };
  return { held, walk: client.beginOrderBook(glanceAt) };
}

/** Brings the whole order book, a stretch of pages in one transaction, and marks the orders that are gone from it. */
export async function syncOrderBook(session: SyncSession): Promise<void> {
  const { counts, progress } = session;
  const { orderBook } = session.deriver;
  const { held, walk: walkOn } = await session.lists.takeBook();
  const stretch = new Stretch(session, held);
  progress.begin('orders', null);
  try {
    orderBook.enter(session.run);
    const walk = await walkOn(async (page, walkNumber) => {
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
    const left = held.ids.filter((id) => orderBook.isSeen(id, walk.walks)).length;
    const distrust = walk.complete ? lostEverything(session, LISTING, held.ids.length, left) : null;
    await concludeListing(session, LISTING, walk, unreadable, distrust);
  } catch (error) {
    await stretch.settled();
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

/** What the bytes of an order say before they are read. */
interface OrderGlance extends Glance {
  readonly sha256: string;
}

type CutOrder = CutItem<OrderGlance>;

interface WaitingPage {
  readonly recipe: Omit<PageRecipe, 'parts'>;
  readonly orders: readonly CutOrder[];
}

/** Pages of a walk that wait to be kept and derived together. While those of earlier stretches are written, the next are collected. */
class Stretch {
  readonly #session: SyncSession;
  readonly #held: HeldRecords;
  #walk = 0;
  #at = new Date(0);
  #size = 0;
  #fresh = 0;
  #pages: WaitingPage[] = [];
  /** The last stretch that was handed over, and the one before it. */
  #writing: Promise<void> = Promise.resolve();
  #earlier: Promise<void> = Promise.resolve();

  constructor(session: SyncSession, held: HeldRecords) {
    this.#session = session;
    this.#held = held;
  }

  /** @throws what the writing of an earlier stretch threw */
  async add(page: CutPage<OrderGlance>, walk: number): Promise<void> {
    if (walk !== this.#walk) await this.#handOver();
    this.#walk = walk;
    this.#at = this.#session.now();
    this.#size += page.body.length;
    // By what was held at first: where a stretch ends must not depend on what is being written meanwhile.
    for (const { bytes, glance } of page.items) if (this.#held.isFresh(glance.sha256)) this.#fresh += bytes.length;
    this.#pages.push({
      recipe: {
        source: page.url,
        received_at: this.#at.toISOString(),
        sha256: sha256(page.body),
        size: page.body.length,
        ...aroundOrders(page.body, page.ranges),
      },
      orders: page.items,
    });
    if (this.#isFull()) await this.#handOver();
  }

  /** Writes what waits, and waits until it is written. */
  async flush(): Promise<void> {
    await this.#handOver();
    await this.#writing;
  }

  /** Waits until nothing is being written, however that ends. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  #isFull(): boolean {
    const isLarge = this.#size >= BYTES_A_STRETCH || this.#fresh >= FRESH_BYTES_A_STRETCH;
    return isLarge || this.#pages.length >= PAGES_A_STRETCH;
  }

  /** Has what waits written, after what was handed over before. One stretch may wait while another is written, so that pages can still be taken in. */
  async #handOver(): Promise<void> {
    const pages = this.#pages;
    if (pages.length === 0) return;
    const [walk, at] = [this.#walk, this.#at];
    this.#pages = [];
    this.#size = 0;
    this.#fresh = 0;
    const likely = this.#packLikely(pages);
    await this.#earlier;
    this.#earlier = this.#writing;
    this.#writing = this.#writing.then(() => this.#write(pages, walk, at, likely));
    // Avoids an unhandled rejection; awaited before the one after the next is taken, and at the end.
    this.#writing.catch(() => {});
  }

  /** Keeps pages as one document, each distinct order once, and has it derived. */
  async #write(pages: readonly WaitingPage[], walk: number, at: Date, likely: Promise<LikelyPack>): Promise<void> {
    const session = this.#session;
    const { fresh, parts } = await this.#sort(pages);
    const packed = await packOf(fresh, await likely);
    const partOf = ({ glance }: CutOrder) => parts.get(glance.sha256)!;
    const faults: string[] = [];
    await session.ledger.db.transaction().execute(async (trx) => {
      const first = packed ? await keepPack(trx, fresh, packed) : 0;
      for (const [index, part] of fresh.entries()) parts.set(part.sha256.toString('hex'), first + index);
      const document: OrderPages = {
        pages: pages.map(({ recipe, orders }) => ({ ...recipe, parts: runsOf(orders.map(partOf)) })),
      };
      const body = await sealBody(Buffer.from(JSON.stringify(document)));
      const what = { kind: 'order-pages', subject: 'orders', listing: NAME, walk, at, body };
      await recordIn(trx, session, what, async (evidence) => {
        for (const { orders } of pages) {
          const seen = orders.map((order, index) => this.#seen(order, index, partOf(order)));
          const done = await applyOrders({ trx, evidence, orderBook: session.deriver.orderBook }, seen);
          session.counts.orders.changed += done.changed;
          faults.push(...done.faults);
          this.#held.apply(done.records);
          await session.client.settled();
        }
      });
    });
    reportFaults(
      session,
      'the order book',
      faults.map((fault) => new ContractError(fault, '')),
    );
  }

  /** An order of a page: what was parsed already, or where that is too deep what its bytes alone say, as a replay will read them. */
  #seen({ bytes, glance, json }: CutOrder, index: number, part: number): SeenOrder {
    return {
      sha256: glance.sha256,
      part,
      // Not what the glance said: a page that was read since may have shown the order otherwise.
      heldAs: this.#held.find(glance.sha256)?.order_id ?? null,
      json: async () =>
        json !== null && json.levels <= MAX_LEVELS ? { ok: true, value: json.value } : readRecord(bytes, index),
    };
  }

  /** Compresses what will be fresh, as far as that can be said while an earlier stretch is still being written. */
  #packLikely(pages: readonly WaitingPage[]): Promise<LikelyPack> {
    const likely = packLikely(this.#unheld(pages, () => {}));
    // Avoids an unhandled rejection where the earlier stretch fails; awaited when it is written.
    likely.catch(() => {});
    return likely;
  }

  /** Tells the orders whose bytes the ledger does not hold from those that it does. */
  async #sort(pages: readonly WaitingPage[]) {
    const parts = new Map<string, number>();
    const others = this.#unheld(pages, (hash, part) => parts.set(hash, part));
    const found = await findParts(
      this.#session.ledger.db,
      others.map(({ sha256: hash }) => hash),
    );
    for (const [hash, part] of found) parts.set(hash, part);
    return { fresh: others.filter(({ sha256: hash }) => !found.has(hash.toString('hex'))), parts };
  }

  /** The distinct orders that no order's record is like. @param onHeld is told of the part of each other one */
  #unheld(pages: readonly WaitingPage[], onHeld: (sha256: string, part: number) => void): Part[] {
    const others = new Map<string, Part>();
    for (const { orders } of pages) {
      for (const { bytes, glance } of orders) {
        const held = this.#held.find(glance.sha256);
        if (held) onHeld(glance.sha256, held.part);
        else others.set(glance.sha256, { sha256: Buffer.from(glance.sha256, 'hex'), bytes });
      }
    }
    return [...others.values()];
  }
}
