/**
 * Webhooks: messages from couriers that an order has changed, and the orders that wait to be fetched for them. A
 * message has no `answered_evidence_id` until its order was fetched.
 */
import { type LedgerReader, rowsOf } from './snapshot.ts';

/** The orders that messages named and that were not fetched since, those that have waited longest first. */
export async function readWaitingOrders(db: LedgerReader, limit?: number): Promise<string[]> {
  const query = db
    .selectFrom('webhook')
    .select('order_id')
    .where('answered_evidence_id', 'is', null)
    .groupBy('order_id')
    .orderBy((eb) => eb.fn.min('evidence_id'));
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
  return rows.map(({ order_id }) => order_id!);
}

export async function hasMessageSince(db: LedgerReader, at: string): Promise<boolean> {
  const query = db.selectFrom('webhook').select('evidence_id').where('received_at', '>=', at).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Which of these messages the ledger has. @param hashes the SHA-256 of their bytes */
export async function readHeldMessages(db: LedgerReader, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('webhook').select('sha256').where('sha256', 'in', hashes).execute();
  return new Set(rows.map(({ sha256 }) => sha256));
}

export async function hasSyncBegunSince(db: LedgerReader, evidenceId: number): Promise<boolean> {
  const query = db.selectFrom('evidence').select('id').where('id', '>', evidenceId).where('kind', '=', 'run-begun');
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Which of these orders were seen after a row of evidence; without those that a complete walk found unchanged. */
export async function readOrdersSeenSince(db: LedgerReader, ids: readonly string[], evidenceId: number) {
  const seen = db.selectFrom('courier_order').select('order_id').where('order_id', 'in', ids);
  const rows = await seen.where('seen_evidence_id', '>', evidenceId).execute();
  return new Set(rows.map(({ order_id }) => order_id));
}

/** The counts of a courier's messages, and when the last one came; null before the first. */
export async function readWebhookCounts(db: LedgerReader) {
  const rows = await rowsOf<Record<'received' | 'unreadable' | 'waiting', number> & { last: string | null }>(db)`
    select count(*) as received, max(received_at) as last,
      count(case when order_id is null then 1 end) as unreadable,
      count(distinct case when answered_evidence_id is null then order_id end) as waiting
    from webhook`;
  const { received, last, unreadable, waiting } = rows[0]!;
  return { received: Number(received), last, unreadable: Number(unreadable), waiting: Number(waiting) };
}

/** An order that the last whole walk over the order book found changed, or new. */
export interface WalkedNews {
  readonly order_id: string;
  readonly reference: string;
  /** When the walk saw it. */
  readonly seen_at: string;
  /** The states before; null for a new order. */
  readonly from_delivery_state: string | null;
  readonly from_payment_state: string | null;
  readonly to_delivery_state: string;
  readonly to_payment_state: string;
  /** The last statestamp of the record as it is now; null if it has none. */
  readonly changed_at: string | null;
  /** 1 if a message about it was waiting when the walk found it. */
  readonly announced: 0 | 1;
  /** The `updated_at` of the first message about it that came later; null if none did. */
  readonly announced_late_at: string | null;
}

/** The changed and new orders of a walk, and since when the courier sends messages. */
export interface NewsOfWalk {
  /** By order. */
  readonly news: readonly WalkedNews[];
  /** The `updated_at` of the first message, if it came between the two walks; null if the courier sent some before. */
  readonly since: string | null;
}

/**
 * The orders that the last whole walk over the order book found new, or changed in states or amounts.
 *
 * @returns null if there are no two walks, or no message came between them: then none can be said to be missing
 */
export async function readWalkedNews(db: LedgerReader): Promise<NewsOfWalk | null> {
  const whole = db.selectFrom('listing').select('id').where('kind', '=', 'orders').where('complete', '=', 1);
  const walks = await whole.orderBy('id', 'desc').limit(2).execute();
  const [endOfLast, endOfBefore] = await Promise.all(walks.map(({ id }) => readEndOfWalk(db, id)));
  if (endOfLast === undefined || endOfBefore === undefined) return null;
  const times = await rowsOf<{ first_message: number | null; since: string | null; messages: number }>(db)`
    select min(evidence_id) as first_message, min(updated_at) as since,
      count(case when evidence_id > ${endOfBefore} and evidence_id < ${endOfLast} then 1 end) as messages
    from webhook where order_id is not null`;
  const { first_message: firstMessage, since, messages } = times[0]!;
  if (firstMessage === null || Number(messages) === 0) return null;
  // `n`: the changes that evidence between the two walks' ends showed, and the new orders. Only what pages of the order
  // book showed counts: an order that was fetched by itself may have been fetched because of a message.
  // `announced`: a message had come before the page, and nothing before the page had answered it. A message that is not
  // newer than an earlier one about its order (`is_old`) announces nothing.
  const rows = await rowsOf<WalkedNews>(db)`
    select n.order_id, b.reference_id as reference, e.at as seen_at, n.from_delivery_state, n.from_payment_state,
      n.to_delivery_state, n.to_payment_state,
      (select max(s.stamped_at) from statestamp s where s.order_id = n.order_id) as changed_at,
      case when exists (
        select 1 from webhook w where w.order_id = n.order_id and w.is_old = 0 and w.evidence_id < n.evidence_id
          and (w.answered_evidence_id is null or w.answered_evidence_id >= n.evidence_id)
      ) then 1 else 0 end as announced,
      (select min(w.updated_at) from webhook w where w.order_id = n.order_id and w.evidence_id > n.evidence_id)
        as announced_late_at
    from (
      select order_id, evidence_id, from_delivery_state, from_payment_state, to_delivery_state, to_payment_state
      from order_change
      where evidence_id > ${endOfBefore} and evidence_id < ${endOfLast} and what = 'changed' and (amounts_changed = 1
        or from_delivery_state <> to_delivery_state or from_payment_state <> to_payment_state)
      union all
      select order_id, first_evidence_id, null, null, delivery_state, payment_state
      from courier_order where first_evidence_id > ${endOfBefore} and first_evidence_id < ${endOfLast}
    ) n
    join courier_order b on b.order_id = n.order_id
    join evidence e on e.id = n.evidence_id
    where e.kind = 'order-pages' and e.listing = 'orders'
    order by n.order_id, n.evidence_id`;
  // Of an order that two pages showed, the later one.
  const news = [...new Map(rows.map((row) => [row.order_id, row])).values()];
  return { news, since: firstMessage < endOfBefore ? null : since };
}

/** The evidence that ended a whole walk: a walk that was read in parts has the id of its beginning, and ends later. */
async function readEndOfWalk(db: LedgerReader, walk: number): Promise<number> {
  const rows = await rowsOf<{ id: number | null }>(db)`
    select min(id) as id from evidence
    where kind = 'listing' and subject = 'orders' and id >= ${walk} and data like '%"complete":true%'`;
  return Number(rows[0]!.id);
}

export async function countOrderChanges(db: LedgerReader, evidenceId: number): Promise<number> {
  const query = db.selectFrom('order_change').select((eb) => eb.fn.countAll<number>().as('changes'));
  return Number((await query.where('evidence_id', '=', evidenceId).executeTakeFirstOrThrow()).changes);
}
