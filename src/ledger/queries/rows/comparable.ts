import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that the record of order `b` is at least as new as invoice `i`, so that the two can be compared. For an
 * order that has vanished, or whose newest record cannot be read, the last whole walk before that counts.
 *
 * @param lastWholeWalk the evidence id of the last walk that read the whole order book; 0 if there was none
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
 * The condition that the whole order book was read after invoice `i`: an order that the ledger lacks is not in it.
 *
 * @param lastWholeWalk see {@link isComparable}
 */
export function isBookNewer(lastWholeWalk: number): RawBuilder<boolean> {
  return sql<boolean>`i.detail_evidence_id <= ${lastWholeWalk}`;
}

/**
 * The condition that the record of row `o`'s order meets a condition that few orders meet. It finds those few first;
 * the same condition on a joined record would read every row's record.
 *
 * @param condition over `courier_order`, without an alias
 */
export function isOfOrdersWhere(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`o.order_id in (select order_id from courier_order where ${condition})`;
}
