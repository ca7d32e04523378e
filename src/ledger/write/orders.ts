/** Writes the courier's records of orders, and their history. */
import { groupBy } from '../../base/group.ts';
import { isBackward } from '../../base/states.ts';
import { eachField, ORDER_MONEY_FIELDS } from '../../money/fields.ts';
import { chunks, inChunks, pages } from '../chunks.ts';
import { nextInBook } from '../queries/sync/to-fetch.ts';
import type { CourierOrderTable, LedgerDb } from '../schema.ts';
import { type Evidence, insertRows, type Row, type Trx } from './insert.ts';

/** All rows of one record of the order book. */
export interface CourierOrderRows {
  readonly order: Omit<
    Row<'courier_order'>,
    | 'delivered_seen_at'
    | 'delivered_evidence_id'
    | 'first_evidence_id'
    | 'record_evidence_id'
    | 'seen_evidence_id'
    | 'superseded_at'
    | 'superseded_why'
    | 'vanished_at'
  >;
  readonly amounts: readonly Row<'courier_order_amount'>[];
  readonly statestamps: readonly Row<'statestamp'>[];
  /** Whether the record shows that the order was ever delivered. */
  readonly wasEverDelivered: boolean;
}

/** The columns of an order's row in the ledger that a newer record is compared with. */
const HELD_COLUMNS = [
  'order_id',
  'delivery_state',
  'payment_state',
  'first_delivered_at',
  'delivered_seen_at',
  'delivered_evidence_id',
  'first_evidence_id',
  'record_sha256',
  'record_part',
  'superseded_at',
  'vanished_at',
] as const;

export type HeldOrder = Pick<CourierOrderTable, (typeof HELD_COLUMNS)[number]>;

/** Reads the ledger's rows of these orders, by id. Orders that it does not have are left out. */
export async function readHeldOrders(trx: Trx, ids: readonly string[]): Promise<Map<string, HeldOrder>> {
  const held = await inChunks(ids, (page) =>
    trx.selectFrom('courier_order').select(HELD_COLUMNS).where('order_id', 'in', page).execute(),
  );
  return new Map(held.map((order) => [order.order_id, order]));
}

/** Everything besides the records that {@link writeOrders} needs. */
export interface OrderContext {
  /** The ledger's rows of these orders before, by id. */
  readonly held: ReadonlyMap<string, HeldOrder>;
  /** The orders whose record says something else than the ledger's, or that had vanished and are back. */
  readonly changed: ReadonlySet<string>;
  readonly evidence: Evidence;
}

/** Writes records whose bytes are new, each in place of the order's earlier rows. Call it inside a transaction. */
export async function writeOrders(trx: Trx, records: readonly CourierOrderRows[], context: OrderContext) {
  for (const page of chunks(records)) await writePage(trx, page, context);
}

async function writePage(trx: Trx, records: readonly CourierOrderRows[], context: OrderContext): Promise<void> {
  const { held, evidence } = context;
  const heldIds = records.filter(({ order }) => held.has(order.order_id)).map(({ order }) => order.order_id);
  const amountsBefore = await readAmounts(trx, 'courier_order_amount', heldIds);
  await insertRows(trx, 'order_change', await notYetNoted(trx, changesOf(records, amountsBefore, context)));
  if (heldIds.length > 0) {
    for (const table of ['courier_order_amount', 'statestamp'] as const) {
      await trx.deleteFrom(table).where('order_id', 'in', heldIds).execute();
    }
  }
  const rows = records.map(({ order, wasEverDelivered }) => {
    const before = held.get(order.order_id);
    return {
      ...order,
      // An order that was once seen delivered stays so, whatever its record shows later.
      first_delivered_at: before?.first_delivered_at ?? order.first_delivered_at ?? null,
      delivered_seen_at: before?.delivered_seen_at ?? (wasEverDelivered ? evidence.at : null),
      delivered_evidence_id: before?.delivered_evidence_id ?? (wasEverDelivered ? evidence.id : null),
      first_evidence_id: before?.first_evidence_id ?? evidence.id,
      record_evidence_id: evidence.id,
      seen_evidence_id: evidence.id,
      superseded_at: null,
      superseded_why: null,
      vanished_at: null,
    };
  });
  const added = rows.filter(({ order_id }) => !held.has(order_id));
  await insertRows(trx, 'courier_order', added);
  for (const { order_id, ...fields } of rows.filter((row) => held.has(row.order_id))) {
    await trx.updateTable('courier_order').set(fields).where('order_id', '=', order_id).execute();
  }
  const amounts = records.flatMap((record) => record.amounts);
  await insertRows(trx, 'courier_order_amount', amounts);
  const statestamps = records.flatMap((record) => record.statestamps);
  await insertRows(trx, 'statestamp', statestamps);
  await keepDeliveredAmounts(trx, records, held, amountsBefore);
}

type OrderChange = Row<'order_change'>;

/** Leaves out changes that the same evidence noted before: when pages shift, it can show a record several times. */
async function notYetNoted(trx: Trx, found: readonly OrderChange[]): Promise<readonly OrderChange[]> {
  const [first] = found;
  if (!first) return found;
  const keyOf = ({ order_id, what, to_part }: Pick<OrderChange, 'order_id' | 'what' | 'to_part'>) =>
    `${order_id} ${what} ${to_part}`;
  const rows = await trx
    .selectFrom('order_change')
    .select(['order_id', 'what', 'to_part'])
    .where('evidence_id', '=', first.evidence_id)
    .where('order_id', 'in', [...new Set(found.map(({ order_id }) => order_id))])
    .execute();
  const noted = new Set(rows.map(keyOf));
  return noted.size === 0 ? found : found.filter((change) => !noted.has(keyOf(change)));
}

type AmountRow = Row<'courier_order_amount'>;

/** By order id. */
type Amounts = ReadonlyMap<string, readonly AmountRow[]>;

async function readAmounts(
  trx: Trx,
  table: 'courier_order_amount' | 'courier_order_delivered_amount',
  ids: readonly string[],
): Promise<Amounts> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom(table)
    .select(['order_id', 'currency'])
    .select((eb) => ORDER_MONEY_FIELDS.map((field) => eb.cast<string>(field, 'text').as(field)))
    .where('order_id', 'in', ids)
    .orderBy('order_id')
    .orderBy('currency')
    .execute();
  const amounts = rows.map((row) => ({ ...row, ...eachField(ORDER_MONEY_FIELDS, (field) => BigInt(row[field])) }));
  return groupBy(amounts, ({ order_id }) => order_id);
}

/** The amounts as one text, so that two records can be compared: currencies with nothing but zero are no difference. */
function amountsText(rows: readonly AmountRow[] = []): string {
  return rows
    .filter((row) => ORDER_MONEY_FIELDS.some((field) => row[field] !== 0n))
    .map((row) => [row.currency, ...ORDER_MONEY_FIELDS.map((field) => row[field])].join(' '))
    .sort()
    .join(', ');
}

function changesOf(
  records: readonly CourierOrderRows[],
  amountsBefore: Amounts,
  { held, changed, evidence }: OrderContext,
): OrderChange[] {
  return records.flatMap(({ order, amounts }) => {
    const before = held.get(order.order_id);
    if (!before || !changed.has(order.order_id)) return [];
    const what = before.vanished_at === null ? 'changed' : 'back';
    const amounts_changed = amountsText(amountsBefore.get(order.order_id)) === amountsText(amounts) ? 0 : 1;
    return [{ ...changeOf(what, before, order, evidence), amounts_changed }];
  });
}

type OrderState = Pick<HeldOrder, 'order_id' | 'delivery_state' | 'payment_state' | 'record_part'>;

/** A change from one record of an order to another; a vanished order keeps its last record. */
function changeOf(
  what: 'changed' | 'vanished' | 'back',
  before: OrderState,
  after: OrderState,
  evidence: Evidence,
): Omit<OrderChange, 'amounts_changed'> {
  const [delivery, payment] = [before.delivery_state, before.payment_state];
  const isMovedBack = isBackward(delivery, after.delivery_state) || isBackward(payment, after.payment_state);
  return {
    order_id: after.order_id,
    evidence_id: evidence.id,
    what,
    from_delivery_state: delivery,
    to_delivery_state: after.delivery_state,
    from_payment_state: payment,
    to_payment_state: after.payment_state,
    from_part: before.record_part,
    to_part: after.record_part,
    backward: isMovedBack ? 1 : 0,
  };
}

/**
 * Keeps the amounts that an order had when it was first seen delivered, for as long as its record states others: if its
 * COD was 50.00 then and is 45.00 now, 50.00 is kept, until the record says 50.00 again.
 */
async function keepDeliveredAmounts(
  trx: Trx,
  records: readonly CourierOrderRows[],
  held: ReadonlyMap<string, HeldOrder>,
  amountsBefore: Amounts,
): Promise<void> {
  // Seen delivered by an earlier record already: this record's amounts may differ from those at delivery.
  const delivered = records.filter(({ order }) => held.get(order.order_id)?.delivered_seen_at != null);
  if (delivered.length === 0) return;
  const ids = delivered.map(({ order }) => order.order_id);
  const kept = await readAmounts(trx, 'courier_order_delivered_amount', ids);
  for (const { order, amounts } of delivered) {
    const id = order.order_id;
    // While nothing is kept, the record has had the same amounts since the order was delivered.
    const atDelivery = kept.get(id) ?? amountsBefore.get(id) ?? [];
    const differs = amountsText(atDelivery) !== amountsText(amounts);
    const isKept = kept.has(id);
    if (differs && !isKept) await insertRows(trx, 'courier_order_delivered_amount', withZero(atDelivery, amounts));
    if (!differs && isKept) {
      await trx.deleteFrom('courier_order_delivered_amount').where('order_id', '=', id).execute();
    }
  }
}

/** The amounts at delivery. If there were none, they need a row of zeros, in a currency that the order has now. */
function withZero(atDelivery: readonly AmountRow[], now: readonly AmountRow[]): AmountRow[] {
  if (atDelivery.length > 0) return [...atDelivery];
  return now.slice(0, 1).map((row) => ({ ...row, ...eachField(ORDER_MONEY_FIELDS, () => 0n) }));
}

/** Notes orders whose newer record cannot be read. */
export async function supersedeOrders(trx: Trx, orders: readonly { order_id: string; why: string }[], at: string) {
  for (const { order_id, why } of orders) {
    await trx
      .updateTable('courier_order')
      .set((eb) => ({ superseded_at: eb.fn.coalesce('superseded_at', eb.val(at)), superseded_why: why }))
      .where('order_id', '=', order_id)
      .execute();
  }
}

/** Marks orders as seen again unchanged. A complete walk by one run needs no marks: it has seen every order. */
export async function markSeen(trx: Trx, ids: Iterable<string>, evidenceId: number): Promise<void> {
  for (const page of chunks(ids)) {
    const orders = trx.updateTable('courier_order').set({ seen_evidence_id: evidenceId });
    await orders.where('order_id', 'in', page).execute();
  }
}

/** The ids of orders seen since some evidence, and of those whose newest record cannot be read; a page at a time. */
export function readSeenSince(db: LedgerDb, since: number): AsyncGenerator<readonly string[]> {
  const readPage = async (after: string) => {
    const rows = await nextInBook(db, after)
      .select('order_id')
      .where((eb) => eb.or([eb('seen_evidence_id', '>=', since), eb('superseded_at', 'is not', null)]))
      .execute();
    return rows.map(({ order_id }) => order_id);
  };
  return pages('', readPage, (id) => id);
}

/** Marks the orders that a complete walk over the order book no longer brought. */
export async function markOrdersGone(trx: Trx, isSeen: (id: string) => boolean, evidence: Evidence): Promise<void> {
  const readPage = (after: string) =>
    nextInBook(trx, after).select(['order_id', 'delivery_state', 'payment_state', 'record_part']).execute();
  for await (const held of pages('', readPage, ({ order_id }) => order_id)) {
    const gone = held.filter(({ order_id }) => !isSeen(order_id));
    await markGone(trx, gone, evidence);
  }
}

async function markGone(trx: Trx, gone: readonly OrderState[], evidence: Evidence): Promise<void> {
  const changes = gone.map((order): OrderChange => {
    return { ...changeOf('vanished', order, order, evidence), amounts_changed: 0 };
  });
  await insertRows(trx, 'order_change', changes);
  for (const page of chunks(gone.map(({ order_id }) => order_id))) {
    await trx.updateTable('courier_order').set({ vanished_at: evidence.at }).where('order_id', 'in', page).execute();
  }
}
