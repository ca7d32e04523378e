import type { KnownInvoice } from '../history/invoices.ts';
import type { Money, ReadRow } from '../history/read.ts';
import type { Shop } from '../history/shop.ts';
import { dayOf } from '../world/clock.ts';
import { type Billed, linkShop, shopKey } from './own-link.ts';
import { agreedFee } from './own-price.ts';

/** An invoiced order beside the shop's own book, where no order book of the courier's is there. Rules 48 to 52. */
export interface OwnOrderFacts {
  readonly order_id: string;
  /** The row on which it counts, and its invoice. */
  readonly row: ReadRow;
  readonly invoice: KnownInvoice;
  /** That of the last live invoice; of the last vanished one where none is live. */
  readonly period: string;
  readonly everDelivered: boolean;
  readonly cancelled: boolean;
  /** What the shop asked for; null where its book does not hold the order. */
  readonly asked: Money | null;
  /** Some order of the shop's bears its reference. */
  readonly isKnownReference: boolean;
  /**
   * The agreed fee; `none` where the card has no price, null where nobody can tell, or there is no card, no own order
   * or nothing to pay.
   */
  readonly agreed: Money | 'none' | null;
}

/** @param listing the live invoices that list an order, and @param vanished the others, both first to last */
export function ownFacts(
  invoices: Iterable<KnownInvoice>,
  shop: Shop,
  listing: (order_id: string) => readonly KnownInvoice[],
  vanished: (order_id: string) => readonly KnownInvoice[],
): Map<string, OwnOrderFacts> {
  const rows = [...invoices].flatMap((invoice) => invoice.details.at(-1)?.document.rows ?? []);
  const delivered = new Set(rows.filter((row) => row.delivery_state === 'DELIVERED').map(({ order_id }) => order_id));
  const keys = new Set([...shop.orders.keys()].map(shopKey));
  const counted = [...new Set(rows.map(({ order_id }) => order_id))].map((order_id) => {
    const live = listing(order_id);
    const lists = live.length > 0 ? live : vanished(order_id);
    const invoice = lists[0]!;
    const row = invoice.details.at(-1)!.document.rows.find((each) => each.order_id === order_id)!;
    const rank: Billed['rank'] = live.length === 0 ? 2 : row.delivery_state === 'CANCELLED' ? 1 : 0;
    return { order_id, reference: row.reference_id, rank, row, invoice, period: lists.at(-1)!.period };
  });
  const links = linkShop(counted, shop.orders.values());
  return new Map(
    counted.map(({ order_id, row, invoice, period }) => {
      const own = links.get(order_id);
      const everDelivered = delivered.has(order_id);
      const cancelled = row.delivery_state === 'CANCELLED' && !everDelivered;
      const day = dayOf(new Date(invoice.details.at(-1)!.document.issued_at), shop.zone);
      const subject = { workflow: row.workflow, area: null, merchant_location: null, packages: null, day };
      const isPriced = own !== undefined && !cancelled && shop.prices.length > 0;
      const facts: OwnOrderFacts = {
        order_id,
        row,
        invoice,
        period,
        everDelivered,
        cancelled,
        asked: own?.cod ?? null,
        isKnownReference: keys.has(shopKey(row.reference_id)) && shopKey(row.reference_id) !== '',
        agreed: isPriced ? agreedFee(shop.prices, { ...subject, district: own.district || null }) : null,
      };
      return [order_id, facts];
    }),
  );
}
