/** More invoices than this are not tried in all their sets. */
const MOST = 18;

/** Whether exactly one set of these amounts comes to a total; false also where there are too many to try. */
export function isOnlySet(amounts: readonly bigint[], total: bigint): boolean {
  if (amounts.length > MOST) return false;
  let ways = new Map<bigint, number>([[0n, 1]]);
  for (const amount of amounts) {
    const next = new Map(ways);
    for (const [sum, count] of ways) next.set(sum + amount, (next.get(sum + amount) ?? 0) + count);
    ways = next;
  }
  return ways.get(total) === 1;
}
