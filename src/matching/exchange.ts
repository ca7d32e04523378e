import { type Fraction, sayFraction } from '../imports/rates.ts';
import { inWholeCoins, type Units } from '../money/units.ts';

/** The part of a receipt that pays invoices in another currency. */
export interface Exchanged {
  /** Units of the receipt's currency for one of the invoices', as decimal text. */
  readonly rate: string;
  /** The receipt's currency, and the amount that is used. */
  readonly currency: string;
  readonly amount: Units;
}

/** 0.01 in ledger units: an exchanged amount is rounded to it, whatever the currency. */
const HUNDREDTH = 100n;
/** Significant digits of a rate that are kept on record. */
const RATE_DIGITS = 20;

/**
 * Converts an amount at a rate, rounded to 0.01, halves away from zero: 895,000 LBP at 89,500 are 10.00 USD.
 *
 * @param rate units of the receipt's currency for one of the invoices', not zero
 */
export function divideByRate(paid: Units, { above, below }: Fraction): Units {
  return inWholeCoins(HUNDREDTH, paid * below, above);
}

export function rateText(rate: Fraction): string {
  return sayFraction(rate, RATE_DIGITS);
}
