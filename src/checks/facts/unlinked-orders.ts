import { readUnlinkedRows, type UnlinkedRow } from '../../ledger/queries/rows/row-differences.ts';
import type { CheckContext } from '../check.ts';

/** The ids of orders on these months' invoices whose record does not name the invoice. */
export interface UnlinkedOrders {
  /**
   * The orders that have a record, on invoices that have not vanished. A record may rightly name another
   * invoice that lists the order too.
   */
  readonly recorded: readonly string[];
  /** The orders that the order book lacks, although it was read whole after their invoice; on vanished invoices too. */
  readonly unrecorded: readonly string[];
}

/** Reads both kinds in one go, for the checks `order-invoice-link` and `order-unknown`. */
export function unlinkedOrders({ db, periods, sources, facts }: CheckContext): Promise<UnlinkedOrders> {
  return facts.once('unlinked', async () => {
    const rows = await readUnlinkedRows(db, periods, sources.book.lastWholeWalk);
    const idsOf = (kind: (row: UnlinkedRow) => boolean) =>
      [...new Set(rows.filter(kind).map(({ order_id }) => order_id))].sort();
    return {
      recorded: idsOf(({ has_record, invoice_vanished_at }) => has_record === 1 && invoice_vanished_at === null),
      unrecorded: idsOf(({ has_record }) => has_record === 0),
    };
  });
}
