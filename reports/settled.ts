import { type SettledSums, sumOf } from '../src/checks/receipts/settlements.ts';
import { amountOfUnits, type ExactDecimal } from '../src/money/index.ts';

/** What came of the money of invoices, in the words of a column each; with `outstanding` they come to the net. */
export const SETTLED_FIGURES = ['received', 'differences', 'paid_on_word', 'outstanding'] as const;
export type SettledFigure = (typeof SETTLED_FIGURES)[number];

/** The headings of these columns. */
export const SETTLED_TITLES: Readonly<Record<SettledFigure | 'basis', string>> = {
  received: 'Received',
  differences: 'Named differences',
  paid_on_word: 'Marked paid, unseen',
  outstanding: 'Outstanding',
  basis: 'Known by',
};

/** The figures of a settlement, or of a sum of them, as decimals. */
export function settledAmounts(
  settled: Readonly<Record<SettledFigure, bigint>>,
): Readonly<Record<SettledFigure, ExactDecimal>> {
  return Object.fromEntries(SETTLED_FIGURES.map((figure) => [figure, amountOfUnits(settled[figure])])) as Record<
    SettledFigure,
    ExactDecimal
  >;
}

/** What nothing comes to. */
export const NOTHING_SETTLED: SettledSums = sumOf([]);

/** What a reader must know of how the figures are known: never by the courier's word alone without saying so. */
export function sayBasis(bases: Iterable<SettledSums['basis']>): string[] {
  const all = new Set(bases);
  if (all.size === 0) return [];
  const word = 'what the courier marks paid counts as paid, unseen';
  if (all.size === 1 && all.has('courier')) {
    return [
      `Outstanding is by the courier’s word: no receipts are held for these invoices’ payment window, and ${word}.`,
    ];
  }
  const receipts =
    'Outstanding is net due less what receipts that are matched brought and less differences that were named';
  if (all.size === 1 && all.has('receipts')) return [`${receipts}.`];
  return [
    `${receipts}; where no receipts are held for an invoice’s payment window, ${word} (${SETTLED_TITLES.paid_on_word}).`,
  ];
}
