import type { SettledSums } from '../src/checks/facts/receipts/settlements.ts';

/** Says whether the outstanding figure rests on receipts, on the courier's Paid flag, or on both. */
export type OutstandingBasis = { id: 'outstanding-basis'; basis: SettledSums['basis'] };

/** A note on what the outstanding figures rest on; none if there are no figures. */
export function basisNotes(bases: Iterable<SettledSums['basis']>): OutstandingBasis[] {
  const [basis, ...others] = new Set(bases);
  if (basis === undefined) return [];
  return [{ id: 'outstanding-basis', basis: others.length === 0 ? basis : 'both' }];
}
