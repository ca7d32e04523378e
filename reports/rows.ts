import type { LongReport, PlainRow } from './model.ts';

/** Changes each row of a report: at once if they are an array, otherwise each when it is read. */
export function mapRows<T, U>(
  rows: Iterable<T> | AsyncIterable<T>,
  change: (row: T) => U,
): readonly U[] | AsyncIterable<U> {
  return Array.isArray(rows) ? rows.map((row) => change(row)) : changedWhenRead(rows, change);
}

export async function* changedWhenRead<T, U>(
  rows: Iterable<T> | AsyncIterable<T>,
  change: (row: T) => U,
): AsyncGenerator<U> {
  for await (const row of rows) yield change(row);
}

/** A long report's rows one by one. */
export async function* rowsInPages(pages: LongReport['pages']): AsyncGenerator<PlainRow> {
  for await (const page of pages()) yield* page;
}
