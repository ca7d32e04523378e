import { sql } from 'kysely';
import { linkReferences, type Referenced, referenceKey } from '../books/references/index.ts';
import type { CheckContext } from './check.ts';

/** An order of the shop's own book. */
export interface OwnSide {
  readonly reference: string;
  readonly status: 'open' | 'cancelled' | 'handed_over' | null;
  readonly ordered_on: string | null;
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

/** Links both books by reference: exactly, then by the rule. A cancelled order of the courier's counts only where no other bears the reference. */
export function ownLinks({ db, settings, memo }: CheckContext): Promise<OwnLinks> {
  return memo.once('own-links', async () => {
    const own = (await sql<OwnSide>`select reference, status, ordered_on from own_order order by reference`.execute(db))
      .rows;
    const { rows } = await sql<CourierSide>`
      select order_id, reference_id as reference, delivery_state as state from courier_order order by order_id`.execute(
      db,
    );
    const rule = settings.referenceRule;
    const mine = own.map((order): Referenced<OwnSide> => ({ id: order, reference: order.reference }));
    const theirs = rows.map((order): Referenced<CourierSide> => ({ id: order, reference: order.reference }));
    const isCancelled = ({ id }: Referenced<CourierSide>) => id.state === 'CANCELLED';
    const first = linkReferences(
      mine,
      theirs.filter((order) => !isCancelled(order)),
      rule,
    );
    const second = linkReferences(first.ownOnly, theirs.filter(isCancelled), rule);
    const keys = new Set(own.map(({ reference }) => referenceKey(reference, rule)));
    const ambiguous = [...first.ambiguous, ...second.ambiguous];
    // Another order bears the reference and was linked: the sale was sent twice, which `duplicate-reference` says, or again after it was cancelled.
    const rest = [...first.courierOnly, ...second.courierOnly];
    const isSentAgain = ({ reference }: Referenced<CourierSide>) => keys.has(referenceKey(reference ?? '', rule));
    const again = rest.filter((order) => isSentAgain(order) && !isCancelled(order)).length;
    return {
      linked: new Map(
        [...first.linked, ...second.linked].map((pair) => [
          pair.courier.id.order_id,
          { own: pair.own.id, courier: pair.courier.id },
        ]),
      ),
      ambiguous: {
        own: ambiguous.reduce((sum, group) => sum + group.own.length, 0),
        courier: ambiguous.reduce((sum, group) => sum + group.courier.length, again),
      },
      ownOnly: second.ownOnly.map(({ id }) => id),
      courierOnly: rest.filter((order) => !isSentAgain(order)).map(({ id }) => id),
    };
  });
}
