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
