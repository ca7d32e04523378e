import { type Fraction, sayFraction } from '../imports/rates.ts';
import type { Units } from '../money/units.ts';

/** A receipt in another currency than the invoice that it pays. */
export interface Exchanged {
  /** Units of the receipt's currency for one of the invoice's, as decimal text. */
  readonly rate: string;
  /** The receipt's own currency, and what of it is used. */
  readonly currency: string;
  readonly amount: Units;
}

/** Amounts are worth whole hundredths of a unit in another currency. */
const HUNDREDTH = 100n;

/** What an amount is worth in another currency, to the hundredth, halves away from zero. @param rate its units for one of the other */
export function worthOf(amount: Units, { above, below }: Fraction): Units {
  const [top, bottom] = [amount * below * 2n, above * HUNDREDTH * 2n];
  const size = top < 0n ? -top : top;
  const hundredths = (size + bottom / 2n) / bottom;
  return (top < 0n ? -hundredths : hundredths) * HUNDREDTH;
}

/** A rate as it is kept on record. */
export function rateText(rate: Fraction): string {
  return sayFraction(rate, 20);
}
