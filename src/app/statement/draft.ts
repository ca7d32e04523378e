import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import { checkWithoutStoring } from '../check.ts';
import { planStatement, type StatementRequest, writePlanned } from './statement.ts';

/**
 * Writes a month's statement to a temporary file, for a download at the desk. Nothing is recorded: what the checks find is not stored, and
 * the next statement does not show its changes since this one.
 *
 * @param request `out` is the temporary file
 * @throws LedgerError when the month was never synced, or its figures do not tie out
 */
export function draftStatement(
  books: Books,
  request: Pick<StatementRequest, 'month' | 'format' | 'language'> & { readonly out: string },
): Promise<void> {
  return usingBooks(books, { readOnly: true }, async (ledger, courierBooks) => {
    const planned = await planStatement(ledger, courierBooks, { ...request, asOf: null });
    await usingSnapshot(ledger, async (db) => {
      await writePlanned(db, courierBooks, planned, await checkWithoutStoring(db, courierBooks, request.month));
    });
  });
}
