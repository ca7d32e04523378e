/** With more different sums than this the amounts are not tried in all their sets. */
const MOST_SUMS = 300_000;

/** Whether exactly one set of these amounts comes to a total; false also where there are too many to try. */
export function isOnlySet(amounts: readonly bigint[], total: bigint): boolean {
  let ways = new Map<bigint, number>([[0n, 1]]);
  for (const amount of amounts) {
    const next = new Map(ways);
    for (const [sum, count] of ways) next.set(sum + amount, (next.get(sum + amount) ?? 0) + count);
    if (next.size > MOST_SUMS) return false;
    ways = next;
  }
  return ways.get(total) === 1;
}
