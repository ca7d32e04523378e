import { groupBy } from '../base/group.ts';
import type { ReferenceRule } from '../base/settings.ts';

/** Printable ASCII without `#` or `0` in front, as nearly all references are: of the rule, only the case can matter. */
const PLAIN = /^(?![#0])[!-~]+$/;

/**
 * The form in which the rule compares a reference. Unicode's compatibility forms always count as one (NFKC), and
 * invisible marks as nothing: they come from how a reference was typed, and tell no two orders apart.
 *
 * @returns `12` for `# 0012` if the rule has all of its steps; an empty text if nothing of the reference is left
 */
export function referenceKey(reference: string, rule: ReferenceRule): string {
  if (PLAIN.test(reference)) return rule.includes('ignore-case') ? reference.toLowerCase() : reference;
  let key = reference.normalize('NFKC').replace(/\p{Cf}/gu, '');
  if (rule.includes('trim')) key = key.trim();
  if (rule.includes('drop-hash')) key = key.replace(/^#/, '');
  // Blanks may follow the `#` too.
  if (rule.includes('trim')) key = key.trim();
  // By way of capitals, so that letters with two small forms are equal: `ß` and `ss`, `ς` and `σ`.
  if (rule.includes('ignore-case')) key = key.toUpperCase().toLowerCase().normalize('NFKC');
  if (rule.includes('drop-zeros')) key = key.replace(/^0+(?=.)/, '');
  return key;
}

/** An order of the shop or of the courier, with the reference on it. */
export interface Referenced<I> {
  readonly id: I;
  readonly reference: string | null;
}

/** Orders that make no pair, because several of the shop or of the courier share a reference. */
interface AmbiguousReference<A, B> {
  /** The reference that they share, in the form that the rule compares. */
  readonly key: string;
  readonly own: readonly Referenced<A>[];
  readonly courier: readonly Referenced<B>[];
}

/** One order, as the shop's books (`own`) and the courier have it. */
interface Link<A, B> {
  readonly own: Referenced<A>;
  readonly courier: Referenced<B>;
  /** `exact`: their references are equal as they are; `rule`: by the rule alone. */
  readonly by: 'exact' | 'rule';
}

/**
 * Pairs the shop's orders with the courier's: first by references that are equal as they are, then the remaining
 * orders by the rule. A reference that two orders on one side share makes no pair, nor does an order without one.
 */
export function linkReferences<A, B>(
  own: readonly Referenced<A>[],
  courier: readonly Referenced<B>[],
  rule: ReferenceRule,
) {
  const exact = pairsBy(own, courier, 'exact', (reference) => reference);
  const used = new Set<unknown>();
  for (const pair of exact.linked) used.add(pair.own).add(pair.courier);
  const unused = <T>(orders: readonly T[]) => orders.filter((order) => !used.has(order));
  const ruled = pairsBy(unused(own), unused(courier), 'rule', (reference) => referenceKey(reference, rule));
  for (const pair of ruled.linked) used.add(pair.own).add(pair.courier);
  for (const group of ruled.ambiguous) for (const order of [...group.own, ...group.courier]) used.add(order);
  return {
    linked: [...exact.linked, ...ruled.linked],
    // References that are ambiguous as they are come again by the rule.
    ambiguous: ruled.ambiguous,
    ownOnly: unused(own),
    courierOnly: unused(courier),
  };
}

function pairsBy<A, B>(
  own: readonly Referenced<A>[],
  courier: readonly Referenced<B>[],
  by: Link<A, B>['by'],
  keyOf: (reference: string) => string,
) {
  const key = ({ reference }: Referenced<A | B>) => (reference === null ? '' : keyOf(reference));
  const ordersOfCourier = groupBy(courier, key);
  const linked: Link<A, B>[] = [];
  const ambiguous: AmbiguousReference<A, B>[] = [];
  for (const [shared, shopOrders] of groupBy(own, key)) {
    const matches = ordersOfCourier.get(shared);
    if (shared.trim() === '' || !matches) continue;
    if (shopOrders.length === 1 && matches.length === 1) linked.push({ own: shopOrders[0]!, courier: matches[0]!, by });
    else ambiguous.push({ key: shared, own: shopOrders, courier: matches });
  }
  return { linked, ambiguous };
}
