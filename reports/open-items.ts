import { ageOn } from '../src/base/day.ts';
import { lastDayOf } from '../src/base/period.ts';
import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { type BalanceItem, restatedSince } from '../src/matching/balance.ts';
import { formatUnits } from '../src/money/units.ts';
import { ColumnTotals, columnsOf, moneyColumns } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { closedMonthNotes, syncedMonths, waitingReceipts } from './notes.ts';

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

const COLUMNS = [...columnsOf('kind:id number receipt issued_on days currency*'), ...moneyColumns(MONEY)];

/**
 * Each invoice that is open at the period's end, and each receipt that no invoice explains yet (negative), the oldest
 * first. Together they are the closing balance of the roll-forward.
 */
export async function openItems(context: ReportContext): Promise<Report> {
  const { period, filters = {} } = context;
  const { items, end, openAt, notes } = await readOpenItems(context);
  const sums = new ColumnTotals(...MONEY);
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
  return {
    report: 'open-items',
    title: 'Open items',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [openAt, ...notes],
  };
}

/** The items that are open at the end of the period's last month, and the notes of their reports. */
export async function readOpenItems(context: ReportContext) {
  const { db, settings, periods } = context;
  const { notes } = await syncedMonths(context);
  const month = periods.at(-1)!;
  const end = lastDayOf(month);
  const book = context.book ?? (await BalanceBook.read(db, settings));
  const items = await book.openItems(month);
  const closed = await closedMonthNotes(db, [month], { isFrozen: true, zone: settings.timeZone });
  const waiting = await waitingReceipts(db);
  const openAt: OpenItemsNote = { id: 'open-at', day: end, isClosed: closed.length > 0 };
  return { items, end, openAt, notes: [...waiting, ...closed, ...notes] };
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
