/**
 * What must not compile. Each line below its marker is an error today; should one become legal, its marker has nothing
 * to expect, and the compiler reports that instead.
 */
import { add, subtract } from '../../../src/money/sum.ts';
import { type Money, money } from '../../../src/money/units.ts';

const usd = money('USD', '1.00');
const lbp = money('LBP', '1.00');

export const sum: Money<'USD'> = add(usd, usd);
// @ts-expect-error two currencies are never added
export const mixed = add(usd, lbp);
// @ts-expect-error nor subtracted
export const difference = subtract(usd, lbp);
// @ts-expect-error one is not the other
export const wrong: Money<'LBP'> = usd;
// @ts-expect-error an amount is no JavaScript number
export const float = money('USD', 1.5);
