import { parseInstant } from '../../base/instant.ts';
import { chunks } from '../../ledger/chunks.ts';
import { type ListingInvoice, readLiveInvoicesOf } from '../../ledger/queries/rows/billed-rows.ts';
import type { CheckContext } from '../check.ts';

/** The first live invoice that lists each order, by order id. Orders without one are not in it. */
export async function firstInvoices(
  { db }: Pick<CheckContext, 'db'>,
  orderIds: readonly string[],
): Promise<Map<string, Omit<ListingInvoice, 'order_id'>>> {
  const first = new Map<string, Omit<ListingInvoice, 'order_id'>>();
  for (const chunk of chunks([...new Set(orderIds)])) {
    for (const { order_id, ...invoice } of await readLiveInvoicesOf(db, chunk)) {
      const earliest = first.get(order_id);
      if (!earliest || issueTime(invoice) < issueTime(earliest)) first.set(order_id, invoice);
    }
  }
  return first;
}

/** When an invoice was issued, in milliseconds; 0 without a date that can be read. */
export function issueTime({ issued_at }: { readonly issued_at: string | null }): number {
  return parseInstant(issued_at ?? '')?.getTime() ?? 0;
}
