import { sql } from 'kysely';
import { chunks } from '../ledger/chunks.ts';
import { isOneOf } from '../ledger/sql.ts';
import type { CheckContext } from './check.ts';

/** About as many rows are looked at by one statement that sorts them: what it holds in memory does not grow with the months. */
const MOST_ROWS = 50_000;

/** The numbers of these months' invoices, in order, in stretches of so many rows that one statement may gather all of them. */
export function invoicePages({ db, periods, memo }: CheckContext): Promise<readonly (readonly number[])[]> {
  return memo.once('invoice-pages', async () => {
    const { rows } = await sql<{ number: number; row_count: number }>`
      select number, row_count from invoice where ${isOneOf('period', periods)} order by number`.execute(db);
    return stretchesOf(rows, MOST_ROWS);
  });
}

/** Cuts invoices, in their order, into stretches of at most so many rows, and no more numbers than one statement takes; one that has more is alone. */
export function stretchesOf(
  invoices: readonly { readonly number: number; readonly row_count: number }[],
  most: number,
): readonly (readonly number[])[] {
  const stretches: number[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { number, row_count } of invoices) {
    if (size + row_count > most) {
      stretches.push([]);
      size = 0;
    }
    stretches.at(-1)!.push(number);
    size += row_count;
  }
  return stretches.flatMap((stretch) => [...chunks(stretch)]);
}
