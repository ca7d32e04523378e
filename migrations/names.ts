/** Every migration of the ledger, in order. */
export const MIGRATIONS = ['0001_schema', '0002_seams', '0003_webhooks'] as const;

/** Those after which evidence gives other rows than before. */
export const CHANGES_ROWS: readonly string[] = ['0002_seams'] satisfies (typeof MIGRATIONS)[number][];
