import { lastDayOf } from '../src/base/period.ts';
import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { type BalanceItem, restatedSince } from '../src/matching/balance.ts';
import { formatUnits } from '../src/money/units.ts';
import type { ReportContext } from './context.ts';
import { ageOn } from './days.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { closedMonthNotes, syncedMonths, waitingReceipts } from './notes.ts';
import { ColumnTotals } from './sums.ts';

/** The day of the balance, and whether its month is closed. */
export type OpenItemsNote = { id: 'open-at'; day: string; isClosed: boolean };

const MONEY = [
  'net_due_to_merchant',
  'received',
  'differences',
  'open',
  'received_since',
  'settled_since',
  'restated_since',
  'open_today',
] as const;

const COLUMNS: readonly Column[] = [
  { name: 'kind', type: 'id' },
  { name: 'number', type: 'number' },
  { name: 'receipt', type: 'number' },
  { name: 'issued_on', type: 'date' },
  { name: 'days', type: 'days' },
  { name: 'currency', type: 'text', key: true },
  ...MONEY.map((name): Column => ({ name, type: 'money' })),
];

/**
 * Each invoice that is open at the period's end, and each receipt that no invoice explains yet (negative), the oldest
 * first. Together they are the closing balance of the roll-forward.
 */
export async function openItems({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { notes } = await syncedMonths({ db, settings, periods });
  const month = periods.at(-1)!;
  const end = lastDayOf(month);
  const sums = new ColumnTotals(...MONEY);
  const items = await (await BalanceBook.read(db, settings)).openItems(month);
  const rows = items.flatMap((item): Row[] => {
    const row = {
      kind: item.kind,
      ...namesOf(item),
      issued_on: item.issued_on,
      days: ageOn(item.issued_on, end),
      currency: item.currency,
    };
    if (!fits(row, filters)) return [];
    const amounts = amountsOf(item);
    sums.add(item.currency, amounts);
    return [{ ...row, ...Object.fromEntries(MONEY.map((name) => [name, formatUnits(amounts[name])])) }];
  });
  const closed = await closedMonthNotes(db, [month], { isFrozen: true, zone: settings.timeZone });
  const waiting = await waitingReceipts(db);
  return {
    report: 'open-items',
    title: 'Open items',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      { id: 'open-at', day: end, isClosed: closed.length > 0 } satisfies OpenItemsNote,
      ...waiting,
      ...closed,
      ...notes,
    ],
  };
}

/** The invoice's number or the receipt's id, and null for the other. */
function namesOf({ kind, id }: BalanceItem): { number: number | null; receipt: number | null } {
  return kind === 'invoice' ? { number: id, receipt: null } : { number: null, receipt: id };
}

export function amountsOf(item: BalanceItem) {
  return {
    net_due_to_merchant: item.net,
    received: item.received,
    differences: item.differences,
    open: item.open,
    received_since: item.receivedSince,
    settled_since: item.settledSince,
    restated_since: restatedSince(item),
    open_today: item.openToday,
  };
}
