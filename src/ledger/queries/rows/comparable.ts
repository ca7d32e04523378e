import { type RawBuilder, sql } from 'kysely';

/**
 * A condition on `courier_order b` and `invoice i`: the order's record is at least as new as the invoice, so that the
 * two can be compared. If the order has vanished, or its newest record cannot be read (`superseded_at`), a whole walk
 * that ended before that is enough.
 *
 * @param lastWholeWalk the evidence id of the last walk that read the whole order book; 0 if there was none
 */
export function isComparable(lastWholeWalk: number): RawBuilder<boolean> {
  // One of three: the order is still in the book, and that was walked whole after the invoice; or its record was seen
  // after the invoice; or it is gone or unreadable, but only since a whole walk after the invoice.
  return sql<boolean>`(b.order_id is not null and (
    (b.vanished_at is null and b.superseded_at is null and ${lastWholeWalk} >= i.detail_evidence_id)
    or b.seen_evidence_id >= i.detail_evidence_id
    or ((b.vanished_at is not null or b.superseded_at is not null) and exists (
      select 1 from listing walk
      where walk.kind = 'orders' and walk.complete = 1 and walk.id >= i.detail_evidence_id
        and (b.vanished_at is null or walk.finished_at < b.vanished_at)
        and (b.superseded_at is null or walk.finished_at < b.superseded_at)
    ))
  ))`;
}

/**
 * A condition on `invoice i`: the whole order book was read after it, so that an order without a record is not in it.
 */
export function isBookNewer(lastWholeWalk: number): RawBuilder<boolean> {
  return sql<boolean>`i.detail_evidence_id <= ${lastWholeWalk}`;
}

/**
 * A condition on `invoice_order o`: the record of its order meets `condition`. Use it where few records do: the
 * database finds them first, instead of reading the record of every row.
 *
 * @param condition over `courier_order`, without an alias
 */
export function isOfOrdersWhere(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`o.order_id in (select order_id from courier_order where ${condition})`;
}
