import { ageOn, dayIn } from '../src/base/day.ts';
import { groupBy } from '../src/base/group.ts';
import { lastDayOf } from '../src/base/period.ts';
import { CUSTODY_PLACES, type CustodyDays, type CustodyPlace } from '../src/base/states.ts';
import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import {
  type CustodySum,
  type CustodyTie,
  custodyFigures,
  isOverdue,
  sumCustody,
  TIE_STEPS,
  tieCustody,
} from '../src/checks/facts/custody.ts';
import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { readLastRun } from '../src/ledger/queries/sync/runs.ts';
import { formatUnits, type Units } from '../src/money/units.ts';
import { BUCKETS, bucketOf } from './ageing.ts';
import { ColumnTotals, columnsOf, unitsCell } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { unsureNotes } from './not-invoiced.ts';
import { closedMonthNotes, syncedMonths } from './notes.ts';

/**
 * The notes: the day, the ages, the way to the balance, and money in an unknown place; amounts are plain decimals.
 * `aged`: the day on which ages are taken; `days`: after how many days money is overdue, null if no limit is set.
 */
export type CustodyNote =
  | { id: 'custody-at'; day: string; aged: string; days: CustodyDays | null }
  | {
      id: 'custody-ages';
      currency: string;
      ages: readonly { readonly age: (typeof BUCKETS)[number]['name']; readonly amount: string }[];
      oldest: { readonly order: string; readonly since: string };
    }
  | {
      id: 'custody-tie';
      currency: string;
      notInvoiced: string;
      receivable: string;
      steps: readonly { readonly step: (typeof TIE_STEPS)[number]; readonly amount: string }[];
      closing: string;
    }
  | { id: 'custody-unknown'; currency: string; amount: string; count: number; orders: readonly string[] };

const COLUMNS = columnsOf('currency* district* where* orders cod oldest_on days overdue');

/**
 * Where the COD of delivered orders is at the period's end, or now if no period is given: one row per currency,
 * district and place, with the day on which the oldest money came there.
 */
export async function custody(context: ReportContext): Promise<Report> {
  return (await tiedCustody(context)).report;
}

/**
 * The report `custody`, and its ties: for each currency, the steps from this money to the closing balance.
 *
 * @param options.withoutReceived leaves out what was received
 */
export async function tiedCustody(
  context: ReportContext,
  { withoutReceived = false }: { readonly withoutReceived?: boolean } = {},
): Promise<{ readonly report: Report; readonly ties: readonly CustodyTie[] }> {
  const { db, settings, periods, period, filters = {} } = context;
  const { notes } = await syncedMonths({ db, settings, periods });
  const { timeZone, custodyDays = null } = settings;
  const { month, end, ageDay } = await readDaysOf(context);
  const book = context.book ?? (await BalanceBook.read(db, settings));
  const { signs: returns } = await readReturns(db, settings.returns);
  const all = await sumCustody(db, book, { month, returns, timeZone, withoutReceived });
  const lines = all.filter(({ currency }) => fits({ currency }, filters));
  const ties = (await tieCustody(book, month, all)).filter(({ currency }) => fits({ currency }, filters));
  const sums = custodyDays === null ? new ColumnTotals('cod') : new ColumnTotals('cod', 'overdue');
  for (const line of lines) {
    const overdue = custodyDays !== null && isOverdue(line, ageDay, custodyDays) ? line.cod : 0n;
    sums.add(line.currency, { cod: line.cod, overdue });
  }
  const closed = await closedMonthNotes(db, [month], { isFrozen: true, zone: timeZone });
  const unsure = await unsureNotes(context);
  const report: Report = {
    report: 'custody',
    title: 'Where the cash is',
    period,
    columns: COLUMNS,
    rows: rowsOf(lines, ageDay, custodyDays),
    totals: () => sums.rows(),
    notes: () => [
      { id: 'custody-at', day: end, aged: ageDay, days: custodyDays } satisfies CustodyNote,
      ...unknownNotes(lines),
      ...agesNotes(lines, ageDay),
      ...ties.map(tieNote),
      ...unsure,
      ...closed,
      ...notes,
    ],
  };
  return { report, ties };
}

/**
 * The month that is shown, its last day, and the day on which ages are taken: that last day, or the day of the last
 * sync (or of `--as-of`) if the month has not ended by then. Without a period, the month of that day is shown.
 */
async function readDaysOf({ db, settings, periods, asOf, isOfAllMonths }: ReportContext) {
  const last = periods.at(-1)!;
  const seenAt = asOf ?? (await readLastRun(db))?.started_at ?? null;
  const today = seenAt === null ? lastDayOf(last) : dayIn(seenAt, settings.timeZone);
  const monthOfToday = today.slice(0, 7);
  const month = isOfAllMonths && monthOfToday > last ? monthOfToday : last;
  const end = lastDayOf(month);
  return { month, end, ageDay: today < end ? today : end };
}

/** @param custodyDays after how many days money is overdue, by place */
function rowsOf(lines: readonly CustodySum[], ageDay: string, custodyDays: CustodyDays | null): Row[] {
  const groups = groupBy(lines, ({ currency, district, where }) => {
    // Lines without a district come last.
    return `${currency}\n${district ?? '\uffff'}\n${CUSTODY_PLACES.indexOf(where)}`;
  });
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const { currency, district, where } = group[0]!;
      const oldest_on = oldestOf(group).since;
      const overdue = custodyDays && sumOf(group.filter((line) => isOverdue(line, ageDay, custodyDays)));
      return {
        currency,
        district,
        where,
        orders: group.reduce((sum, { orders }) => sum + orders, 0),
        cod: formatUnits(sumOf(group)),
        oldest_on,
        days: ageOn(oldest_on, ageDay),
        overdue: unitsCell(overdue),
      };
    });
}

function sumOf(lines: readonly CustodySum[]): Units {
  return lines.reduce((sum, { cod }) => sum + cod, 0n);
}

function oldestOf(lines: readonly CustodySum[]): CustodySum {
  return lines.reduce((oldest, line) => (line.since < oldest.since ? line : oldest));
}

function byCurrency(lines: readonly CustodySum[], isIn: (place: CustodyPlace) => boolean) {
  const inPlaces = lines.filter(({ where }) => isIn(where));
  return [...new Set(inPlaces.map(({ currency }) => currency))]
    .sort()
    .map((currency) => ({ currency, inCurrency: inPlaces.filter((line) => line.currency === currency) }));
}

/** The money that was not received and that the courier does not call paid, by how long it has been in its place. */
function agesNotes(lines: readonly CustodySum[], ageDay: string): CustodyNote[] {
  return byCurrency(lines, (place) => place !== 'received' && place !== 'paid').map(({ currency, inCurrency }) => {
    const oldest = oldestOf(inCurrency);
    const ages = BUCKETS.flatMap(({ name: age }) => {
      const ofAge = inCurrency.filter(({ since }) => bucketOf(ageOn(since, ageDay)) === age);
      return ofAge.length === 0 ? [] : [{ age, amount: formatUnits(sumOf(ofAge)) }];
    });
    return { id: 'custody-ages', currency, ages, oldest: { order: oldest.order_id, since: oldest.since } };
  });
}

const MOST_NAMED = 10;

/** Money whose payment state does not tell where it is. */
function unknownNotes(lines: readonly CustodySum[]): CustodyNote[] {
  return byCurrency(lines, (place) => place === 'unknown').map(({ currency, inCurrency }) => ({
    id: 'custody-unknown',
    currency,
    amount: formatUnits(sumOf(inCurrency)),
    // Orders in an unknown place are not summed: each has a line.
    count: inCurrency.length,
    orders: inCurrency.slice(0, MOST_NAMED).map(({ order_id }) => order_id),
  }));
}

function tieNote(tie: CustodyTie): CustodyNote {
  const steps = TIE_STEPS.flatMap((step) => (tie[step] === 0n ? [] : [{ step, amount: formatUnits(tie[step]) }]));
  const { not_invoiced, receivable, closing } = custodyFigures(tie);
  return {
    id: 'custody-tie',
    currency: tie.currency,
    notInvoiced: formatUnits(not_invoiced),
    receivable: formatUnits(receivable),
    steps,
    closing: formatUnits(closing),
  };
}
