import { Decimal } from 'decimal.js';

/**
 * The one decimal.js constructor of the project. decimal.js rounds every result to `precision` significant digits and
 * defaults to 20; amounts are limited to {@link MAX_AMOUNT_LENGTH} characters, so that at 100 digits no sum of them
 * can reach the limit. `toExpNeg`/`toExpPos` keep `String()` from ever printing an exponent.
 */
export const ExactDecimal = Decimal.clone({ precision: 100, toExpNeg: -200, toExpPos: 200, defaults: true });

/** An exact decimal number. */
export type ExactDecimal = Decimal;

/** The longest amount text that is read: far beyond any real amount, far below the precision above. */
export const MAX_AMOUNT_LENGTH = 64;
