import type { MoneyPairs } from '../../api/wire.ts';
import { parseUnits } from '../../money/units.ts';
import { type Problems, quote } from '../http/problems.ts';
import type { AmountUnits } from './rate-card.ts';

const CURRENCY = /^[A-Z]{3}$/;
/** Twelve whole digits and two decimals: sums of thousands of such amounts stay within the range of units. */
const AMOUNT = /^[0-9]{1,12}(?:\.[0-9]{1,2})?$/;

/**
 * Reads a money field that a merchant sends: currency codes of three capital letters, each at most once, and plain
 * decimal amounts, zero or more, with at most two decimals. Faults are noted under `field`.
 */
export function readMoney(pairs: MoneyPairs, problems: Problems, field: string): AmountUnits[] {
  const amounts: AmountUnits[] = [];
  const seen = new Set<string>();
  for (const [i, pair] of pairs.entries()) {
    if (problems.full) break; // later faults are not listed
    if (problems.within(`${field}[${i}]`)) continue;
    const [currency = '', amount = ''] = pair;
    if (!CURRENCY.test(currency)) {
      problems.add(`${field}[${i}][0]`, `${quote(currency)} is not a currency code of three capital letters.`);
    } else if (seen.has(currency)) {
      problems.add(`${field}[${i}][0]`, `${currency} stands twice.`);
    }
    seen.add(currency);
    if (AMOUNT.test(amount)) amounts.push({ currency, units: parseUnits(amount) });
    else {
      problems.add(
        `${field}[${i}][1]`,
        `${quote(amount)} is not a decimal amount of at most 12 digits and 2 decimals, zero or more.`,
      );
    }
  }
  return amounts;
}
