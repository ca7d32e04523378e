import { MODULUS, residueOf, type SortedSums, sortedSums } from './half-sums.ts';

export interface SubsetLimits {
  /** The fewest and the most amounts of a set. */
  readonly least: number;
  readonly most: number;
  /** Sets that are listed; the search ends when it has found more. */
  readonly ways: number;
  /** Sums that may be built and pairs of sums that may be tried. */
  readonly work: number;
}

/** A set of a half is a mask of bits. */
const MOST_IN_A_HALF = 30;

export interface SubsetsFound {
  /** Sets of indexes, each in ascending order; at most `ways`. */
  readonly sets: readonly (readonly number[])[];
  /** There are more sets than these, or the search was stopped at its bound of work: nothing may be concluded. */
  readonly tooMany: boolean;
}

/**
 * Finds the sets of amounts whose sum is exactly a target, by meeting in the middle: the sums of either half are built
 * once, and walked towards each other.
 *
 * The bound of work is a count of operations, not a clock, so that the same data gives the same answer on every
 * machine and at every load.
 */
export class SubsetSearch {
  #builtFor: string | undefined;
  #halves: readonly [SortedSums, SortedSums] | null = null;

  find(amounts: readonly bigint[], target: bigint, limits: SubsetLimits): SubsetsFound {
    const useful = withinReach(amounts, target);
    if (useful.length < limits.least) return { sets: [], tooMany: false };
    const middle = useful.length >> 1;
    if (useful.length - middle > MOST_IN_A_HALF) return { sets: [], tooMany: true };
    const halves = this.#halvesOf(
      useful.map((index) => amounts[index]!),
      target,
      limits.work,
    );
    if (halves === null) return { sets: [], tooMany: true };
    const [left, right] = halves;
    const sets: number[][] = [];
    let tried = 0;
    for (const goal of [residueOf(target), residueOf(target) + MODULUS]) {
      for (const [low, high] of pairsThatSum(left, right, goal)) {
        tried += 1;
        if (tried > limits.work) return { sets: sets.sort(inOrder), tooMany: true };
        const size = bits(low) + bits(high);
        if (size < limits.least || size > limits.most) continue;
        const set = useful.filter((_, at) => (at < middle ? low & (1 << at) : high & (1 << (at - middle))) !== 0);
        // Equal modulo 2^52 is not yet equal.
        if (set.reduce((sum, index) => sum + amounts[index]!, 0n) !== target) continue;
        if (sets.length === limits.ways) return { sets: sets.sort(inOrder), tooMany: true };
        sets.push(set);
      }
    }
    return { sets: sets.sort(inOrder), tooMany: false };
  }

  /** Receipts of one amount, or of one month, meet the same invoices: the last halves are kept. */
  #halvesOf(amounts: readonly bigint[], target: bigint, work: number): readonly [SortedSums, SortedSums] | null {
    const limit = limitOf(amounts, target);
    const key = `${limit} ${work} ${amounts.join()}`;
    if (this.#builtFor !== key) {
      const middle = amounts.length >> 1;
      const left = sortedSums(amounts.slice(0, middle), limit, work);
      const right = left && sortedSums(amounts.slice(middle), limit, work);
      this.#halves = left && right && [left, right];
      this.#builtFor = key;
    }
    return this.#halves;
  }
}

/** A sum of a part cannot pass the target where nothing is negative, and where residues are the sums themselves. */
function limitOf(amounts: readonly bigint[], target: bigint): number {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const plain = amounts.every((amount) => amount > 0n) && residueOf(total) === Number(total);
  return plain ? residueOf(target) : Number.POSITIVE_INFINITY;
}

/** The indexes of amounts that can be part of a sum at all: one that all others together cannot bring back to the target is left out. */
function withinReach(amounts: readonly bigint[], target: bigint): number[] {
  let kept = amounts.map((_, index) => index).filter((index) => amounts[index] !== 0n);
  for (;;) {
    const up = kept.reduce((sum, index) => (amounts[index]! > 0n ? sum + amounts[index]! : sum), 0n);
    const down = kept.reduce((sum, index) => (amounts[index]! < 0n ? sum + amounts[index]! : sum), 0n);
    if (target > up || target < down) return [];
    const next = kept.filter((index) =>
      amounts[index]! > 0n ? amounts[index]! + down <= target : amounts[index]! + up >= target,
    );
    if (next.length === kept.length) return kept;
    kept = next;
  }
}

/** Pairs of masks, one of each half, whose residues add up to a goal. */
function* pairsThatSum(left: SortedSums, right: SortedSums, goal: number): Generator<[low: number, high: number]> {
  let up = 0;
  let down = right.sums.length - 1;
  while (up < left.sums.length && down >= 0) {
    const sum = left.sums[up]! + right.sums[down]!;
    if (sum < goal) up += 1;
    else if (sum > goal) down -= 1;
    else {
      let first = down;
      while (first >= 0 && right.sums[first] === right.sums[down]) first -= 1;
      for (let at = down; at > first; at -= 1) yield [left.masks[up]!, right.masks[at]!];
      // The next sum of the left half may be equal, and meets the same ones again.
      up += 1;
    }
  }
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((index, i) => index !== b[i]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
