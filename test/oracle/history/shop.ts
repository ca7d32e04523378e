import { units } from '../units.ts';
import type { OwnOrder, Price } from '../world/own-book.ts';
import type { Night } from './knowledge.ts';

export interface ShopOrder extends Omit<OwnOrder, 'cod'> {
  readonly cod: Map<string, bigint>;
}

/** What the shop imported, all files together. */
export interface Shop {
  readonly orders: ReadonlyMap<string, ShopOrder>;
  readonly prices: readonly Price[];
  /** By whose clock a price goes. */
  readonly zone: string;
}

/** Null where it imported nothing. A later file updates what it names, and takes nothing away. */
export function shopOf(nights: readonly Night[]): Shop | null {
  const files = nights.flatMap(({ own }) => own ?? []);
  if (files.length === 0) return null;
  const orders = new Map<string, ShopOrder>();
  for (const { cod, ...order } of files.flatMap((file) => file.orders)) {
    const before = orders.get(order.reference);
    const asked = new Map(before?.cod);
    for (const [currency, text] of cod) asked.set(currency, units(text) ?? 0n);
    orders.set(order.reference, { ...order, district: order.district || (before?.district ?? ''), cod: asked });
  }
  return { orders, prices: files.flatMap(({ prices }) => prices), zone: nights.at(-1)?.zone ?? 'UTC' };
}
