import type { Insertable, Selectable } from 'kysely';
import type { Item, Order, Page } from '../courier/index.ts';
import { ContractError } from '../errors.ts';
import {
  type CourierOrderRows,
  chunks,
  type Ledger,
  type LedgerSchema,
  type SealedBody,
  sealBody,
  sha256,
  writeCourierOrders,
} from '../ledger/index.ts';
import { canonicalJson } from './canonical.ts';
import { dropWhatLeft, type Listing, recordListing, reportIncomplete } from './listing.ts';
import { mapOrder } from './map-order.ts';
import { keepDocument, quarantine, reportFaults, type SyncSession } from './session.ts';

/** Brings the whole order book, page by page, each page in one transaction, and marks the orders that are gone from it. */
export async function syncOrderBook(session: SyncSession): Promise<void> {
  const { client, counts, progress } = session;
  const seen = new Map<string, number>();
  progress.begin('orders', null);
  try {
    const walk = await client.walkOrders(async (page, walkNumber) => {
      if (page.count !== null) progress.expect(page.count);
      const before = seen.size;
      for (const id of await writePage(session, page)) seen.set(id, walkNumber);
      progress.advance(seen.size - before);
    });
    dropWhatLeft(seen, walk);
    counts.orders.listed = seen.size;
    await finishListing(session, seen, { kind: 'orders', period: null, walk });
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    await quarantine(session, { kind: 'order-list', subject: 'orders', url: '', receivedAt: session.now() }, error);
  } finally {
    progress.end();
  }
}

/** @returns the ids of the orders on the page, readable or not */
async function writePage(session: SyncSession, page: Page<Order>): Promise<string[]> {
  const sealed = await sealBody(page.body);
  const faults: ContractError[] = [];
  const unreadable: string[] = [];
  const byId = new Map<string, CourierOrderRows>();
  for (const item of page.items) {
    const rows = readOrder(item, sealed);
    if (rows instanceof ContractError) {
      faults.push(rows);
      // It is there, though it cannot be read: it must not be taken for gone.
      const id = (item.raw as { order_id?: unknown } | null)?.order_id;
      if (typeof id === 'string') unreadable.push(id);
    } else byId.set(rows.order.order_id, rows);
  }

  const held = await heldOrders(session.ledger, [...byId.keys()]);
  const changed = [...byId.values()].filter(({ order }) => {
    const before = held.get(order.order_id);
    return before?.row_sha256 !== order.row_sha256 || before.vanished_at !== null;
  });
  session.counts.orders.changed += changed.length;
  const source = { kind: 'order-list', subject: 'orders', url: page.url, receivedAt: page.receivedAt } as const;
  reportFaults(session, source, faults);
  const stateChanges = changed.flatMap(({ order }) => stateChange(held.get(order.order_id), order, page.receivedAt));
  await session.ledger.db.transaction().execute(async (trx) => {
    await keepDocument(trx, session, sealed, source, faults);
    await writeCourierOrders(trx, changed);
    if (stateChanges.length > 0) await trx.insertInto('order_state_change').values(stateChanges).execute();
  });
  return [...byId.keys(), ...unreadable];
}

function readOrder(item: Item<Order>, sealed: SealedBody): CourierOrderRows | ContractError {
  if (!item.ok) return item.fault;
  try {
    return mapOrder(item.value, sha256(canonicalJson(item.raw)), sealed.sha256);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const path = `results[${item.index}].`;
    return new ContractError(`${path}${error.message}`, error.hint, { path: `${path}${error.path}` });
  }
}

type HeldOrder = Pick<
  Selectable<LedgerSchema['courier_order']>,
  'order_id' | 'row_sha256' | 'page_sha256' | 'delivery_state' | 'payment_state' | 'vanished_at'
>;

async function heldOrders(ledger: Ledger, ids: string[]): Promise<Map<string, HeldOrder>> {
  if (ids.length === 0) return new Map();
  const rows = await ledger.db
    .selectFrom('courier_order')
    .select(['order_id', 'row_sha256', 'page_sha256', 'delivery_state', 'payment_state', 'vanished_at'])
    .where('order_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row]));
}

/** The order's states before and after, where they changed since the ledger last saw it. */
function stateChange(
  before: HeldOrder | undefined,
  after: CourierOrderRows['order'],
  seenAt: Date,
): Insertable<LedgerSchema['order_state_change']>[] {
  if (!before) return [];
  if (before.delivery_state === after.delivery_state && before.payment_state === after.payment_state) return [];
  return [
    {
      order_id: after.order_id,
      seen_at: seenAt.toISOString(),
      from_delivery_state: before.delivery_state,
      to_delivery_state: after.delivery_state,
      from_payment_state: before.payment_state,
      to_payment_state: after.payment_state,
      from_page_sha256: before.page_sha256,
      to_page_sha256: after.page_sha256,
    },
  ];
}

/** Records how the walk went, and marks the orders that a complete one no longer held. */
async function finishListing(session: SyncSession, seen: ReadonlyMap<string, number>, listing: Listing): Promise<void> {
  reportIncomplete(session, listing);
  const { db } = session.ledger;
  const finishedAt = session.now().toISOString();
  const gone: string[] = [];
  if (listing.walk.complete) {
    const held = await db.selectFrom('courier_order').select('order_id').where('vanished_at', 'is', null).execute();
    for (const { order_id } of held) if (!seen.has(order_id)) gone.push(order_id);
  }
  await db.transaction().execute(async (trx) => {
    for (const ids of chunks(gone)) {
      await trx.updateTable('courier_order').set({ vanished_at: finishedAt }).where('order_id', 'in', ids).execute();
    }
    await recordListing(trx, session, listing, finishedAt);
  });
}
