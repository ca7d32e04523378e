import { readCloseLog } from '../../ledger/queries/closes/closes.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';

export interface ListedClose {
  readonly id: number;
  readonly period: string;
  readonly at: string;
  readonly by: string;
  /** Why it was closed although something spoke against it, as open errors do; null where nothing did. */
  readonly with_open: string | null;
  readonly reopened: { readonly at: string; readonly by: string; readonly reason: string } | null;
}

/** Every close, also of months that were opened again, the latest first. */
export function listCloses(books: Books): Promise<ListedClose[]> {
  return usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      // A close has a row for each courier.
      const closes = new Map((await readCloseLog(db)).map((close) => [close.id, close]));
      return [...closes.values()].reverse().map(({ id, period, at, actor, with_open, reopened }) => ({
        id,
        period,
        at,
        by: actor,
        with_open,
        reopened: reopened && { at: reopened.at, by: reopened.actor, reason: reopened.reason },
      }));
    }),
  );
}
