import { addMonths } from '../../src/base/period.ts';
import { type LedgerReader, readListings, readMonthHeaders } from '../../src/ledger/queries/index.ts';
import type { HistoryMonth } from './model.ts';
import { kept, type Only } from './only.ts';

const MONTHS = 12;

/** The months up to the statement's own, from the first of the last twelve that holds any business on. */
export async function historyOf(db: LedgerReader, month: string): Promise<HistoryMonth[]> {
  const periods = Array.from({ length: MONTHS }, (_, i) => addMonths(month, i + 1 - MONTHS));
  const synced = new Set((await readListings(db, periods)).map(({ period }) => period));
  const history: HistoryMonth[] = [];
  for (const period of periods) {
    const currencies = synced.has(period) ? (await readMonthHeaders(db, period)).currencies : null;
    history.push({ period, currencies });
  }
  const first = history.findIndex(({ currencies }) => currencies !== null && currencies.length > 0);
  return first === -1 ? [] : history.slice(first);
}

/** The same of one currency: from its own first month on. */
export function historyIn(only: Only, history: readonly HistoryMonth[]): readonly HistoryMonth[] {
  if (only === null) return history;
  const own = history.map(({ period, currencies }) => ({ period, currencies: currencies && kept(only, currencies) }));
  const first = own.findIndex(({ currencies }) => currencies !== null && currencies.length > 0);
  return first === -1 ? [] : own.slice(first);
}
