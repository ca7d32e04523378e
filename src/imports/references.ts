import { groupBy } from '../base/group.ts';
import type { ReferenceRule } from '../base/reference-rule.ts';

/** Nothing of it but the case could be typed otherwise, and no step takes anything off: so are nearly all. */
const PLAIN = /^(?![#0])[!-~]+$/;

/**
 * The form of a reference by which the rule compares it. Unicode's compatibility forms always count as one (NFKC), and
 * marks that nobody sees as nothing: they are how a reference was typed, not which order it names.
 *
 * @returns an empty text for a reference that says nothing
 */
export function referenceKey(reference: string, rule: ReferenceRule): string {
  if (PLAIN.test(reference)) return rule.includes('ignore-case') ? reference.toLowerCase() : reference;
  let key = reference.normalize('NFKC').replace(/\p{Cf}/gu, '');
  if (rule.includes('trim')) key = key.trim();
  if (rule.includes('drop-hash')) key = key.replace(/^#/, '');
  if (rule.includes('trim')) key = key.trim();
  if (rule.includes('ignore-case')) key = key.toUpperCase().toLowerCase().normalize('NFKC');
  if (rule.includes('drop-zeros')) key = key.replace(/^0+(?=.)/, '');
  return key;
}

/** An order of either side, with the reference that it bears. */
export interface Referenced<I> {
  readonly id: I;
  readonly reference: string | null;
}

/** Orders of which the rule cannot say which belongs to which. */
export interface AmbiguousReference<A, B> {
  /** The form that they share. */
  readonly key: string;
  readonly own: readonly Referenced<A>[];
  readonly courier: readonly Referenced<B>[];
}

/** An order of the shop's own, and the courier's that it is. */
export interface Link<A, B> {
  readonly own: Referenced<A>;
  readonly courier: Referenced<B>;
  readonly by: 'exact' | 'rule';
}

export interface Links<A, B> {
  readonly linked: readonly Link<A, B>[];
  /** Both are listed, neither is chosen. */
  readonly ambiguous: readonly AmbiguousReference<A, B>[];
  readonly ownOnly: readonly Referenced<A>[];
  readonly courierOnly: readonly Referenced<B>[];
}

/**
 * Finds which of the shop's own orders is which of the courier's: first by references that are equal as they are, then
 * by the rule, among what is left. Only one and one make a pair. Orders without a reference are linked to nothing.
 */
export function linkReferences<A, B>(
  own: readonly Referenced<A>[],
  courier: readonly Referenced<B>[],
  rule: ReferenceRule,
): Links<A, B> {
  const exact = pairs(own, courier, 'exact', (reference) => reference);
  const used = new Set<unknown>();
  for (const pair of exact.linked) used.add(pair.own).add(pair.courier);
  const rest = <T>(orders: readonly T[]) => orders.filter((order) => !used.has(order));
  const ruled = pairs(rest(own), rest(courier), 'rule', (reference) => referenceKey(reference, rule));
  for (const pair of ruled.linked) used.add(pair.own).add(pair.courier);
  for (const group of ruled.ambiguous) for (const order of [...group.own, ...group.courier]) used.add(order);
  return {
    linked: [...exact.linked, ...ruled.linked],
    ambiguous: ruled.ambiguous,
    ownOnly: rest(own),
    courierOnly: rest(courier),
  };
}

function pairs<A, B>(
  own: readonly Referenced<A>[],
  courier: readonly Referenced<B>[],
  by: Link<A, B>['by'],
  keyOf: (reference: string) => string,
) {
  const key = ({ reference }: { readonly reference: string | null }) => (reference === null ? '' : keyOf(reference));
  const theirs = groupBy(courier, key);
  const linked: Link<A, B>[] = [];
  const ambiguous: AmbiguousReference<A, B>[] = [];
  for (const [shared, mine] of groupBy(own, key)) {
    const others = theirs.get(shared);
    if (shared.trim() === '' || !others) continue;
    if (mine.length === 1 && others.length === 1) linked.push({ own: mine[0]!, courier: others[0]!, by });
    else ambiguous.push({ key: shared, own: mine, courier: others });
  }
  return { linked, ambiguous };
}
