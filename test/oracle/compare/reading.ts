import { invoiceSide, type KnownInvoice } from '../history/invoices.ts';
import { type Night, plannedMonths } from '../history/knowledge.ts';
import type { Money, ReadListRow } from '../history/read.ts';
import { monthAsked } from '../history/walk.ts';

const RECHECK_PAID_DAYS = 30;

/** What a sync had to ask for and did not, and its exit code where an answer failed. */
export function compareReading(night: Night, before: readonly Night[], code: number): string[] {
  const refused = night.shown.some(({ status }) => status !== 200);
  if (refused) return code === 1 ? [] : [`sync ended with ${code} though an answer failed`];
  const earlier = invoiceSide(before);
  const known = [...earlier.months].filter(([, { walks }]) => walks.some(({ ended }) => ended));
  const read = new Set(night.shown.map(monthAsked));
  const planned = plannedMonths(
    night,
    known.map(([month]) => month),
  );
  const unread = planned
    .filter((month) => !read.has(month))
    .map((month) => `sync did not read the listing of ${month}`);
  return [...unread, ...unreadDetails(night, before, earlier.invoices)];
}

/** New, changed, unread and unpaid invoices are read at each sync; paid ones after a month. */
function unreadDetails(night: Night, before: readonly Night[], earlier: ReadonlyMap<number, KnownInvoice>): string[] {
  const asked = new Set(night.shown.map(({ path }) => path));
  return [...invoiceSide([night]).invoices.values()].flatMap(({ number, row }) => {
    if (!row || asked.has(`/invoices/${number}/`)) return [];
    const why = reasonToRead(earlier.get(number), row, night, before);
    return why === null ? [] : [`sync did not read invoice ${number}: ${why}`];
  });
}

function reasonToRead(
  known: KnownInvoice | undefined,
  row: ReadListRow,
  night: Night,
  before: readonly Night[],
): string | null {
  if (!known || known.lastRead === null) return 'it was never read';
  if (known.lastAnswer !== 'good') return 'its last answer could not be read';
  if (!known.row || textOf(known.row) !== textOf(row)) return 'its row changed';
  const paid = [row, known.details.at(-1)?.document].some((document) => document?.status === 'PAID');
  if (!paid) return 'it is not paid';
  const days = (night.at.getTime() - (before[known.lastRead]?.at.getTime() ?? 0)) / 86_400_000;
  return days > RECHECK_PAID_DAYS ? `it was last read ${days} days ago` : null;
}

const textOf = ({ cod, delivery_fee, net_due_to_merchant, ...rest }: ReadListRow): string =>
  JSON.stringify([rest, ...[cod, delivery_fee, net_due_to_merchant].map(amountsOf)]);

const amountsOf = (money: Money): string =>
  [...money]
    .map(([currency, size]) => `${currency} ${size}`)
    .sort()
    .join();
