/**
 * Finds the runs of neighbouring amounts, two or more, whose sum is exactly a target.
 *
 * @param most runs that are listed at most
 * @returns first and last index of each; `more` where there are others
 */
export function runsThatSum(
  amounts: readonly bigint[],
  target: bigint,
  most: number,
): { readonly runs: readonly (readonly [first: number, last: number])[]; readonly more: boolean } {
  const runs: [number, number][] = [];
  const startsBySum = new Map<bigint, number[]>([[0n, [0]]]);
  let sum = 0n;
  for (const [last, amount] of amounts.entries()) {
    sum += amount;
    for (const first of startsBySum.get(sum - target) ?? []) {
      if (first >= last) continue;
      if (runs.length === most) return { runs, more: true };
      runs.push([first, last]);
    }
    const starts = startsBySum.get(sum);
    if (starts) starts.push(last + 1);
    else startsBySum.set(sum, [last + 1]);
  }
  return { runs, more: false };
}
