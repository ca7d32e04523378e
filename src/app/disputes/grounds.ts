import { CHECKS } from '../../checks/catalogue/index.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';

/** The checks whose findings are a matter for the courier, in the order of the catalogue. Nothing is asked about those of others. */
export const GROUNDS: ReadonlySet<string> = new Set(
  CHECKS.flatMap(({ code, claim }) => (claim === undefined ? [] : [code])),
);

/** Whether a finding is a matter for the courier. Of an order that is not delivered yet nothing was collected, so nothing is claimed. */
export function isGround({ code, severity }: Pick<Mismatch, 'code' | 'severity'>): boolean {
  return GROUNDS.has(code) && (code !== 'book-cod-differs' || severity === 'error');
}
