import { type SettledSums, sumOf } from '../src/checks/facts/receipts/settlements.ts';
import type { ExactDecimal } from '../src/money/decimal.ts';
import { amountOfUnits } from '../src/money/units.ts';

/** How an invoice's net is settled: these add up to it. `paid_on_word`: paid by the courier's Paid flag alone. */
export const SETTLED_FIGURES = ['received', 'differences', 'paid_on_word', 'outstanding'] as const;
export type SettledFigure = (typeof SETTLED_FIGURES)[number];

/** The figures of a settlement, or of a sum of them, as decimals. */
export function settledAmounts(
  settled: Readonly<Record<SettledFigure, bigint>>,
): Readonly<Record<SettledFigure, ExactDecimal>> {
  return Object.fromEntries(SETTLED_FIGURES.map((figure) => [figure, amountOfUnits(settled[figure])])) as Record<
    SettledFigure,
    ExactDecimal
  >;
}

/** Zeros, for a currency without invoices. */
export const NOTHING_SETTLED: SettledSums = sumOf([]);

/** Says whether the outstanding figure rests on receipts, on the courier's Paid flag, or on both. */
export type OutstandingBasis = { id: 'outstanding-basis'; basis: SettledSums['basis'] };

/** A note on what the outstanding figures rest on; none if there are no figures. */
export function basisNotes(bases: Iterable<SettledSums['basis']>): OutstandingBasis[] {
  const [basis, ...others] = new Set(bases);
  if (basis === undefined) return [];
  return [{ id: 'outstanding-basis', basis: others.length === 0 ? basis : 'both' }];
}
