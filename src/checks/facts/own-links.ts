import { linkReferences, type Referenced, referenceKey } from '../../imports/references.ts';
import { type OwnOrder, readOwnOrders } from '../../ledger/queries/imports.ts';
import { type OrderRecordName, readOrderRecordNames } from '../../ledger/queries/orders/records.ts';
import type { CheckContext } from '../check.ts';
import { type BilledOrder, billedOrders } from './billed-orders.ts';
import { ourSource } from './sources.ts';

/**
 * Links the orders of the shop's own book with those of the courier by reference: exactly, then by the rule. A
 * cancelled order of the courier's is linked only if no other has its reference; if its sale was sent again, it is in
 * none of the lists. Without the order book the orders on invoices are linked, those on vanished ones last.
 */
export function ownLinks(context: CheckContext) {
  const { db, settings, facts } = context;
  return facts.once('own-links', async () => {
    const own = await readOwnOrders(db);
    const rule = settings.referenceRule;
    /** The pairs, by the courier's order id. */
    const linked = new Map<string, { own: OwnOrder; courier: OrderRecordName }>();
    /** Orders that share a reference, so that none can be chosen: how many in the own book, and the courier's. */
    const ambiguous = { own: 0, courier: [] as OrderRecordName[] };
    const unlinked: Referenced<OrderRecordName>[] = [];
    // What `linkReferences` calls an order's `id` is here the whole order.
    let ownOnly: readonly Referenced<OwnOrder>[] = own.map((order) => ({ id: order, reference: order.reference }));
    for (const group of await courierOrderGroups(context)) {
      const orders = group.map((order): Referenced<OrderRecordName> => ({ id: order, reference: order.reference }));
      const links = linkReferences(ownOnly, orders, rule);
      for (const pair of links.linked) {
        linked.set(pair.courier.id.order_id, { own: pair.own.id, courier: pair.courier.id });
      }
      for (const alike of links.ambiguous) {
        ambiguous.own += alike.own.length;
        for (const { id } of alike.courier) ambiguous.courier.push(id);
      }
      // One by one, because a call takes some 100,000 values at most.
      for (const order of links.courierOnly) unlinked.push(order);
      ownOnly = links.ownOnly;
    }
    const ownKeys = new Set(own.map(({ reference }) => referenceKey(reference, rule)));
    // The own book has the sale, and it was sent to the courier twice, or again after it was cancelled.
    const isSentAgain = ({ reference }: Referenced<OrderRecordName>) =>
      ownKeys.has(referenceKey(reference ?? '', rule));
    // A cancelled order whose sale was sent again is left out: another order took its place.
    const courierOnly: OrderRecordName[] = [];
    for (const order of unlinked) {
      if (!isSentAgain(order)) courierOnly.push(order.id);
      else if (!isCancelled(order.id)) ambiguous.courier.push(order.id);
    }
    return { linked, ambiguous, ownOnly: ownOnly.map(({ id }) => id), courierOnly };
  });
}

function isCancelled({ state }: OrderRecordName): boolean {
  return state === 'CANCELLED';
}

/** The courier's orders in the groups in which they are linked, one group after another. */
async function courierOrderGroups(context: CheckContext): Promise<readonly (readonly OrderRecordName[])[]> {
  const isActive = (order: OrderRecordName) => !isCancelled(order);
  if (ourSource(context.sources) === 'own-book') {
    // The courier's order book was never read: only the orders on its invoices are known.
    const billed = [...(await billedOrders(context)).values()];
    const live = billed.filter(({ isLive }: BilledOrder) => isLive);
    return [live.filter(isActive), live.filter(isCancelled), billed.filter(({ isLive }) => !isLive)];
  }
  const rows = await readOrderRecordNames(context.db);
  return [rows.filter(isActive), rows.filter(isCancelled)];
}
