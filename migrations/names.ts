/** Every migration of the ledger, in order. */
export const MIGRATIONS = ['0001_schema', '0002_seams'] as const;
