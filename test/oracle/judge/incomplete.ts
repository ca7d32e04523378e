import { monthOfNight } from '../history/knowledge.ts';
import { isComplete, provesAbsence } from '../history/walk.ts';
import type { Ledger } from './ledger.ts';
import type { Sheet } from './sheet.ts';

export type Why =
  | 'never-synced'
  | 'listing-incomplete'
  | 'detail-missing'
  | 'unreadable'
  | 'superseded'
  | 'sync-partial'
  | 'month-not-ended'
  | 'book-in-part'
  | 'not-compared';

/** Why a month asked for cannot be called complete. Rule 45. */
export function whyIncomplete(ledger: Ledger, { notCompared }: Pick<Sheet, 'notCompared'>, month: string): Set<Why> {
  const why = new Set<Why>();
  const known = ledger.months.get(month);
  const ended = known?.walks.filter((walk) => walk.ended) ?? [];
  const last = ended.at(-1);
  if (!last) why.add('never-synced');
  else if (!isComplete(last)) why.add('listing-incomplete');
  const complete = ended.findLast(isComplete);
  if (!complete || monthOfNight(ledger.nights[complete.run]!, complete.at) <= month) why.add('month-not-ended');
  if (ledger.unread.has(month)) why.add('sync-partial');
  if (known && known.unreadable.size > 0) why.add('unreadable');
  for (const { period, live, details, lastAnswer } of ledger.invoices.values()) {
    if (period !== month || !live) continue;
    if (details.length === 0) why.add('detail-missing');
    else if (lastAnswer === 'failed' || lastAnswer === 'unreadable') why.add('superseded');
    if (lastAnswer === 'unreadable') why.add('unreadable');
  }
  const book = ledger.book.walks.at(-1);
  if (last && book && !provesAbsence(book)) why.add('book-in-part');
  if (last && notCompared.has(month)) why.add('not-compared');
  return why;
}
