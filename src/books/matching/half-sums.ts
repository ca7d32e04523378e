/** Sums are first compared modulo this, in plain numbers: two residues add up below 2^53, so nothing is ever rounded. */
export const MODULUS = 2 ** 52;
const BIG_MODULUS = BigInt(MODULUS);

/** The residue of an amount; never negative. */
export function residueOf(amount: bigint): number {
  return Number(((amount % BIG_MODULUS) + BIG_MODULUS) % BIG_MODULUS);
}

/** The sums of all subsets of some amounts, in ascending order of their residues; a subset is a mask of bits. */
export interface SortedSums {
  readonly sums: Float64Array;
  readonly masks: Int32Array;
}

/**
 * Builds the sums of all subsets by merging: each amount more merges the sums so far with the same sums moved up by it.
 *
 * @param amounts at most 30
 * @param limit sums beyond it are left out; `Infinity` where residues say nothing about size
 * @param most sums that may be built
 * @returns null where there would be more
 */
export function sortedSums(amounts: readonly bigint[], limit: number, most: number): SortedSums | null {
  let sums = new Float64Array(1);
  let masks = new Int32Array(1);
  for (const [bit, amount] of amounts.entries()) {
    const step = residueOf(amount);
    const count = sums.length;
    // Those that pass the modulus wrap round to the front; each of the two parts stays in order.
    let wrap = 0;
    while (wrap < count && sums[wrap]! + step < MODULUS) wrap += 1;
    const nextSums = new Float64Array(2 * count);
    const nextMasks = new Int32Array(2 * count);
    let plain = 0;
    let moved = 0;
    let out = 0;
    while (out < 2 * count) {
      const from = (wrap + moved) % count;
      const sum = moved < count ? sums[from]! + step - (from >= wrap ? MODULUS : 0) : Number.POSITIVE_INFINITY;
      const usesPlain = plain < count && sums[plain]! <= sum;
      const next = usesPlain ? sums[plain]! : sum;
      if (next > limit) break;
      nextSums[out] = next;
      nextMasks[out] = usesPlain ? masks[plain]! : masks[from]! | (1 << bit);
      if (usesPlain) plain += 1;
      else moved += 1;
      out += 1;
    }
    if (out > most) return null;
    sums = nextSums.slice(0, out);
    masks = nextMasks.slice(0, out);
  }
  return { sums, masks };
}
