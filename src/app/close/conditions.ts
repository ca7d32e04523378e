import type { Incomplete } from '../../checks/incomplete.ts';
import { readMismatches, usingSnapshot } from '../../ledger/queries/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { type Refusal, refuseByBooks, refuseByErrors, refuseByOrder } from './refusals.ts';

/** What stands against closing a month, as far as can be said without checking it again. @param first the books begin with it */
export function readCloseConditions(
  books: Books,
  {
    month,
    lacking,
    first,
  }: { readonly month: string; readonly lacking: readonly Incomplete[]; readonly first: boolean },
): Promise<readonly Refusal[]> {
  return usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const { timeZone } = books.config;
      const byOrder = await refuseByOrder(db, { month, first, now: books.now(), timeZone });
      const { refusals } = await refuseByBooks(db, month, lacking);
      const mismatches = await readMismatches(db, [month]);
      const open = mismatches.filter(({ severity, status }) => severity === 'error' && status === 'open');
      return [...byOrder, ...refusals, ...refuseByErrors(month, open)];
    }),
  );
}
