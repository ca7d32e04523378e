export type { ReferenceRule } from '../../base/reference-rule.ts';
export { type AmbiguousReference, type Links, linkReferences, type Referenced } from './link.ts';
export { referenceKey } from './reference-key.ts';
