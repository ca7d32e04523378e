/** Every migration of the ledger, in order. */
export const MIGRATIONS = [
  '0001_schema',
  '0002_seams',
  '0003_webhooks',
  '0004_order_changes',
  '0005_references',
] as const;

/** The migrations after which the same evidence gives different rows, so that all rows are derived again. */
export const CHANGES_ROWS: readonly string[] = [
  '0002_seams',
  '0004_order_changes',
] satisfies (typeof MIGRATIONS)[number][];
