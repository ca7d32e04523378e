import { type SettledSums, sumOf } from '../src/checks/facts/receipts/settlements.ts';
import type { ExactDecimal } from '../src/money/decimal.ts';
import { amountOfUnits } from '../src/money/units.ts';

/** What became of an invoice's net: together these figures come to it. `paid_on_word` was paid by the courier's Paid flag alone. */
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

/** The settlement of no invoice: zeros. */
export const NOTHING_SETTLED: SettledSums = sumOf([]);

/** Says whether the outstanding figure rests on receipts, on the courier's Paid flag, or on both. */
export type OutstandingBasis = { id: 'outstanding-basis'; basis: SettledSums['basis'] };

/** What a reader must know of how the figures are known; nothing where there are none. */
export function basisNotes(bases: Iterable<SettledSums['basis']>): OutstandingBasis[] {
  const [basis, ...others] = new Set(bases);
  if (basis === undefined) return [];
  return [{ id: 'outstanding-basis', basis: others.length === 0 ? basis : 'both' }];
}
