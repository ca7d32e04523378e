import { ConfigError } from '../../errors.ts';
import { quoted } from '../../text.ts';

/** What is done to references before they are compared, where they are not equal as they are. */
export const REFERENCE_STEPS = ['trim', 'drop-hash', 'ignore-case', 'drop-zeros'] as const;
export type ReferenceStep = (typeof REFERENCE_STEPS)[number];
export type ReferenceRule = readonly ReferenceStep[];

/** Leading zeros stay unless told: 007 and 7 are two orders in many shops. */
export const DEFAULT_REFERENCE_RULE: ReferenceRule = ['trim', 'drop-hash', 'ignore-case'];

/**
 * Reads the setting `reference_rule`, a list of steps.
 *
 * @throws ConfigError naming what is no step
 */
export function parseReferenceRule(value: unknown): ReferenceRule {
  const steps: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isStep = (step: unknown): step is ReferenceStep => (REFERENCE_STEPS as readonly unknown[]).includes(step);
  const wrong = steps.find((step) => !isStep(step));
  if (wrong !== undefined || value === undefined) {
    throw new ConfigError(
      `\`reference_rule\` has no step ${typeof wrong === 'string' ? quoted(wrong) : String(wrong)}`,
      `It is a list of some of these: ${REFERENCE_STEPS.join(', ')}.`,
    );
  }
  return steps.filter(isStep);
}

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
