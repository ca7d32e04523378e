import { sql } from 'kysely';
import { linkReferences, type Referenced, referenceKey } from '../books/references/index.ts';
import { type BilledSide, billedOrders } from './billed-orders.ts';
import type { CheckContext } from './check.ts';
import { ourSource } from './knowledge.ts';

/** An order of the shop's own book. */
export interface OwnSide {
  readonly reference: string;
  readonly status: 'open' | 'cancelled' | 'handed_over' | null;
  readonly ordered_on: string | null;
  readonly district: string | null;
}

/** An order of the courier's. */
export interface CourierSide {
  readonly order_id: string;
  readonly reference: string;
  readonly state: string;
}

/** Which of the shop's own orders is which of the courier's. */
export interface OwnLinks {
  /** By the courier's id. */
  readonly linked: ReadonlyMap<string, { readonly own: OwnSide; readonly courier: CourierSide }>;
  /** How many orders of either side share a reference so that neither can be chosen. */
  readonly ambiguous: { readonly own: number; readonly courier: number };
  readonly ownOnly: readonly OwnSide[];
  readonly courierOnly: readonly CourierSide[];
}

/**
 * Links both books by reference: exactly, then by the rule. A cancelled order of the courier's counts only where no other bears the
 * reference. Without the courier's order book its side is what the invoices list, and an order of a vanished invoice comes last.
 */
export function ownLinks(context: CheckContext): Promise<OwnLinks> {
  const { db, settings, memo } = context;
  return memo.once('own-links', async () => {
    const own = (
      await sql<OwnSide>`select reference, status, ordered_on, district from own_order order by reference`.execute(db)
    ).rows;
    const rule = settings.referenceRule;
    const linked = new Map<string, { own: OwnSide; courier: CourierSide }>();
    const ambiguous = { own: 0, courier: 0 };
    const rest: Referenced<CourierSide>[] = [];
    let ownOnly: readonly Referenced<OwnSide>[] = own.map((order) => ({ id: order, reference: order.reference }));
    for (const rank of await courierRanks(context)) {
      const theirs = rank.map((order): Referenced<CourierSide> => ({ id: order, reference: order.reference }));
      const links = linkReferences(ownOnly, theirs, rule);
      for (const pair of links.linked) {
        linked.set(pair.courier.id.order_id, { own: pair.own.id, courier: pair.courier.id });
      }
      for (const group of links.ambiguous) {
        ambiguous.own += group.own.length;
        ambiguous.courier += group.courier.length;
      }
      rest.push(...links.courierOnly);
      ownOnly = links.ownOnly;
    }
    const keys = new Set(own.map(({ reference }) => referenceKey(reference, rule)));
    // Another order bears the reference and was linked: the sale was sent twice, which `duplicate-reference` says, or again after it was cancelled.
    const isSentAgain = ({ reference }: Referenced<CourierSide>) => keys.has(referenceKey(reference ?? '', rule));
    ambiguous.courier += rest.filter((order) => isSentAgain(order) && !isCancelled(order.id)).length;
    return {
      linked,
      ambiguous,
      ownOnly: ownOnly.map(({ id }) => id),
      courierOnly: rest.filter((order) => !isSentAgain(order)).map(({ id }) => id),
    };
  });
}

function isCancelled({ state }: CourierSide): boolean {
  return state === 'CANCELLED';
}

/** The courier's orders by who is asked first which own order it is. */
async function courierRanks(context: CheckContext): Promise<readonly (readonly CourierSide[])[]> {
  const isActive = (order: CourierSide) => !isCancelled(order);
  if (ourSource(context.knowledge) === 'own-book') {
    const billed = [...(await billedOrders(context)).values()];
    const live = billed.filter(({ isLive }: BilledSide) => isLive);
    return [live.filter(isActive), live.filter(isCancelled), billed.filter(({ isLive }) => !isLive)];
  }
  const { rows } = await sql<CourierSide>`
    select order_id, reference_id as reference, delivery_state as state from courier_order order by order_id`.execute(
    context.db,
  );
  return [rows.filter(isActive), rows.filter(isCancelled)];
}
