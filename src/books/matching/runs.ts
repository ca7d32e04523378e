import { MODULUS, residueOf } from './half-sums.ts';

/** First and last index of neighbouring amounts. */
export type Run = readonly [first: number, last: number];

/**
 * Finds runs of neighbouring amounts, two or more, by their sum: made once for all receipts of a pass. Sums are looked
 * up modulo 2^52 in plain numbers, and what is found is compared exactly.
 */
export class Runs {
  /** The sums of the first so many amounts; `#sums[0]` is nothing. */
  readonly #sums: readonly bigint[];
  readonly #residues: Float64Array;
  readonly #startsBySum = new Map<number, number[]>();

  constructor(amounts: readonly bigint[]) {
    const sums = [0n];
    for (const amount of amounts) sums.push(sums.at(-1)! + amount);
    this.#sums = sums;
    this.#residues = Float64Array.from(sums, residueOf);
    for (const [start, residue] of this.#residues.entries()) {
      const starts = this.#startsBySum.get(residue);
      if (starts) starts.push(start);
      else this.#startsBySum.set(residue, [start]);
    }
  }

  /**
   * The runs that come to exactly a target.
   *
   * @param count how many of the amounts, from the first, may be used
   * @param most runs that are found at most
   */
  thatSum(target: bigint, count: number, most: number): { readonly runs: readonly Run[]; readonly more: boolean } {
    const runs: Run[] = [];
    const step = residueOf(target);
    for (let end = 2; end <= count; end += 1) {
      const before = this.#residues[end]! - step;
      for (const start of this.#startsBySum.get(before < 0 ? before + MODULUS : before) ?? []) {
        if (start > end - 2) break;
        if (this.#sums[end]! - this.#sums[start]! !== target) continue;
        if (runs.length === most) return { runs, more: true };
        runs.push([start, end - 1]);
      }
    }
    return { runs, more: false };
  }
}
