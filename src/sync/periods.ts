import type { Ledger } from '../ledger/index.ts';
import { addMonths, monthOf } from '../period.ts';

/** The months that a sync without a period looks at: last month, this month, and every month with an invoice that is not PAID. */
export async function defaultPeriods(ledger: Ledger, now: Date): Promise<string[]> {
  const thisMonth = monthOf(now);
  const unpaid = await ledger.db
    .selectFrom('invoice')
    .select('period')
    .distinct()
    .where('status', '<>', 'PAID')
    .where('vanished_at', 'is', null)
    .execute();
  return [...new Set([addMonths(thisMonth, -1), thisMonth, ...unpaid.map(({ period }) => period)])].sort();
}
