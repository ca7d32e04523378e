import { type Fraction, sayFraction } from '../imports/rates.ts';
import { inWholeCoins, type Units } from '../money/units.ts';

/** The part of a receipt that pays invoices in another currency. */
export interface Exchanged {
  /** So much of the receipt's currency for one of the invoices', as decimal text: `89500`. */
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
 * @param rate so much of the receipt's currency for one of the invoices', not zero; 89,500 is `above` 89500, `below` 1
 */
export function divideByRate(paid: Units, { above, below }: Fraction): Units {
  return inWholeCoins(HUNDREDTH, paid * below, above);
}

/** A rate as it is kept on record. */
export function rateText(rate: Fraction): string {
  return sayFraction(rate, RATE_DIGITS);
}
