import { setImmediate } from 'node:timers/promises';
import { canonicalOrder } from '../api/canonical.ts';
import { type EvidenceRow, sha256 } from '../ledger/evidence/chain.ts';
import type { PartReader } from '../ledger/evidence/packs.ts';
import {
  type CourierOrderRows,
  type HeldOrder,
  markSeen,
  readHeldOrders,
  supersedeOrders,
  writeOrders,
} from '../ledger/write/orders.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { answerWebhooks } from '../ledger/write/webhooks.ts';
import type { Derivation, Derive } from './derivation.ts';
import { ifReadable, type Readable, readDocument, withPath } from './documents.ts';
import type { Sighting } from './order-book-walk.ts';
import { orderIdOf, readOrder } from './order-record.ts';
import { type OrderPages, type PageRecipe, partsOf } from './page-recipe.ts';

// The ledger stores each version of an order once, as a part with a number. A page of the order book is kept as a
// recipe that names its parts.

/** An order as a page of the order book shows it. */
export interface SeenOrder {
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  readonly part: number;
  /**
   * The id of the order whose record in the ledger has these bytes; null if that is not known yet. Only a sync knows
   * it (sync/page-batch.ts): a replay, which reads the pages from the ledger, always parses.
   */
  readonly heldAs: string | null;
  /** Parses the record; called only if `heldAs` is null or no longer holds. */
  json(): Promise<Readable<unknown>>;
}

/** Derives consecutive pages of the order book from the parts that they are made of. */
export const deriveOrderPages: Derive = async (derivation) => {
  const { body, parts, evidence, orderBook } = derivation;
  const seen: SeenOrder[][] = [];
  const { pages } = JSON.parse((await body()).toString('utf8')) as OrderPages;
  for (const page of pages) seen.push(await readSeenOrders(parts, page));
  const { sightings } = await applyOrders(derivation, seen);
  orderBook.enter(evidence.run_id);
  orderBook.add(sightings, walkOf(evidence));
};

/** Reads the orders of a page from the parts that it is made of. */
async function readSeenOrders(parts: PartReader, page: PageRecipe): Promise<SeenOrder[]> {
  const orders: SeenOrder[] = [];
  for (const part of partsOf(page.parts)) {
    const bytes = await parts.read(part);
    const index = orders.length;
    orders.push({ sha256: sha256(bytes), part, heldAs: null, json: () => parseOrderRecord(bytes, index) });
  }
  return orders;
}

/** The number of the walk that a document's pages are from, from 1. */
export function walkOf({ walk }: Pick<EvidenceRow, 'walk'>): number {
  return walk ?? 1;
}

/** Parses an order's record. @param index its place on the page */
export function parseOrderRecord(bytes: Buffer, index: number): Promise<Readable<unknown>> {
  return ifReadable(() => readDocument(bytes, placeOf(index)));
}

const placeOf = (index: number) => `results[${index}]`;

interface AppliedOrders {
  changed: number;
  /** Why orders cannot be read, a message each. */
  readonly faults: string[];
  /** The ids of orders written or superseded. */
  readonly written: string[];
  /** For {@link OrderBookWalk.add}. */
  readonly sightings: Sighting[];
}

/**
 * Writes the orders that are new or have changed. Every order is a sighting, which shows that the walk has met it; one
 * whose record in the ledger has the same bytes is no more than that.
 */
export async function applyOrders(
  derivation: Pick<Derivation, 'trx' | 'evidence' | 'parts'>,
  pages: readonly (readonly SeenOrder[])[],
): Promise<AppliedOrders> {
  const total: AppliedOrders = { changed: 0, faults: [], written: [], sightings: [] };
  for await (const batch of readBatches(pages)) {
    await applyBatch(derivation, batch, total);
  }
  return total;
}

interface ParsedOrder {
  readonly seen: SeenOrder;
  /** Its place on the page. */
  readonly index: number;
  /** Null if the ledger has the same record: then it is not parsed, and `seen.heldAs` is the order's id. */
  readonly json: Readable<unknown> | null;
  /** The id in the parsed record; null if that has none, or if it is not parsed. */
  readonly id: string | null;
}

/** The most orders that are read and written together: each query costs a round trip to the server. */
const ORDERS_PER_BATCH = 1000;

/**
 * Reads pages in batches in which no order is on two pages. A list that shifts while it is read shows an order again:
 * the page with it begins a new batch, and is read again once the batch before it is written, because that may have
 * changed the records of its orders. (If one page has an order twice, the last counts.)
 */
async function* readBatches(pages: readonly (readonly SeenOrder[])[]): AsyncGenerator<ParsedOrder[]> {
  const writtenIds = new Set<string>();
  let batch: ParsedOrder[] = [];
  const batchIds = new Set<string>();
  for (const page of pages) {
    // Lets answers arrive and requests go out between pages.
    await setImmediate();
    let read = await readPage(page, writtenIds);
    const isRepeated = read.some(({ id, seen }) => batchIds.has(id ?? seen.heldAs ?? ''));
    if (batch.length > 0 && (isRepeated || batch.length + page.length > ORDERS_PER_BATCH)) {
      yield batch;
      batch = [];
      for (const id of batchIds) writtenIds.add(id);
      batchIds.clear();
      if (isRepeated) read = await readPage(page, writtenIds);
    }
    batch.push(...read);
    for (const { id } of read) if (id !== null) batchIds.add(id);
  }
  if (batch.length > 0) yield batch;
}

/** @param writtenIds the orders of batches before, whose records may have changed since `heldAs` was set */
async function readPage(page: readonly SeenOrder[], writtenIds: ReadonlySet<string>): Promise<ParsedOrder[]> {
  const orders: ParsedOrder[] = [];
  for (const [index, seen] of page.entries()) {
    const isCurrent = seen.heldAs !== null && !writtenIds.has(seen.heldAs);
    const json = isCurrent ? null : await seen.json();
    const id = json?.ok ? (orderIdOf(json.value) ?? null) : null;
    orders.push({ seen, index, json, id });
  }
  return orders;
}

/** Writes a batch, and adds its results to `total`. */
async function applyBatch(
  { trx, evidence, parts }: Pick<Derivation, 'trx' | 'evidence' | 'parts'>,
  orders: readonly ParsedOrder[],
  total: AppliedOrders,
): Promise<void> {
  const ids = orders.flatMap(({ id }) => id ?? []);
  const held = await readHeldOrders(trx, ids);
  const records = new Map<string, { rows: CourierOrderRows; raw: unknown }>();
  const unreadable: { subject: string; order_id: string | null; why: string }[] = [];
  const { sightings } = total;
  for (const { seen, index, json, id } of orders) {
    const before = id === null ? undefined : held.get(id);
    const isSame =
      before?.record_sha256 === seen.sha256 && before.vanished_at === null && before.superseded_at === null;
    // A record that was not parsed, because the ledger has it, has no `id` here.
    if (json === null || isSame) {
      sightings.push({ id: id ?? seen.heldAs, unreadableAs: null });
      continue;
    }
    const readRecord = (raw: unknown) => ({ rows: withPath(placeOf(index), () => readOrder(raw, seen)), raw });
    const record = json.ok ? await ifReadable(() => readRecord(json.value)) : json;
    if (record.ok) {
      const { order_id } = record.value.rows.order;
      sightings.push({ id: order_id, unreadableAs: null });
      records.set(order_id, record.value);
    } else {
      const subject = id ?? `record ${seen.sha256.slice(0, 16)}`;
      sightings.push({ id, unreadableAs: subject });
      unreadable.push({ subject, order_id: id, why: record.fault.message });
    }
  }
  const changed = new Set<string>();
  for (const [id, { rows, raw }] of records) {
    const before = held.get(id);
    if (!before || before.vanished_at !== null || (await isOtherContent(rows, raw, before, parts))) changed.add(id);
  }
  const rows = [...records.values()].map((record) => record.rows);
  await clearUnreadable(trx, 'order', [...records.keys()]);
  await writeOrders(trx, rows, { held, changed, evidence });
  // The record that the ledger has of these orders is out of date, and the new one cannot be read.
  const superseded = unreadable.flatMap(({ order_id, why }) =>
    order_id !== null && held.has(order_id) ? [{ order_id, why }] : [],
  );
  await supersedeOrders(trx, superseded, evidence.at);
  const notes = unreadable.map(({ subject, why }) => ({ kind: 'order', subject, period: null, why }));
  // The evidence's checksum is of whole pages, and not of the order that cannot be read.
  await noteUnreadable(trx, notes, { ...evidence, sha256: null });
  total.changed += changed.size;
  total.faults.push(...unreadable.map(({ why }) => why));
  total.written.push(...records.keys(), ...superseded.map(({ order_id }) => order_id));
}

/** Whether a record differs from the one in the ledger, apart from its links, which contain the server's address. */
async function isOtherContent({ order }: CourierOrderRows, raw: unknown, before: HeldOrder, parts: PartReader) {
  if (order.delivery_state !== before.delivery_state || order.payment_state !== before.payment_state) return true;
  const recordBefore = readDocument(await parts.read(before.record_part));
  return canonicalOrder(recordBefore) !== canonicalOrder(raw);
}

/** The `data` of the evidence of orders that were fetched one by one. */
export interface OrdersAsked {
  /** The ids of the orders. */
  readonly orders: readonly string[];
  /** The last evidence before they were fetched: webhooks that came later may be newer than the answers. */
  readonly until: number;
}

/** Derives orders that were fetched one by one, and not in a walk. Each answer is a page of one order. */
export const deriveOrders: Derive = async (derivation) => {
  const { trx, evidence, body, parts } = derivation;
  const asked = JSON.parse(evidence.data!) as OrdersAsked;
  if (evidence.fault === null) {
    const { pages } = JSON.parse((await body()).toString('utf8')) as OrderPages;
    const orders: SeenOrder[] = [];
    for (const page of pages) orders.push(...(await readSeenOrders(parts, page)));
    const { sightings } = await applyOrders(derivation, [orders]);
    const seen = sightings.flatMap(({ id, unreadableAs }) => (id === null || unreadableAs !== null ? [] : [id]));
    await markSeen(trx, seen, evidence.id);
  } else await noteFault(derivation, asked.orders);
  await answerTheirWebhooks(derivation, asked);
};

/** Answers the webhooks of an order that could not be fetched: the next walk shows what became of it. */
export const deriveOrderMissing: Derive = async (derivation) => {
  await answerTheirWebhooks(derivation, JSON.parse(derivation.evidence.data!) as OrdersAsked);
};

async function noteFault({ trx, evidence }: Derivation, orders: readonly string[]): Promise<void> {
  const why = evidence.fault!;
  const superseded = orders.map((order_id) => ({ order_id, why }));
  await supersedeOrders(trx, superseded, evidence.at);
  const notes = orders.map((subject) => ({ kind: 'order', subject, period: null, why }));
  await noteUnreadable(trx, notes, evidence);
}

function answerTheirWebhooks({ trx, evidence }: Derivation, { orders, until }: OrdersAsked): Promise<void> {
  return answerWebhooks(trx, { ids: orders, until, evidenceId: evidence.id });
}
