import { usingTransaction } from '../ledger/index.ts';
import { type Books, usingBooks } from './books.ts';
import { deriveAnew, type Rebuilt } from './verify/derive-anew.ts';

/**
 * Derives every row of the books again from the evidence, in one transaction. Decisions are evidence, and stay.
 *
 * @throws LedgerError where the chain or a document is not as it was stored
 */
export function rebuildBooks(books: Books): Promise<Rebuilt> {
  return usingBooks(books, { exclusive: 'rebuild', anyZone: true, allCouriers: true }, (ledger) =>
    usingTransaction(ledger, (trx) => deriveAnew(trx, ledger.place)),
  );
}
