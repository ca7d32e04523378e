import type { Claim } from '../../ledger/queries/findings/claims.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';

/** What was claimed, with the sign of an effect: negative where it is owed to us; null where we only asked to confirm it. */
export function claimedEffect({ section, claimed }: Pick<Claim, 'section' | 'claimed'>): string | null {
  if (section === 'confirm') return null;
  return section === 'owed-to-us' ? formatUnits(-parseUnits(claimed)) : claimed;
}

/** What a claimed finding comes to now, alike: what is unpaid of an overdue invoice has no effect, and is owed to us. */
export function effectNow({ code, effect, amount }: Mismatch): string | null {
  if (effect !== null || amount === null || code !== 'payment-overdue') return effect;
  return formatUnits(-parseUnits(amount));
}
