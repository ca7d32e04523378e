import type { ReferenceRule } from '../../base/reference-rule.ts';

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
