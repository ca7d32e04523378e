/** A stretch of rows, numbered from 1, inclusive; empty where `last` is before `first`. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Where the rows of a table stand: its own, and those below the totals. */
export function stretchesOf(rows: number, totals: number, below: number): readonly Stretch[] {
  const own = { first: 2, last: rows + 1 };
  if (below === 0) return [own];
  const first = own.last + (totals > 0 ? 1 + totals : 0) + 3;
  return [own, { first, last: first + below - 1 }];
}
