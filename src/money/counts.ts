import { formatUnits, type Units } from './units.ts';

/**
 * A count of ledger units as a long table holds it: a number where that is exact, which costs a fraction of a bigint, and a bigint beyond.
 * Every result is exact, whichever it is.
 */
export type Count = number | Units;

/** So many characters are far below 2^53. */
const SMALL_LENGTH = 15;

/** Reads what SQL casts to text. */
export function countOf(text: string): Count {
  if (text.length <= SMALL_LENGTH) return Number(text);
  return shortest(BigInt(text));
}

/** `a - b` */
export function minus(a: Count, b: Count): Count {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    // A result that had to be rounded is beyond the safe integers.
    if (Number.isSafeInteger(difference)) return difference;
  }
  return shortest(BigInt(a) - BigInt(b));
}

/** `a + b` */
export function plus(a: Count, b: Count): Count {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return shortest(BigInt(a) + BigInt(b));
}

/** A count as a plain decimal, see `formatUnits`. */
export function formatCount(count: Count): string {
  return formatUnits(BigInt(count));
}

function shortest(units: Units): Count {
  const number = Number(units);
  return Number.isSafeInteger(number) ? number : units;
}

/** A running sum of counts. */
export class CountSum {
  #small = 0;
  #large: Units = 0n;

  add(count: Count): void {
    if (typeof count === 'number') {
      const sum = this.#small + count;
      if (Number.isSafeInteger(sum)) {
        this.#small = sum;
        return;
      }
    }
    this.#large += BigInt(count);
  }

  get units(): Units {
    return this.#large + BigInt(this.#small);
  }
}
