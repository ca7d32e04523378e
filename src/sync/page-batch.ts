import { MAX_LEVELS } from '../api/json.ts';
import { ContractError } from '../base/errors.ts';
import { FiledMap } from '../base/sqlite/filed-map.ts';
import type { CutItem, CutPage } from '../courier/index.ts';
import { applyOrders, parseOrderRecord, type SeenOrder, walkOf } from '../derive/order-pages.ts';
import { aroundOrders, type OrderPages, type PageRecipe, runsOf } from '../derive/page-recipe.ts';
import type { WalkStart } from '../derive/runs-and-walks.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { keepParts, type Ledger, type LedgerTransaction, PartReader, sealBody, sha256 } from '../ledger/index.ts';
import { readBookRecords } from '../ledger/queries/sync/to-fetch.ts';
import { listingName } from './listing.ts';
import { recordIn, reportFaults, type SyncSession } from './session.ts';

/** How evidence names the order book. */
export const BOOK_NAME = listingName(null);

/** How evidence names a read of only those orders that may have changed. */
export const CHANGED_NAME = 'orders-changed';

/** The most pages of one transaction; a sync that is killed fetches at most these again. */
const MAX_BATCH_PAGES = 25;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** The most bytes of new orders: parsed they take much more memory, and a larger pack compresses no better. */
const MAX_NEW_BYTES = 1024 * 1024;

/** The order book as the ledger had it when the sync began. */
export interface HeldBook {
  /** Its orders, without those that are gone. */
  readonly ids: FiledMap<number>;
  /** By the SHA-256 of an order's bytes: the order whose current record they are, and the part (`evidence_part`). */
  find(sha256: string): { readonly order_id: string; readonly part: number } | undefined;
}

/** Finds the id of an order by the SHA-256 of its bytes, if the ledger holds them: the client need not parse them. */
export const idsKnownTo = (held: HeldBook) => (sha256: string) => held.find(sha256)?.order_id;

export async function readHeldBook({ db }: Ledger): Promise<HeldBook> {
  const ids = new FiledMap<number>();
  /** SHA-256 to part and order: `17 01J8...`. */
  const records = new FiledMap<string>();
  for await (const page of readBookRecords(db)) {
    for (const { order_id, record_sha256, record_part, is_current } of page) {
      ids.set(order_id, 1);
      // Of an order whose newest record cannot be read, the ledger has only an older one.
      if (is_current) records.set(record_sha256, `${record_part} ${order_id}`);
    }
  }
  return {
    ids,
    find(sha256) {
      const found = records.get(sha256);
      if (found === undefined) return;
      const space = found.indexOf(' ');
      return { order_id: found.slice(space + 1), part: Number(found.slice(0, space)) };
    },
  };
}

/** A page that waits to be stored: the bytes around its orders, by which it can be built again, and the orders. */
interface WaitingPage {
  readonly recipe: Omit<PageRecipe, 'parts'>;
  readonly orders: readonly CutItem[];
}

/** Pages of the order book that are stored together: one document, one transaction. */
export class PageBatch {
  readonly #session: SyncSession;
  readonly #held: HeldBook;
  /** Orders that this sync has written or superseded, so that `#held` is out of date for them. */
  readonly #written = new FiledMap<number>();
  #walk = 0;
  /** When the last page was received. */
  #at = new Date(0);
  #pages: WaitingPage[] = [];
  #bytes = 0;
  #newBytes = 0;
  readonly #listing: string;
  /** The evidence of the first batch that was stored; null before that. */
  firstEvidence: WalkStart | null = null;

  /** @param listing {@link BOOK_NAME} for pages of a whole walk, or {@link CHANGED_NAME} */
  constructor(session: SyncSession, held: HeldBook, listing = BOOK_NAME) {
    this.#listing = listing;
    this.#session = session;
    this.#held = held;
  }

  /** Adds a page, and stores the batch when it is full. A batch has pages of one walk only. */
  async add(page: CutPage, walk: number): Promise<void> {
    if (walk !== this.#walk) await this.store();
    this.#walk = walk;
    this.#at = this.#session.now();
    this.#bytes += page.body.length;
    for (const { id, bytes } of page.items) if (id === null) this.#newBytes += bytes.length;
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
    const isLarge = this.#bytes >= MAX_BATCH_BYTES || this.#newBytes >= MAX_NEW_BYTES;
    if (isLarge || this.#pages.length >= MAX_BATCH_PAGES) await this.store();
  }

  /**
   * Stores the pages that were added since the last time: each distinct order once, then the pages, and the rows
   * derived from them.
   */
  async store(): Promise<void> {
    const session = this.#session;
    const pages = this.#pages;
    if (pages.length === 0) return;
    this.#pages = [];
    this.#bytes = 0;
    this.#newBytes = 0;
    /** Set when the rows are derived, inside the transaction. */
    let applied!: Awaited<ReturnType<typeof applyOrders>>;
    const evidence = await session.ledger.db.transaction().execute(async (trx) => {
      // The chain is locked first, so that no other courier's sync keeps the same orders or takes the same numbers.
      await holdHead(trx);
      const parts = await this.#keepParts(trx, pages);
      const partOf = (order: CutItem) => parts.get(order.sha256)!;
      const document: OrderPages = {
        pages: pages.map(({ recipe, orders }) => ({ ...recipe, parts: runsOf(orders.map(partOf)) })),
      };
      const body = await sealBody(Buffer.from(JSON.stringify(document)));
      const received = { listing: this.#listing, walk: this.#walk, at: this.#at, body };
      return recordIn(trx, session, { kind: 'order-pages', subject: 'orders', ...received }, async (evidence) => {
        const seen = pages.map(({ orders }) => orders.map((order, index) => this.#asSeen(order, index, partOf(order))));
        applied = await applyOrders({ trx, evidence, parts: new PartReader(trx) }, seen);
        // If the transaction is rolled back, an id too many only costs a look-up.
        for (const id of applied.written) this.#written.set(id, 1);
      });
    });
    this.firstEvidence ??= { id: evidence.id, at: evidence.at };
    session.orderBook.enter(session.run);
    session.orderBook.add(applied.sightings, walkOf(evidence));
    session.counts.orders.changed += applied.changed;
    const faults = applied.faults.map((fault) => new ContractError(fault, ''));
    reportFaults(session, 'the order book', faults);
  }

  /** An order for `applyOrders`. One nested too deep to be parsed whole is read from its bytes, as in a replay. */
  #asSeen({ bytes, sha256: hash, id, json }: CutItem, index: number, part: number): SeenOrder {
    return {
      sha256: hash,
      part,
      heldAs: id !== null && !this.#written.has(id) ? id : null,
      json: async () =>
        json !== null && json.levels <= MAX_LEVELS ? { ok: true, value: json.value } : parseOrderRecord(bytes, index),
    };
  }

  /** Keeps the orders whose bytes are not in the ledger yet. @returns the parts of all orders, by SHA-256 */
  async #keepParts(trx: LedgerTransaction, pages: readonly WaitingPage[]): Promise<ReadonlyMap<string, number>> {
    const heldParts = new Map<string, number>();
    const newOrders = new Map<string, Buffer>();
    for (const { sha256: hash, bytes } of pages.flatMap(({ orders }) => orders)) {
      const record = this.#held.find(hash);
      if (record) heldParts.set(hash, record.part);
      else newOrders.set(hash, bytes);
    }
    return new Map([...heldParts, ...(await keepParts(trx, newOrders))]);
  }
}
