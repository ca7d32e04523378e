/** The steps of the setting `reference_rule`: by them your shop's `#a17` and the courier's `A17` are one reference. */
export const REFERENCE_STEPS = ['trim', 'drop-hash', 'ignore-case', 'drop-zeros'] as const;
export type ReferenceStep = (typeof REFERENCE_STEPS)[number];
export type ReferenceRule = readonly ReferenceStep[];

/** Leading zeros are kept by default: 007 and 7 are two orders in many shops. */
export const DEFAULT_REFERENCE_RULE: ReferenceRule = ['trim', 'drop-hash', 'ignore-case'];
