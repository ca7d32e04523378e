import type { Claim } from '../../ledger/queries/findings/claims.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';

// The claim as a report, for callers that may not import reports themselves.
export { type ClaimLine, claimTotals } from '../../../reports/claim/line.ts';
export { claimData, claimReport } from '../../../reports/claim/report.ts';

/**
 * The claimed amount with an effect's sign: 12.50 that is owed to us is -12.50; null if the courier was only asked to
 * confirm it.
 */
export function claimedEffect({ section, claimed }: Pick<Claim, 'section' | 'claimed'>): string | null {
  if (section === 'confirm') return null;
  return section === 'owed-to-us' ? formatUnits(-parseUnits(claimed)) : claimed;
}

/** A claimed finding's effect now. An overdue invoice has none: what is unpaid of it counts as owed to us. */
export function effectNow({ code, effect, amount }: Mismatch): string | null {
  if (effect !== null || amount === null || code !== 'payment-overdue') return effect;
  return formatUnits(-parseUnits(amount));
}
