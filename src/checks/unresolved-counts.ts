import type { MismatchStatus, Severity } from '../ledger/schema.ts';

/** The numbers of mismatches of one severity that are still open, or acknowledged by a person. */
export interface UnresolvedCounts {
  readonly open: number;
  readonly acknowledged: number;
}

/** Counts the mismatches that are not resolved, by severity. Check, night, statement, dashboard and close use it. */
export function countUnresolved(
  mismatches: readonly { readonly severity: Severity; readonly status: MismatchStatus }[],
): Readonly<Record<Severity, UnresolvedCounts>> {
  const count = (severity: Severity, status: MismatchStatus) =>
    mismatches.filter((mismatch) => mismatch.severity === severity && mismatch.status === status).length;
  const countsOf = (severity: Severity): UnresolvedCounts => {
    return { open: count(severity, 'open'), acknowledged: count(severity, 'acknowledged') };
  };
  return { error: countsOf('error'), warning: countsOf('warning'), info: countsOf('info') };
}
