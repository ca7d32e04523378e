import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that order `b` was seen in the order book when invoice `i` was read as it is now, or later. Of an order that is gone,
 * or whose newest record cannot be read, the last good sighting counts: the last whole walk before that.
 *
 * @param lastWholeWalk the evidence id of the last walk that saw the order book whole; 0 where there was none
 */
export function isComparable(lastWholeWalk: number): RawBuilder<boolean> {
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
 * The condition that the order book was seen whole since invoice `i` was read as it is now: an order that it lacks is not in it.
 *
 * @param lastWholeWalk see {@link isComparable}
 */
export function isBookNewer(lastWholeWalk: number): RawBuilder<boolean> {
  return sql<boolean>`i.detail_evidence_id <= ${lastWholeWalk}`;
}

/**
 * The condition that the record of row `o`'s order meets a condition that few meet. It reads those few first, where the same condition over
 * a joined record would read the record of each row.
 *
 * @param condition over `courier_order`, without an alias
 */
export function isOfOrdersWhere(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`o.order_id in (select order_id from courier_order where ${condition})`;
}
