import { addDays, dayIn, daysBetween } from '../src/base/day.ts';
import { groupBy } from '../src/base/group.ts';
import { lastDayOf } from '../src/base/period.ts';
import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { comesAsSheets } from '../src/checks/facts/months.ts';
import { readSettlements, type Settlements } from '../src/checks/facts/receipts/settlements.ts';
import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { readTransit, readTransitTimes } from '../src/ledger/queries/orders/not-invoiced.ts';
import { readOrderBook } from '../src/ledger/queries/sync/fetched.ts';
import { readLastRun } from '../src/ledger/queries/sync/runs.ts';
import { type ExactDecimal, formatAmount } from '../src/money/decimal.ts';
import { Totals } from '../src/money/sum.ts';
import { amountOfUnits } from '../src/money/units.ts';
import { ColumnTotals, columnsOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import { type Lag, lagOf, readLags } from './lag.ts';
import type { Report, Row } from './model.ts';
import { readAccrued } from './not-invoiced.ts';
import { syncedMonths } from './notes.ts';

/** If a step was observed less often than this, no day is forecast. */
const LEAST_OBSERVATIONS = 5;

/** The stages of money on its way, the nearest to the merchant first. */
const STAGES = ['invoiced', 'unallocated', 'delivered', 'in-transit'] as const;
type Stage = (typeof STAGES)[number];

const COLUMNS = columnsOf('expected_on days stage* currency* count amount basis:wide');

/** A step that money goes through. `days`: the median of those it took, null if it was `seen` too seldom. */
type Step = {
  readonly step: 'delivery' | 'invoicing' | 'payment';
  readonly days: number | null;
  readonly seen: number;
};
/** The steps that money at each stage has still to go through. */
type StepsAhead = Readonly<Record<Stage, readonly Step[]>>;

/**
 * How a row's day was forecast, step by step, and the notes below the report. `bySheets`: the courier sends settlement
 * sheets, which bring no order book.
 */
export type ForecastSentence =
  | { id: 'forecast-way'; steps: readonly Step[] }
  | { id: 'forecast-from'; day: string; period: string }
  | ({ id: 'forecast-step'; least: number } & Step)
  | { id: 'forecast-unallocated' }
  | { id: 'forecast-counts-transit-whole' }
  | { id: 'forecast-without-order-book'; bySheets: boolean };

/**
 * Money on its way. `since`: the day on which it reached its stage; null if unknown, and for receipts, whose amounts
 * are negative, because they came in already.
 */
interface WaitingMoney {
  readonly stage: Stage;
  readonly since: string | null;
  readonly currency: string;
  readonly amount: ExactDecimal;
}

/**
 * The money on its way to the merchant, and when it should arrive: open invoices less the receipts that no invoice
 * explains yet, delivered orders that are on no invoice, and orders in transit. The wait is the sum of the medians that
 * the steps ahead took in the period; no day is forecast if a step was observed too seldom.
 */
export async function cashForecast({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const dayOf = (instant: string) => dayIn(instant, settings.timeZone);
  // The forecast counts from the day up to which the books know anything.
  const today = dayOf((await readLastRun(db))!.started_at);
  const settlements = await readSettlements(db, settings);
  const { toInvoice, toPayment } = await readLags(db, settlements, months);
  const payment = stepOf('payment', toPayment);
  const invoicing = stepOf('invoicing', toInvoice);
  const delivery = stepOf('delivery', lagOf(await readTransitDays(db, months, dayOf)));
  const stepsAhead: StepsAhead = {
    invoiced: [payment],
    unallocated: [],
    delivered: [invoicing, payment],
    'in-transit': [delivery, invoicing, payment],
  };
  const waiting = await readWaitingMoney({ db, settings }, settlements, today);
  const sums = new ColumnTotals('amount');
  const rows = rowsOf(waiting, stepsAhead, today).filter((row) => fits(row, filters));
  for (const { currency, amount } of waiting) {
    if (filters.currency === undefined || filters.currency === currency) sums.add(currency, { amount });
  }
  const { state } = await readOrderBook(db);
  const bySheets = await comesAsSheets(db, settings);
  return {
    report: 'cash-forecast',
    title: 'Cash forecast',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      { id: 'forecast-from', day: today, period },
      ...[delivery, invoicing, payment].map((step) => {
        return { id: 'forecast-step', ...step, least: LEAST_OBSERVATIONS } satisfies ForecastSentence;
      }),
      { id: 'forecast-counts-transit-whole' },
      ...(state === 'complete' ? [] : [{ id: 'forecast-without-order-book', bySheets } satisfies ForecastSentence]),
      ...notes,
    ],
  };
}

/** How many days each order that was delivered in these months was in transit. */
async function readTransitDays(
  db: ReportContext['db'],
  months: readonly string[],
  dayOf: (instant: string) => string,
): Promise<number[]> {
  const [from, to] = [`${months[0]}-01`, lastDayOf(months.at(-1)!)];
  // One day more on both sides: the database takes each stamp's day in the stamp's own time zone.
  const transitTimes = await readTransitTimes(db, addDays(from, -1), addDays(to, 1));
  return transitTimes.flatMap(({ since, first_delivered_at }) => {
    const deliveredOn = dayOf(first_delivered_at);
    return deliveredOn < from || deliveredOn > to ? [] : (daysBetween(dayOf(since), deliveredOn) ?? []);
  });
}

async function readWaitingMoney(
  { db, settings }: Pick<ReportContext, 'db' | 'settings'>,
  settlements: Settlements,
  today: string,
): Promise<WaitingMoney[]> {
  const { timeZone } = settings;
  const { signs } = await readReturns(db, settings.returns);
  const openItems = await (await BalanceBook.read(db, settings, { settlements })).openToday();
  const delivered = await readAccrued(db, today, timeZone, signs);
  const inTransit = await readTransit(db, signs);
  return [
    ...openItems.map(({ kind, issued_on, currency, openToday }): WaitingMoney => {
      const money = { currency, amount: amountOfUnits(openToday) };
      if (kind === 'invoice') return { stage: 'invoiced', since: issued_on, ...money };
      return { stage: 'unallocated', since: null, ...money };
    }),
    ...delivered.flatMap(({ currency, invoice_number, delivered_at, cod, delivery_fee }): WaitingMoney[] => {
      // One that an invoice lists by now, dated later, is in that invoice's open item.
      if (currency === null || invoice_number !== null) return [];
      // Of a RETURN order, `cod` and `delivery_fee` have the signs with which they count.
      return [{ stage: 'delivered', since: dayIn(delivered_at, timeZone), currency, amount: cod.minus(delivery_fee) }];
    }),
    ...inTransit.map(({ since, currency, net }): WaitingMoney => {
      return { stage: 'in-transit', since: since === null ? null : dayIn(since, timeZone), currency, amount: net };
    }),
  ];
}

function rowsOf(waiting: readonly WaitingMoney[], stepsAhead: StepsAhead, today: string): Row[] {
  const expected = waiting.map((money) => {
    const wait = waitOf(stepsAhead[money.stage]);
    return { ...money, day: money.since === null || wait === null ? null : addDays(money.since, wait) };
  });
  // Groups without a day come last.
  const groups = groupBy(expected, ({ stage, day, currency }) => {
    return `${day ?? '9999'} ${STAGES.indexOf(stage)} ${currency}`;
  });
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const { stage, day, currency } = group[0]!;
      const sum = new Totals();
      for (const { amount } of group) sum.add(currency, amount);
      return {
        expected_on: day,
        days: day === null ? null : daysBetween(today, day),
        stage,
        currency,
        count: group.length,
        amount: formatAmount(sum.of(currency)),
        basis: (stage === 'unallocated'
          ? { id: 'forecast-unallocated' }
          : { id: 'forecast-way', steps: stepsAhead[stage] }) satisfies ForecastSentence,
      };
    });
}

/** The days of the steps, added up; null if one of them was observed too seldom. */
function waitOf(steps: readonly Step[]): number | null {
  return steps.reduce<number | null>((sum, { days }) => (sum === null || days === null ? null : sum + days), 0);
}

/** @param lag how long the step took, measured on orders, for `payment` on invoices; null if it was never observed */
function stepOf(step: Step['step'], lag: Lag | null): Step {
  const days = lag !== null && lag.of >= LEAST_OBSERVATIONS ? lag.median : null;
  return { step, days, seen: lag?.of ?? 0 };
}
