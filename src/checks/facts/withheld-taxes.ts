import { readRowCharges } from '../../ledger/queries/rows/billed-rows.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';

/** Gives a function from a row to the taxes that its settlement sheet withholds, by currency. No price says a tax. */
export function withheldTaxes({ db, periods, facts }: CheckContext) {
  return facts.once('withheld-taxes', async () => {
    const taxes = new Map<string, Map<string, Units>>();
    for (const { number, position, currency, amount } of await readRowCharges(db, periods, 'tax')) {
      const key = `${number} ${position}`;
      const ofRow = taxes.get(key) ?? new Map<string, Units>();
      taxes.set(key, ofRow.set(currency, (ofRow.get(currency) ?? 0n) + BigInt(amount)));
    }
    return ({ number, position }: { readonly number: number; readonly position: number }) =>
      taxes.get(`${number} ${position}`) ?? NONE;
  });
}

const NONE: ReadonlyMap<string, Units> = new Map();
