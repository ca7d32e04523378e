import { ageOn } from '../src/base/day.ts';
import type { BalanceItem } from '../src/matching/balance.ts';
import { parseAmount, ZERO } from '../src/money/decimal.ts';
import { eachField } from '../src/money/fields.ts';
import type { Units } from '../src/money/units.ts';
import { ColumnTotals, columnsOf, moneyColumns, rowIn, unitsCell } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { amountsOf, readOpenItems } from './open-items.ts';

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
const BUCKET_NAMES = BUCKETS.map(({ name }) => name);

/** @param days an age; null, of something without a date, counts as the youngest */
export function bucketOf(days: number | null): Bucket {
  return BUCKETS.find(({ most }) => (days ?? 0) <= most)!.name;
}

/** How a currency's open invoices are spread over the ages, in percent. */
export type AgeingNote = {
  id: 'age-shares';
  currency: string;
  shares: readonly { readonly age: Bucket; readonly percent: string }[];
};

/** What is open at the period's end, what moved it since then (`..._since`), and what is open today. */
const FIGURES = [
  'net_due_to_merchant',
  'open',
  'received_since',
  'settled_since',
  'restated_since',
  'open_today',
] as const;
type Figure = (typeof FIGURES)[number];

const COLUMNS = [
  ...columnsOf(
    'number issued_on days currency* net_due_to_merchant open',
    'bucket received_since settled_since restated_since open_today',
  ),
  ...moneyColumns(BUCKET_NAMES),
];

/**
 * What each invoice has open at the period's end, by its age on that day. Receipts that no invoice explains yet are one
 * negative line per currency, so that the total is the closing balance of the roll-forward.
 */
export async function ageing(context: ReportContext): Promise<Report> {
  const { period, filters = {} } = context;
  const { items, end, openAt, notes } = await readOpenItems(context);
  const sums = new ColumnTotals<Figure | Bucket>(...FIGURES, ...BUCKET_NAMES);
  const fitting = items.filter(({ kind, id, currency }) =>
    fits({ number: kind === 'invoice' ? id : null, currency }, filters),
  );
  const rows: Row[] = [];
  const addRow = (currency: string, itemsOfRow: readonly BalanceItem[], head: Row) => {
    const figures = figuresOf(itemsOfRow);
    // What is open goes into the column of its age. Receipts have no age.
    const ages = eachField(BUCKET_NAMES, (bucket) => (bucket === head.bucket ? figures.open : null));
    sums.add(currency, { ...figures, ...eachField(BUCKET_NAMES, (bucket) => ages[bucket] ?? 0n) });
    const amounts = Object.entries({ ...figures, ...ages }).map(([name, units]) => [name, unitsCell(units)]);
    rows.push(rowIn(COLUMNS, { ...head, currency, ...Object.fromEntries(amounts) }));
  };
  for (const item of fitting.filter(({ kind }) => kind === 'invoice')) {
    const { id: number, issued_on, currency } = item;
    const days = ageOn(issued_on, end);
    addRow(currency, [item], { number, issued_on, days, bucket: bucketOf(days) });
  }
  const receipts = fitting.filter(({ kind }) => kind === 'unallocated');
  for (const currency of [...new Set(receipts.map((item) => item.currency))].sort()) {
    const inCurrency = receipts.filter((item) => item.currency === currency);
    addRow(currency, inCurrency, { number: null, issued_on: null, days: null, bucket: 'unallocated' });
  }
  return {
    report: 'ageing',
    title: 'Ageing',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [openAt, ...sums.rows().flatMap(sharesOf), ...notes],
  };
}

function figuresOf(items: readonly BalanceItem[]): Record<Figure, Units> {
  const amounts = items.map(amountsOf);
  return eachField(FIGURES, (figure) => amounts.reduce((sum, item) => sum + item[figure], 0n));
}

/** The shares by age in one currency, whose sums these are; none if no invoice is open. */
function sharesOf(sums: Row): AgeingNote[] {
  const parts = BUCKET_NAMES.map((age) => ({ age, amount: parseAmount(String(sums[age])) }));
  const total = parts.reduce((sum, { amount }) => sum.plus(amount), ZERO);
  if (total.isZero()) return [];
  const shares = parts
    .filter(({ amount }) => !amount.isZero())
    .map(({ age, amount }) => ({ age, percent: amount.times(100).div(total).toFixed(1) }));
  return [{ id: 'age-shares', currency: String(sums.currency), shares }];
}
