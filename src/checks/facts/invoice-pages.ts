import { chunks } from '../../ledger/chunks.ts';
import { readRowCounts } from '../../ledger/queries/invoices/counts.ts';
import type { CheckContext } from '../check.ts';

/** The most rows that one statement sorts, so that its memory does not grow with the months. */
const MOST_ROWS = 50_000;

/** The numbers of these months' invoices, in order, in stretches that one statement may look at. */
export function invoicePages({ db, periods, facts }: CheckContext): Promise<readonly (readonly number[])[]> {
  return facts.once('invoice-pages', async () => stretchesOf(await readRowCounts(db, periods), MOST_ROWS));
}

/** Cuts invoices into stretches of at most `most` rows, and no more numbers than one statement takes. An invoice with more rows is alone. */
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
