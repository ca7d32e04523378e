/** The steps of the setting `reference_rule`, by which `#a17` of your shop and `A17` of the courier become one reference. */
export const REFERENCE_STEPS = ['trim', 'drop-hash', 'ignore-case', 'drop-zeros'] as const;
export type ReferenceStep = (typeof REFERENCE_STEPS)[number];
export type ReferenceRule = readonly ReferenceStep[];

/** Leading zeros are kept by default: 007 and 7 are two orders in many shops. */
export const DEFAULT_REFERENCE_RULE: ReferenceRule = ['trim', 'drop-hash', 'ignore-case'];
