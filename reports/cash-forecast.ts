import { flowsOf } from '../src/checks/receipts/flows.ts';
import { readSettlements, type Settlements } from '../src/checks/receipts/settlements.ts';
import { counted } from '../src/counted.ts';
import { readLastSync, readNotInvoiced, readOrderBook } from '../src/ledger/read/index.ts';
import { readTransit, readTransitTimes } from '../src/ledger/read/transit.ts';
import { amountOfUnits, type ExactDecimal, formatAmount, Totals } from '../src/money/index.ts';
import { lastDayOf } from '../src/period.ts';
import type { ReportContext } from './context.ts';
import { addDays, daysUntil } from './days.ts';
import { fits } from './filters.ts';
import { type Lag, lagOf, readLags } from './lag.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

/** A median of fewer is no ground for a day. */
const LEAST_OBSERVATIONS = 5;

/** Where money is, from near to far. */
const STAGES = ['invoiced', 'delivered', 'in-transit'] as const;
type Stage = (typeof STAGES)[number];

const COLUMNS: readonly Column[] = [
  { name: 'expected_on', title: 'Expected on', type: 'date' },
  { name: 'days', title: 'Days from now', type: 'days' },
  { name: 'stage', title: 'Where it is', type: 'text', key: true },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'count', title: 'Invoices or orders', type: 'count' },
  { name: 'amount', title: 'Amount', type: 'money' },
  { name: 'basis', title: 'By', type: 'wide' },
];

/** A step on the way of money, how long it took, and in which words its observations are told. */
interface Leg {
  readonly what: string;
  readonly noun: 'order' | 'invoice';
  readonly lag: Lag | null;
}

/** Money that is on its way: what is to come, from which day its wait began. */
interface Waiting {
  readonly stage: Stage;
  readonly since: string | null;
  readonly currency: string;
  readonly amount: ExactDecimal;
}

/**
 * What is on its way to the merchant, and when it should arrive: what is outstanding of invoices, what was delivered and stands on no
 * invoice, and what is with the courier. A day is the median of what such steps took in the period, and never without enough of them.
 */
export async function cashForecast({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const today = (await readLastSync(db))!.started_at.slice(0, 10);
  const settlements = await readSettlements(db, settings);
  const { toInvoice, toPayment } = await readLags(db, months);
  const transit = (await readTransitTimes(db, `${months[0]}-01`, lastDayOf(months.at(-1)!))).flatMap(
    (one) => daysUntil(one.since, one.first_delivered_at.slice(0, 10)) ?? [],
  );
  const paid: Leg = {
    what: 'from the invoice to the money',
    noun: 'invoice',
    lag: paymentLag(settlements, months) ?? toPayment,
  };
  const invoiced: Leg = { what: 'from delivery to the invoice', noun: 'order', lag: toInvoice };
  const delivered: Leg = { what: 'from pick-up to delivery', noun: 'order', lag: lagOf(transit) };
  const ways: Readonly<Record<Stage, readonly Leg[]>> = {
    invoiced: [paid],
    delivered: [invoiced, paid],
    'in-transit': [delivered, invoiced, paid],
  };
  const waiting: Waiting[] = [
    ...settlements.invoices
      .filter(({ vanished_at, outstanding }) => vanished_at === null && outstanding !== 0n)
      .map(({ issued_at, currency, outstanding }): Waiting => {
        return { stage: 'invoiced', since: issued_at, currency, amount: amountOfUnits(outstanding) };
      }),
    ...(await readNotInvoiced(db, today)).flatMap((line): Waiting[] => {
      if (line.currency === null || line.invoice_number !== null) return [];
      const amount = line.cod.minus(line.delivery_fee);
      return [{ stage: 'delivered', since: line.delivered_at, currency: line.currency, amount }];
    }),
    ...(await readTransit(db)).map(({ since, currency, net }): Waiting => {
      return { stage: 'in-transit', since, currency, amount: net };
    }),
  ];
  const sums = new CurrencySums('amount');
  const rows = rowsOf(waiting, ways, today).filter((row) => fits(row, filters));
  for (const { currency, amount } of waiting) {
    if (filters.currency === undefined || filters.currency === currency) sums.add(currency, { amount });
  }
  const { state } = await readOrderBook(db);
  return {
    report: 'cash-forecast',
    title: 'Cash forecast',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      `From what the ledger knew on ${today}, and from how long each step took in ${period}. Days before it are days on which money should have come.`,
      ...[delivered, invoiced, paid].map(sayLeg),
      'What is in transit counts whole: a parcel that comes back brings nothing.',
      ...(state === 'complete'
        ? []
        : [
            'The order book was never synced whole: what is in transit or delivered is not known, or not all. Run `remit sync --orders`.',
          ]),
      ...notes,
    ],
  };
}

function rowsOf(waiting: readonly Waiting[], ways: Readonly<Record<Stage, readonly Leg[]>>, today: string): Row[] {
  const groups = new Map<string, { stage: Stage; day: string | null; currency: string; count: number; sum: Totals }>();
  for (const { stage, since, currency, amount } of waiting) {
    const wait = waitOf(ways[stage]);
    const day = since === null || wait === null ? null : addDays(since.slice(0, 10), wait);
    const key = `${stage} ${day} ${currency}`;
    const group = groups.get(key) ?? { stage, day, currency, count: 0, sum: new Totals() };
    groups.set(key, group);
    group.count += 1;
    group.sum.add(currency, amount);
  }
  const order = ({ stage, day, currency }: { stage: Stage; day: string | null; currency: string }) =>
    `${day ?? '9999'} ${STAGES.indexOf(stage)} ${currency}`;
  return [...groups.values()]
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ stage, day, currency, count, sum }) => ({
      expected_on: day,
      days: day === null ? null : daysUntil(today, day),
      stage,
      currency,
      count,
      amount: formatAmount(sum.of(currency)),
      basis: ways[stage].map(sayShort).join('; '),
    }));
}

/** The days of all steps together; null where too few were seen of any. */
function waitOf(legs: readonly Leg[]): number | null {
  return legs.reduce<number | null>((sum, leg) => {
    const days = medianOf(leg);
    return sum === null || days === null ? null : sum + days;
  }, 0);
}

function medianOf({ lag }: Leg): number | null {
  return lag !== null && lag.of >= LEAST_OBSERVATIONS ? lag.median : null;
}

function sayShort(leg: Leg): string {
  const days = medianOf(leg);
  const seen = counted(leg.lag?.of ?? 0, leg.noun);
  return days === null ? `${leg.what}: not known, of ${seen}` : `${leg.what}: ${counted(days, 'day')}, of ${seen}`;
}

function sayLeg(leg: Leg): string {
  const days = medianOf(leg);
  const seen = counted(leg.lag?.of ?? 0, leg.noun);
  if (days !== null) return `${capital(leg.what)}: ${counted(days, 'day')} in the middle, over ${seen}.`;
  return `${capital(leg.what)}: too few were seen (${seen} of at least ${LEAST_OBSERVATIONS}) to name a day; what waits for it has none.`;
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** How long receipts took, which is surer than when the courier was seen to say paid; null where too few are known. */
function paymentLag({ books, invoices }: Settlements, months: readonly string[]): Lag | null {
  const last = new Map<number, string>();
  for (const { number, date } of flowsOf(books)) if (date > (last.get(number) ?? '')) last.set(number, date);
  const settled = new Map(
    invoices
      .filter((one) => months.includes(one.period) && one.received !== 0n && one.outstanding === 0n)
      .map((one) => [one.number, one.issued_at]),
  );
  const days = [...settled].flatMap(([number, issued_at]) => daysUntil(issued_at, last.get(number)!) ?? []);
  return days.length < LEAST_OBSERVATIONS ? null : lagOf(days);
}
