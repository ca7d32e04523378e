/** The steps by which references that differ are made comparable: the setting `reference_rule`. */
export const REFERENCE_STEPS = ['trim', 'drop-hash', 'ignore-case', 'drop-zeros'] as const;
export type ReferenceStep = (typeof REFERENCE_STEPS)[number];
export type ReferenceRule = readonly ReferenceStep[];

/** Leading zeros are kept by default: 007 and 7 are two orders in many shops. */
export const DEFAULT_REFERENCE_RULE: ReferenceRule = ['trim', 'drop-hash', 'ignore-case'];
