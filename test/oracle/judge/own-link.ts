import type { ShopOrder } from '../history/shop.ts';

/** A courier's order as the invoices know it. */
export interface Billed {
  readonly order_id: string;
  readonly reference: string;
  /** Who is asked first: 0 live, 1 live and cancelled, 2 on vanished invoices alone. */
  readonly rank: 0 | 1 | 2;
}

/** The form by which the rule compares references: trimmed, without one leading `#`, whatever the case. Rule 49. */
export function shopKey(reference: string): string {
  const seen = reference
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const plain = seen.startsWith('#') ? seen.slice(1).trim() : seen;
  return plain.toUpperCase().toLowerCase().normalize('NFKC');
}

/** The shop's order of each of the courier's, by id: one and one alone, exactly before by the rule. Rule 49. */
export function linkShop(billed: readonly Billed[], shop: Iterable<ShopOrder>): Map<string, ShopOrder> {
  const links = new Map<string, ShopOrder>();
  const left = new Set(shop);
  for (const rank of [0, 1, 2]) {
    const theirs = new Set(billed.filter((order) => order.rank === rank));
    for (const form of [(reference: string) => reference, shopKey]) {
      const forms = new Set([...theirs].map(({ reference }) => form(reference)).filter((key) => key.trim() !== ''));
      for (const key of forms) {
        const own = [...left].filter(({ reference }) => form(reference) === key);
        const others = [...theirs].filter(({ reference }) => form(reference) === key);
        if (own.length === 0) continue;
        const isPair = own.length === 1 && others.length === 1;
        if (isPair) links.set(others[0]!.order_id, own[0]!);
        // Several of one exact form may still be told apart by nothing: the rule sees them all together.
        if (!isPair && form !== shopKey) continue;
        for (const each of own) left.delete(each);
        for (const each of others) theirs.delete(each);
      }
    }
  }
  return links;
}
