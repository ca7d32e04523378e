import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import { lookIn } from '../check.ts';
import { planStatement, type StatementRequest, writePlanned } from './statement.ts';

/**
 * Writes a month's statement from the books as they are, and keeps nothing of it: nothing is checked anew, and later statements do not
 * count from it.
 *
 * @param request its file is one that is thrown away
 * @throws LedgerError when the month was never synced, or its figures do not tie out
 */
export function draftStatement(
  books: Books,
  request: Pick<StatementRequest, 'month' | 'format' | 'language'> & { readonly out: string },
): Promise<void> {
  return usingBooks(books, { readOnly: true }, async (ledger, own) => {
    const planned = await planStatement(ledger, own, { ...request, asOf: null });
    await usingSnapshot(ledger, async (db) => {
      await writePlanned(db, own, planned, await lookIn(db, own, request.month));
    });
  });
}
