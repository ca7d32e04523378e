import { lastDayOf } from '../src/base/period.ts';
import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { type BalanceItem, restatedSince } from '../src/matching/balance.ts';
import { ExactDecimal } from '../src/money/decimal.ts';
import { Totals } from '../src/money/sum.ts';
import { amountOfUnits, formatUnits, type Units } from '../src/money/units.ts';
import { closedMonthNotes } from './closed-months.ts';
import type { ReportContext } from './context.ts';
import { ageAt } from './days.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import type { OpenItemsNote } from './open-items.ts';
import { ColumnTotals } from './sums.ts';
import { syncedMonths } from './synced-months.ts';
import { waitingReceipts } from './waiting-receipts.ts';

/** The columns by age. `most`: the highest age in days that belongs to it. */
export const BUCKETS = [
  { name: 'days_0_7', title: '0-7 days', most: 7 },
  { name: 'days_8_14', title: '8-14 days', most: 14 },
  { name: 'days_15_30', title: '15-30 days', most: 30 },
  { name: 'days_31_60', title: '31-60 days', most: 60 },
  { name: 'days_61_90', title: '61-90 days', most: 90 },
  { name: 'days_over_90', title: 'Over 90 days', most: Number.POSITIVE_INFINITY },
] as const;
type Bucket = (typeof BUCKETS)[number]['name'];

/** How a currency's open invoices are spread over the ages, in percent. */
export type AgeingNote = {
  id: 'age-shares';
  currency: string;
  shares: readonly { readonly age: Bucket; readonly percent: string }[];
};

const FIGURES = ['open', 'received_since', 'settled_since', 'restated_since', 'open_today'] as const;

const COLUMNS: readonly Column[] = [
  { name: 'number', type: 'number' },
  { name: 'issued_on', type: 'date' },
  { name: 'days', type: 'days' },
  { name: 'currency', type: 'text', key: true },
  { name: 'net_due_to_merchant', type: 'money' },
  { name: 'open', type: 'money' },
  { name: 'bucket', type: 'text' },
  { name: 'received_since', type: 'money' },
  { name: 'settled_since', type: 'money' },
  { name: 'restated_since', type: 'money' },
  { name: 'open_today', type: 'money' },
  ...BUCKETS.map(({ name }): Column => ({ name, type: 'money' })),
];

/** What an item adds to its currency's totals. */
type Sums = Record<Bucket | 'net_due_to_merchant' | (typeof FIGURES)[number], ExactDecimal>;

/**
 * What each invoice has open at the period's end, by its age on that day. Receipts that no invoice explains yet are one
 * negative line per currency, so that the total is the closing balance of the roll-forward.
 */
export async function ageing(context: ReportContext): Promise<Report> {
  const { db, settings, periods, period, filters = {} } = context;
  const { notes } = await syncedMonths({ db, settings, periods });
  const month = periods.at(-1)!;
  const end = lastDayOf(month);
  const sums = new ColumnTotals<keyof Sums>('net_due_to_merchant', ...FIGURES, ...BUCKETS.map(({ name }) => name));
  const byAge = new Map<Bucket, Totals>(BUCKETS.map(({ name }) => [name, new Totals()]));
  const openInvoices = new Totals();
  const book = context.book ?? (await BalanceBook.read(db, settings));
  const items = await book.openItems(month);
  const fitting = items.filter(({ kind, id, currency }) =>
    fits({ number: kind === 'invoice' ? id : null, currency }, filters),
  );
  const rows = fitting
    .filter(({ kind }) => kind === 'invoice')
    .map((item): Row => {
      const days = ageAt(end, item.issued_on);
      const bucket = BUCKETS.find(({ most }) => (days ?? 0) <= most)!.name;
      const open = amountOfUnits(item.open);
      sums.add(item.currency, sumsOf([item], bucket));
      byAge.get(bucket)!.add(item.currency, open);
      openInvoices.add(item.currency, open);
      return rowOf([item], { number: item.id, issued_on: item.issued_on, days, bucket });
    });
  const receipts = fitting.filter(({ kind }) => kind === 'unallocated');
  for (const currency of [...new Set(receipts.map((item) => item.currency))].sort()) {
    const inCurrency = receipts.filter((item) => item.currency === currency);
    sums.add(currency, sumsOf(inCurrency, null));
    rows.push(rowOf(inCurrency, { number: null, issued_on: null, days: null, bucket: 'unallocated' }));
  }
  const closed = await closedMonthNotes(db, [month], { isFrozen: true, zone: settings.timeZone });
  const waiting = await waitingReceipts(db);
  return {
    report: 'ageing',
    title: 'Ageing',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      { id: 'open-at', day: end, isClosed: closed.length > 0 } satisfies OpenItemsNote,
      ...openInvoices.currencies().flatMap((currency) => sharesOf(currency, openInvoices.of(currency), byAge)),
      ...waiting,
      ...closed,
      ...notes,
    ],
  };
}

type ItemCells = Readonly<Record<'issued_on' | 'bucket', string | null> & Record<'number' | 'days', number | null>>;

function rowOf(items: readonly BalanceItem[], { number, issued_on, days, bucket }: ItemCells): Row {
  const textOf = (unitsOf: (item: BalanceItem) => Units) => formatUnits(sumBy(items, unitsOf));
  return {
    number,
    issued_on,
    days,
    currency: items[0]!.currency,
    net_due_to_merchant: textOf(({ net }) => net),
    open: textOf(({ open }) => open),
    bucket,
    received_since: textOf(({ receivedSince }) => receivedSince),
    settled_since: textOf(({ settledSince }) => settledSince),
    restated_since: textOf(restatedSince),
    open_today: textOf(({ openToday }) => openToday),
    ...Object.fromEntries(BUCKETS.map(({ name }) => [name, name === bucket ? textOf(({ open }) => open) : null])),
  };
}

function sumsOf(items: readonly BalanceItem[], bucket: Bucket | null): Sums {
  const amountOf = (unitsOf: (item: BalanceItem) => Units) => amountOfUnits(sumBy(items, unitsOf));
  const ages = BUCKETS.map(({ name }) => [name, name === bucket ? amountOf(({ open }) => open) : new ExactDecimal(0)]);
  return {
    net_due_to_merchant: amountOf(({ net }) => net),
    open: amountOf(({ open }) => open),
    received_since: amountOf(({ receivedSince }) => receivedSince),
    settled_since: amountOf(({ settledSince }) => settledSince),
    restated_since: amountOf(restatedSince),
    open_today: amountOf(({ openToday }) => openToday),
    ...(Object.fromEntries(ages) as Record<Bucket, ExactDecimal>),
  };
}

const sumBy = (items: readonly BalanceItem[], unitsOf: (item: BalanceItem) => Units) =>
  items.reduce((sum, item) => sum + unitsOf(item), 0n);

/** The shares by age in one currency; none if nothing is open. */
function sharesOf(currency: string, total: ExactDecimal, byAge: ReadonlyMap<Bucket, Totals>): AgeingNote[] {
  if (total.isZero()) return [];
  const shares = BUCKETS.flatMap(({ name }) => {
    const part = byAge.get(name)!.of(currency);
    return part.isZero() ? [] : [{ age: name, percent: part.times(100).div(total).toFixed(1) }];
  });
  return [{ id: 'age-shares', currency, shares }];
}
