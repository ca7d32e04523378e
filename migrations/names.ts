/** Every migration of the ledger, in order. */
export const MIGRATIONS = ['0001_schema'] as const;
