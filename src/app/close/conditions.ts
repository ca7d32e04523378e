import { readMismatches } from '../../ledger/queries/findings/mismatches.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import type { LackingMonth } from '../check-result.ts';
import { eachCourier } from '../each-courier.ts';
import { Refusal } from './refusal.ts';
import { refuseByBooks, refuseByErrors, refuseByOrder } from './refusals.ts';

/** What speaks against closing a month, as far as is known without checking it again. @param first the books begin with it */
export async function readCloseConditions(
  books: Books,
  {
    month,
    lacking,
    first,
  }: { readonly month: string; readonly lacking: readonly LackingMonth[]; readonly first: boolean },
): Promise<readonly Refusal[]> {
  const { timeZone } = books.config;
  const byOrder = await usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, (db) => refuseByOrder(db, { month, first, now: books.now(), timeZone })),
  );
  const byCourier = await eachCourier(books, { readOnly: true }, (ledger, { name }) =>
    usingSnapshot(ledger, async (db) => {
      const own = lacking.filter(({ courier = name }) => courier === name);
      const { refusals } = await refuseByBooks(db, month, own);
      const mismatches = await readMismatches(db, [month]);
      const open = mismatches.filter(({ severity, status }) => severity === 'error' && status === 'open');
      return [...refusals, ...refuseByErrors(month, open)];
    }),
  );
  const isOne = byCourier.length === 1;
  const own = byCourier.flatMap(({ courier, value }) => (isOne ? value : value.map((one) => one.ofCourier(courier))));
  return [...byOrder, ...Refusal.together(own)];
}
