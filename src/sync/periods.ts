import type { LedgerReader } from '../ledger/read/index.ts';
import { readKnownMonths } from '../ledger/read/index.ts';
import { addMonths, monthOf } from '../period.ts';

/**
 * The months that a sync without a period looks at: last month, this month, and every month whose list was ever read, so that an old
 * month cannot be restated unseen. Listing one costs a request; details are fetched only where something calls for it.
 */
export async function defaultPeriods(db: LedgerReader, now: Date): Promise<string[]> {
  const thisMonth = monthOf(now);
  return [...new Set([addMonths(thisMonth, -1), thisMonth, ...(await readKnownMonths(db))])].sort();
}
