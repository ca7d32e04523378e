import { linkReferences, type Referenced, referenceKey } from '../../imports/references.ts';
import { type OwnOrder, readOwnOrders } from '../../ledger/queries/orders/own-book.ts';
import { type OrderRecordName, readOrderRecordNames } from '../../ledger/queries/orders/records.ts';
import type { CheckContext } from '../check.ts';
import { type BilledSide, billedOrders } from './billed-orders.ts';
import { ourSource } from './sources.ts';

export type OwnSide = OwnOrder;
export type CourierSide = OrderRecordName;

/** One reference is borne by several orders, so that none can be chosen. */
export type ReferenceSentence = { id: 'reference-on-several-orders' };

/** Which of the shop's own orders is which of the courier's. */
export interface OwnLinks {
  /** By the courier's id. */
  readonly linked: ReadonlyMap<string, { readonly own: OwnSide; readonly courier: CourierSide }>;
  /** The courier's orders that share a reference so that none can be chosen, and how many of our own do. */
  readonly ambiguous: { readonly own: number; readonly courier: readonly CourierSide[] };
  readonly ownOnly: readonly OwnSide[];
  readonly courierOnly: readonly CourierSide[];
}

/**
 * Links both books by reference: exactly, then by the rule. A cancelled order of the courier's counts only where no other bears the
 * reference. Without the courier's order book its side is what the invoices list, and an order of a vanished invoice comes last.
 */
export function ownLinks(context: CheckContext): Promise<OwnLinks> {
  const { db, settings, facts } = context;
  return facts.once('own-links', async () => {
    const own = await readOwnOrders(db);
    const rule = settings.referenceRule;
    const linked = new Map<string, { own: OwnSide; courier: CourierSide }>();
    const ambiguous = { own: 0, courier: [] as CourierSide[] };
    const unlinked: Referenced<CourierSide>[] = [];
    let ownOnly: readonly Referenced<OwnSide>[] = own.map((order) => ({ id: order, reference: order.reference }));
    for (const rank of await courierRanks(context)) {
      const orders = rank.map((order): Referenced<CourierSide> => ({ id: order, reference: order.reference }));
      const links = linkReferences(ownOnly, orders, rule);
      for (const pair of links.linked) {
        linked.set(pair.courier.id.order_id, { own: pair.own.id, courier: pair.courier.id });
      }
      for (const group of links.ambiguous) {
        ambiguous.own += group.own.length;
        ambiguous.courier.push(...group.courier.map(({ id }) => id));
      }
      unlinked.push(...links.courierOnly);
      ownOnly = links.ownOnly;
    }
    const ownKeys = new Set(own.map(({ reference }) => referenceKey(reference, rule)));
    // Another order bears the reference and was linked: the sale was sent twice, which `duplicate-reference` says, or again after it was
    // cancelled.
    const isSentAgain = ({ reference }: Referenced<CourierSide>) => ownKeys.has(referenceKey(reference ?? '', rule));
    ambiguous.courier.push(...unlinked.filter(isSentAgain).flatMap(({ id }) => (isCancelled(id) ? [] : id)));
    return {
      linked,
      ambiguous,
      ownOnly: ownOnly.map(({ id }) => id),
      courierOnly: unlinked.filter((order) => !isSentAgain(order)).map(({ id }) => id),
    };
  });
}

function isCancelled({ state }: CourierSide): boolean {
  return state === 'CANCELLED';
}

/** The courier's orders by who is asked first which own order it is. */
async function courierRanks(context: CheckContext): Promise<readonly (readonly CourierSide[])[]> {
  const isActive = (order: CourierSide) => !isCancelled(order);
  if (ourSource(context.sources) === 'own-book') {
    const billed = [...(await billedOrders(context)).values()];
    const live = billed.filter(({ isLive }: BilledSide) => isLive);
    return [live.filter(isActive), live.filter(isCancelled), billed.filter(({ isLive }) => !isLive)];
  }
  const rows = await readOrderRecordNames(context.db);
  return [rows.filter(isActive), rows.filter(isCancelled)];
}
