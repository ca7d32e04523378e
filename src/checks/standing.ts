import type { MismatchStatus, Severity } from '../ledger/schema.ts';

/** How many mismatches of one severity nobody has decided about, and how many somebody knows of. */
export interface Standing {
  readonly open: number;
  readonly acknowledged: number;
}

/** Counts the mismatches that are not resolved, by severity: check, night, statement, dashboard and close all count by this. */
export function countStanding(
  mismatches: readonly { readonly severity: Severity; readonly status: MismatchStatus }[],
): Readonly<Record<Severity, Standing>> {
  const count = (severity: Severity, status: MismatchStatus) =>
    mismatches.filter((mismatch) => mismatch.severity === severity && mismatch.status === status).length;
  const standingOf = (severity: Severity): Standing => {
    return { open: count(severity, 'open'), acknowledged: count(severity, 'acknowledged') };
  };
  return { error: standingOf('error'), warning: standingOf('warning'), info: standingOf('info') };
}
