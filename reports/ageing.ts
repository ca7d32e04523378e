import { readSettlements, type SettledInvoice } from '../src/checks/receipts/settlements.ts';
import { amountOfUnits, ExactDecimal, formatAmount, Totals } from '../src/money/index.ts';
import { lastDayOf } from '../src/period.ts';
import type { ReportContext } from './context.ts';
import { daysUntil } from './days.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { sayBasis } from './settled.ts';
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

/** What is outstanding of every invoice that was issued by the period's end, by its age on that day. */
export async function ageing({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { notes } = await syncedMonths(db, periods);
  const end = lastDayOf(periods.at(-1)!);
  const sums = new CurrencySums<Bucket | 'outstanding'>(...BUCKETS.map(({ name }) => name), 'outstanding');
  const byAge = new Map<Bucket, Totals>(BUCKETS.map(({ name }) => [name, new Totals()]));
  const all = new Totals();
  const rows: Row[] = [];
  const { invoices } = await readSettlements(db, settings);
  const due = invoices.filter(
    ({ vanished_at, issued_at, number, currency }) =>
      vanished_at === null && issued_at.slice(0, 10) <= end && fits({ number, currency }, filters),
  );
  for (const line of due.filter(({ outstanding }) => outstanding !== 0n).sort(byAgeFirst)) {
    const outstanding = amountOfUnits(line.outstanding);
    const age = daysUntil(line.issued_at, end);
    const bucket = BUCKETS.find(({ most }) => (age ?? 0) <= most)!.name;
    const amounts = Object.fromEntries(
      BUCKETS.map(({ name }) => [name, name === bucket ? outstanding : new ExactDecimal(0)]),
    ) as Record<Bucket, ExactDecimal>;
    const row: Row = {
      number: line.number,
      period: line.period,
      issued_at: line.issued_at,
      age,
      currency: line.currency,
      ...Object.fromEntries(BUCKETS.map(({ name }) => [name, name === bucket ? formatAmount(amounts[name]) : null])),
      outstanding: formatAmount(outstanding),
    };
    rows.push(row);
    sums.add(line.currency, { ...amounts, outstanding });
    byAge.get(bucket)!.add(line.currency, outstanding);
    all.add(line.currency, outstanding);
  }
  return {
    report: 'ageing',
    title: 'Ageing',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      `Ages are at the end of ${end}, from each invoice's own date; what is outstanding is as the ledger knows it now.`,
      ...sayBasis(due.map(({ by }) => by)),
      ...all.currencies().flatMap((currency) => sharesOf(currency, all.of(currency), byAge)),
      ...notes,
    ],
  };
}

function byAgeFirst(a: SettledInvoice, b: SettledInvoice): number {
  const [first, second] = [a.issued_at.slice(0, 10), b.issued_at.slice(0, 10)];
  if (first !== second) return first < second ? -1 : 1;
  return a.number - b.number || (a.currency < b.currency ? -1 : 1);
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
