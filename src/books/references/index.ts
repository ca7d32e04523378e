export { type AmbiguousReference, type Links, linkReferences, type Referenced } from './link.ts';
export {
  DEFAULT_REFERENCE_RULE,
  parseReferenceRule,
  REFERENCE_STEPS,
  type ReferenceRule,
  type ReferenceStep,
  referenceKey,
} from './rule.ts';
