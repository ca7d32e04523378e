import { referenceKey } from '../../imports/references/index.ts';
import { courierOf } from '../../ledger/courier.ts';
import { ofCourier } from '../../ledger/index.ts';
import { readListedReferences, readOrderRecordNames } from '../../ledger/queries/orders/records.ts';
import type { CheckContext } from '../check.ts';

/** The references of the other couriers' orders, as the rule compares them. */
export interface Elsewhere {
  /** Of all that they know. */
  readonly known: ReadonlySet<string>;
  /** Whether an own order that no courier knows is for another courier to report: each is reported once. */
  readonly isReportedElsewhere: boolean;
}

/** What the other couriers of the books know of the shop's orders: by their order books, and by what their invoices list. */
export function elsewhere({ db, settings, facts }: CheckContext): Promise<Elsewhere> {
  return facts.once('elsewhere', async () => {
    const known = new Set<string>();
    let isReportedElsewhere = false;
    const own = courierOf(db) ?? '';
    for (const { key } of settings.others ?? []) {
      const theirs = ofCourier(db, key);
      const names = await readOrderRecordNames(theirs);
      // The first by key that holds an order book reports.
      if (names.length > 0 && key < own) isReportedElsewhere = true;
      const references = [...names.map(({ reference }) => reference), ...(await readListedReferences(theirs))];
      for (const reference of references) {
        if (reference !== null && reference !== '') known.add(referenceKey(reference, settings.referenceRule));
      }
    }
    return { known, isReportedElsewhere };
  });
}
