import { controlMonth } from '../../../reports/journal/build.ts';
import { LedgerError } from '../../base/errors.ts';
import { readMismatches } from '../../ledger/queries/findings/mismatches.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import type { LackingMonth } from '../check-result.ts';
import { eachCourier } from '../each-courier.ts';
import { Objection } from './objection.ts';
import { refuseByBooks, refuseByErrors, refuseByOrder } from './objections.ts';

/**
 * Reads what speaks against closing a month, without checking it again.
 *
 * @param first whether the books begin with it
 */
export async function readCloseConditions(
  books: Books,
  {
    month,
    lacking,
    first,
  }: { readonly month: string; readonly lacking: readonly LackingMonth[]; readonly first: boolean },
): Promise<readonly Objection[]> {
  const { timeZone } = books.config;
  const againstSequence = await usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, (db) => refuseByOrder(db, { month, first, now: books.now(), timeZone })),
  );
  const byCourier = await eachCourier(books, { readOnly: true }, (ledger, { name, config }) =>
    usingSnapshot(ledger, async (db) => {
      // Where there is one courier, a lacking month need not name it.
      const lackingOfCourier = lacking.filter(({ courier = name }) => courier === name);
      const { refusals } = await refuseByBooks(db, month, lackingOfCourier);
      const mismatches = await readMismatches(db, [month]);
      const open = mismatches.filter(({ severity, status }) => severity === 'error' && status === 'open');
      return [...refusals, ...refuseByErrors(month, open), ...(await refuseUnproven(db, config, month))];
    }),
  );
  const againstBooks = byCourier.flatMap(({ courier, value }) =>
    byCourier.length === 1 ? value : value.map((reason) => reason.inBooksOf(courier)),
  );
  return [...againstSequence, ...againstBooks];
}

/**
 * In books with a base currency: refuses a month whose journal lacks a rate to it, or whose balance is not one figure.
 * Without one the balance is proven when the month is closed.
 */
async function refuseUnproven(db: LedgerReader, config: Books['config'], month: string): Promise<Objection[]> {
  if (!config.accounting.baseCurrency) return [];
  try {
    await controlMonth(db, config, month);
    return [];
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return [new Objection('not-proven', error.explanation)];
  }
}
