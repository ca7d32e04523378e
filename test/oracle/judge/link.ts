import type { KnownOrder } from '../history/orders.ts';
import type { Ledger } from './ledger.ts';
import { inPeriod } from './orders.ts';
import type { Sheet } from './sheet.ts';

/** `order-invoice-link`: rule 35. */
export function judgeLink(ledger: Ledger, { order_id }: KnownOrder, sheet: Sheet): void {
  const facts = ledger.facts(order_id);
  if (!facts) return;
  const link = facts.now.merchant_invoice;
  const base = { code: 'order-invoice-link', severity: 'error' as const, order_id, effect: null };
  const listing = ledger.listing(order_id);
  if (listing.length > 0) {
    const comparable = listing.some(({ details }) => facts.seen >= (details.at(-1)?.run ?? 0));
    if (!comparable || listing.some(({ number }) => number === link)) return;
    sheet.add({ ...base, times: 'one', ...inPeriod(ledger, order_id) });
    return;
  }
  if (link === null) return;
  const named = ledger.invoices.get(link);
  if (!named) {
    const sure = facts.delivery !== null && ledger.allListedSince(facts.delivery.month);
    sheet.add({ ...base, times: sure ? 'one' : 'may' });
    return;
  }
  if (named.live && named.details.length === 0) return;
  const since = named.details.at(-1)?.run ?? 0;
  if (!named.live || facts.seen >= since) sheet.add({ ...base, times: 'one' });
}
