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
  const of = (severity: Severity): Standing => {
    const count = (status: MismatchStatus) =>
      mismatches.filter((one) => one.severity === severity && one.status === status).length;
    return { open: count('open'), acknowledged: count('acknowledged') };
  };
  return { error: of('error'), warning: of('warning'), info: of('info') };
}
