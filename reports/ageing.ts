import { readUnpaid } from '../src/ledger/read/index.ts';
import { ExactDecimal, formatAmount, Totals } from '../src/money/index.ts';
import { lastDayOf } from '../src/period.ts';
import type { ReportContext } from './context.ts';
import { daysUntil } from './days.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

/** The columns by age, with the most days that each takes. */
const BUCKETS = [
  { name: 'days_0_7', title: '0-7 days', most: 7 },
  { name: 'days_8_14', title: '8-14 days', most: 14 },
  { name: 'days_15_30', title: '15-30 days', most: 30 },
  { name: 'days_31_60', title: '31-60 days', most: 60 },
  { name: 'days_61_90', title: '61-90 days', most: 90 },
  { name: 'days_over_90', title: 'Over 90 days', most: Number.POSITIVE_INFINITY },
] as const;
type Bucket = (typeof BUCKETS)[number]['name'];

const COLUMNS: readonly Column[] = [
  { name: 'number', title: 'Invoice', type: 'number' },
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'issued_at', title: 'Issued', type: 'datetime' },
  { name: 'age', title: 'Age', type: 'days' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  ...BUCKETS.map(({ name, title }): Column => ({ name, title, type: 'money' })),
  { name: 'outstanding', title: 'Outstanding', type: 'money' },
];

/** The net of every unpaid invoice that was issued by the period's end, by its age on that day. */
export async function ageing({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { notes } = await syncedMonths(db, periods);
  const end = lastDayOf(periods.at(-1)!);
  const sums = new CurrencySums<Bucket | 'outstanding'>(...BUCKETS.map(({ name }) => name), 'outstanding');
  const byAge = new Map<Bucket, Totals>(BUCKETS.map(({ name }) => [name, new Totals()]));
  const all = new Totals();
  const rows: Row[] = [];
  for (const line of await readUnpaid(db, end)) {
    const age = daysUntil(line.issued_at, end);
    const bucket = BUCKETS.find(({ most }) => (age ?? 0) <= most)!.name;
    const amounts = Object.fromEntries(
      BUCKETS.map(({ name }) => [name, name === bucket ? line.net_due_to_merchant : new ExactDecimal(0)]),
    ) as Record<Bucket, ExactDecimal>;
    const row: Row = {
      number: line.number,
      period: line.period,
      issued_at: line.issued_at,
      age,
      currency: line.currency,
      ...Object.fromEntries(BUCKETS.map(({ name }) => [name, name === bucket ? formatAmount(amounts[name]) : null])),
      outstanding: formatAmount(line.net_due_to_merchant),
    };
    if (!fits(row, filters)) continue;
    rows.push(row);
    sums.add(line.currency, { ...amounts, outstanding: line.net_due_to_merchant });
    byAge.get(bucket)!.add(line.currency, line.net_due_to_merchant);
    all.add(line.currency, line.net_due_to_merchant);
  }
  return {
    report: 'ageing',
    title: 'Ageing',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      `Unpaid is what the courier did not mark paid when the ledger was last synced; ages are at the end of ${end}, from each invoice's own date.`,
      ...all.currencies().flatMap((currency) => sharesOf(currency, all.of(currency), byAge)),
      ...notes,
    ],
  };
}

/** `USD: 40.0 % in 0-7 days, 60.0 % in 31-60 days.`; of what comes to nothing there are no shares. */
function sharesOf(currency: string, whole: ExactDecimal, byAge: ReadonlyMap<Bucket, Totals>): string[] {
  if (whole.isZero()) return [];
  const shares = BUCKETS.flatMap(({ name, title }) => {
    const part = byAge.get(name)!.of(currency);
    return part.isZero() ? [] : [`${part.times(100).div(whole).toFixed(1)} % in ${title.toLowerCase()}`];
  });
  return [`${currency}: ${shares.join(', ')}.`];
}
