/**
 * The words of a statement's workbook that are read back from it. Each language has its own (`words/`); `remit import resolutions` is
 * given those of all.
 */
export interface ReadBackWords {
  /** The sheet that people work in. */
  readonly sheet: string;
  readonly columns: { readonly id: string; readonly status: string; readonly note: string };
  /** The statuses that they choose from. */
  readonly statuses: { readonly open: string; readonly acknowledged: string; readonly resolved: string };
}
