export interface SubsetLimits {
  /** The fewest and the most amounts in a set. */
  readonly least: number;
  readonly most: number;
  /** The most sets that are listed; the search ends when it has found more. */
  readonly ways: number;
  /** The most sums that are computed, and the most pairs of sums that are tried. */
  readonly work: number;
}

export interface SubsetsFound {
  /** Sets of indexes, each in ascending order; at most `ways`. */
  readonly sets: readonly (readonly number[])[];
  /** There are more sets than these, or the search stopped at its limit of work: `sets` may not be all. */
  readonly tooMany: boolean;
}

/** The sums of all subsets of some amounts, in ascending order. A subset is a mask: bit 0 is the first amount. */
type SubsetSums = { readonly sums: readonly bigint[]; readonly masks: readonly number[] };

/** A mask is a 32-bit integer with a sign. */
const MOST_IN_A_HALF = 30;

/**
 * Finds the sets of amounts whose sum is exactly a target: which open invoices a receipt may pay. It meets in the
 * middle (Horowitz and Sahni): the subset sums of each half are sorted, and one list is walked up, the other down.
 *
 * The limit of work is a count of operations, not a time, so that the same data gives the same answer everywhere.
 */
export class SubsetSearch {
  #builtFor: string | undefined;
  #halves: readonly [SubsetSums, SubsetSums] | null = null;

  find(amounts: readonly bigint[], target: bigint, limits: SubsetLimits): SubsetsFound {
    const useful = withinReach(amounts, target);
    if (useful.length < limits.least) return { sets: [], tooMany: false };
    const middle = useful.length >> 1;
    if (useful.length - middle > MOST_IN_A_HALF) return { sets: [], tooMany: true };
    const usefulAmounts = useful.map((index) => amounts[index]!);
    const halves = this.#halvesOf(usefulAmounts, target, limits.work);
    if (halves === null) return { sets: [], tooMany: true };
    const sets: number[][] = [];
    let tried = 0;
    for (const [low, high] of pairsThatSum(...halves, target)) {
      tried += 1;
      if (tried > limits.work) return { sets: sets.sort(byIndexes), tooMany: true };
      const size = countBits(low) + countBits(high);
      if (size < limits.least || size > limits.most) continue;
      if (sets.length === limits.ways) return { sets: sets.sort(byIndexes), tooMany: true };
      const isInSet = (place: number) => (place < middle ? hasBit(low, place) : hasBit(high, place - middle));
      sets.push(useful.filter((_, place) => isInSet(place)));
    }
    return { sets: sets.sort(byIndexes), tooMany: false };
  }

  /** The halves are kept for the next search, which often has the same amounts. */
  #halvesOf(amounts: readonly bigint[], target: bigint, work: number): readonly [SubsetSums, SubsetSums] | null {
    // If no amount is negative, a sum beyond the target is part of no set.
    const limit = amounts.every((amount) => amount > 0n) ? target : null;
    const key = `${limit} ${work} ${amounts.join()}`;
    if (this.#builtFor !== key) {
      const middle = amounts.length >> 1;
      const left = subsetSums(amounts.slice(0, middle), limit, work);
      const right = left && subsetSums(amounts.slice(middle), limit, work);
      this.#halves = left && right && [left, right];
      this.#builtFor = key;
    }
    return this.#halves;
  }
}

/** Searches that keep the last answer for each receipt or invoice, because most passes over the rules ask it again. */
export class KeptSearches<Subject> {
  readonly #search = new SubsetSearch();
  readonly #last = new Map<Subject, { readonly key: string; readonly found: SubsetsFound }>();

  /** @param limits always the same for a subject */
  find(subject: Subject, amounts: readonly bigint[], target: bigint, limits: SubsetLimits): SubsetsFound {
    const key = `${target} ${amounts.join()}`;
    const last = this.#last.get(subject);
    if (last?.key === key) return last.found;
    const found = this.#search.find(amounts, target, limits);
    this.#last.set(subject, { key, found });
    return found;
  }
}

/**
 * @param limit sums above it are left out; null for none
 * @param most sums that may be computed
 * @returns null if there would be more
 */
function subsetSums(amounts: readonly bigint[], limit: bigint | null, most: number): SubsetSums | null {
  let all: SubsetSums = { sums: [0n], masks: [0] };
  for (const [bit, amount] of amounts.entries()) {
    all = withAmount(all, amount, 1 << bit, limit);
    if (all.sums.length > most) return null;
  }
  return all;
}

/** Merges the sums without an amount and the sums with it, both in ascending order. */
function withAmount({ sums, masks }: SubsetSums, amount: bigint, bit: number, limit: bigint | null): SubsetSums {
  const merged = { sums: [] as bigint[], masks: [] as number[] };
  let without = 0;
  let added = 0;
  let sumAdded: bigint | undefined = sums[0]! + amount;
  while (without < sums.length || sumAdded !== undefined) {
    const plain = sums[without];
    const usesPlain = sumAdded === undefined || (plain !== undefined && plain <= sumAdded);
    const sum = usesPlain ? plain! : sumAdded!;
    if (limit !== null && sum > limit) break;
    merged.sums.push(sum);
    if (usesPlain) {
      merged.masks.push(masks[without]!);
      without += 1;
    } else {
      merged.masks.push(masks[added]! | bit);
      added += 1;
      sumAdded = added < sums.length ? sums[added]! + amount : undefined;
    }
  }
  return merged;
}

/**
 * The indexes of amounts that can be in a set: those that all others together can bring back to the target. For 100,
 * with -20 the only negative amount, 121 cannot.
 */
function withinReach(amounts: readonly bigint[], target: bigint): number[] {
  let kept = amounts.map((_, index) => index).filter((index) => amounts[index] !== 0n);
  for (;;) {
    const highest = kept.reduce((sum, index) => (amounts[index]! > 0n ? sum + amounts[index]! : sum), 0n);
    const lowest = kept.reduce((sum, index) => (amounts[index]! < 0n ? sum + amounts[index]! : sum), 0n);
    if (target > highest || target < lowest) return [];
    const next = kept.filter((index) =>
      amounts[index]! > 0n ? amounts[index]! + lowest <= target : amounts[index]! + highest >= target,
    );
    if (next.length === kept.length) return kept;
    kept = next;
  }
}

/** Pairs of masks, one of each half, whose sums add up to the target. */
function* pairsThatSum(left: SubsetSums, right: SubsetSums, target: bigint): Generator<[low: number, high: number]> {
  let up = 0;
  let down = right.sums.length - 1;
  while (up < left.sums.length && down >= 0) {
    const sum = left.sums[up]! + right.sums[down]!;
    if (sum < target) up += 1;
    else if (sum > target) down -= 1;
    else {
      for (let at = down; at >= 0 && right.sums[at] === right.sums[down]; at -= 1) {
        yield [left.masks[up]!, right.masks[at]!];
      }
      // The next sum of the left half may be equal, and then pairs with the same sums of the right half.
      up += 1;
    }
  }
}

function byIndexes(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((index, each) => index !== b[each]);
  return place < 0 ? a.length - b.length : a[place]! - (b[place] ?? -1);
}

function hasBit(mask: number, bit: number): boolean {
  return (mask & (1 << bit)) !== 0;
}

function countBits(mask: number): number {
  let count = 0;
  // `bits & (bits - 1)` takes the lowest bit away.
  for (let bits = mask; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}
