import { readUnlinkedRows, type UnlinkedRow } from '../../ledger/queries/rows/row-differences.ts';
import type { CheckContext } from '../check.ts';

/** The ids of orders on these months' invoices whose record does not name the invoice. */
export interface UnlinkedOrders {
  /** Those with a record, on live invoices; some may name another live invoice that lists them. */
  readonly recorded: readonly string[];
  /** Those without a record, although the order book was read whole since. */
  readonly unrecorded: readonly string[];
}

/** Reads both kinds in one go, for the checks `order-invoice-link` and `order-unknown`. */
export function unlinkedOrders({ db, periods, sources, facts }: CheckContext): Promise<UnlinkedOrders> {
  return facts.once('unlinked', async () => {
    const rows = await readUnlinkedRows(db, periods, sources.book.whole);
    const idsOf = (kind: (row: UnlinkedRow) => boolean) =>
      [...new Set(rows.filter(kind).map(({ order_id }) => order_id))].sort();
    return {
      recorded: idsOf(({ has_record, vanished_at }) => has_record === 1 && vanished_at === null),
      unrecorded: idsOf(({ has_record }) => has_record === 0),
    };
  });
}
