/** How the books are kept beside the courier's own figures (`[accounting]`). */
export interface AccountingSettings {
  /** The currency in which every entry is stated too; null where nothing is converted. */
  readonly baseCurrency: string | null;
  /** Open balances in other currencies are revalued at each month's end. */
  readonly revalue: boolean;
  /** The tax that delivery fees include, in hundredths of a percent: 1100 is 11%; null for none. */
  readonly feeVat: number | null;
}

export const NO_ACCOUNTING_SETTINGS: AccountingSettings = { baseCurrency: null, revalue: false, feeVat: null };
