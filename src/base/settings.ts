/** The settings of `[accounting]`: conversion into a base currency, and tax. */
export interface AccountingSettings {
  /** The currency in which the journal states every entry too; null if nothing is converted. */
  readonly baseCurrency: string | null;
  /** Whether open balances in other currencies are revalued at each month's end. */
  readonly revalue: boolean;
  /** The tax that delivery fees include, in hundredths of a percent: 1100 is 11%; null for none. */
  readonly feeVat: number | null;
}

export const NO_ACCOUNTING_SETTINGS: AccountingSettings = { baseCurrency: null, revalue: false, feeVat: null };

/** The steps of the setting `reference_rule`: by them your shop's `#a17` and the courier's `A17` are one reference. */
export const REFERENCE_STEPS = ['trim', 'drop-hash', 'ignore-case', 'drop-zeros'] as const;
export type ReferenceStep = (typeof REFERENCE_STEPS)[number];
export type ReferenceRule = readonly ReferenceStep[];

/** Leading zeros are kept by default: 007 and 7 are two orders in many shops. */
export const DEFAULT_REFERENCE_RULE: ReferenceRule = ['trim', 'drop-hash', 'ignore-case'];
