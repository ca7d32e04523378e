/**
 * The words by which an import finds its way in a statement's workbook. Each language has its own (`words/`); `remit
 * import resolutions` gets those of all languages.
 */
export interface WorkbookWords {
  /** The sheet that people work in. */
  readonly sheet: string;
  readonly columns: { readonly id: string; readonly status: string; readonly note: string };
  /** The statuses that they choose from. */
  readonly statuses: { readonly open: string; readonly acknowledged: string; readonly resolved: string };
}
