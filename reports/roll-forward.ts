import { receivedMoney } from '../src/checks/receipts/flows.ts';
import { readSettlements } from '../src/checks/receipts/settlements.ts';
import {
  type Balance,
  FLOW_NAMES,
  type Flow,
  type LedgerReader,
  monthsHeld,
  readBalances,
  readListings,
} from '../src/ledger/read/index.ts';
import { amountOfUnits, formatAmount } from '../src/money/index.ts';
import { addMonths } from '../src/period.ts';
import { sayClosed } from './closed.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { SETTLED_TITLES } from './settled.ts';
import { syncedMonths } from './synced.ts';

const TITLES: Readonly<Record<Flow, string>> = {
  invoiced: 'Invoiced',
  restated: 'Restated',
  vanished: 'Vanished, back',
  received: SETTLED_TITLES.received,
  differences: SETTLED_TITLES.differences,
  already_paid: 'Paid when first seen',
  seen_paid: 'Seen paid',
};

const COLUMNS: readonly Column[] = [
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'opening', title: 'Opening balance due', type: 'money' },
  ...FLOW_NAMES.map((name): Column => ({ name, title: TITLES[name], type: 'money' })),
  { name: 'closing', title: 'Closing balance due', type: 'money' },
];

/**
 * What the courier owed at the start of each month, what moved it, and what it owed at the end. Every month is computed from the same
 * movements, so that its opening is the closing of the month before, to the last digit.
 */
export async function rollForward({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const closed = await sayClosed(db, months, true);
  const unknownBefore = await sayUnknownBefore(db, months[0]!);
  const received = receivedMoney(await readSettlements(db, settings));
  const held = await readBalances(db, months, received);
  const balances = held.filter(({ currency }) => fits({ currency }, filters));
  const rows = balances.map(rowOf);
  return {
    report: 'roll-forward',
    title: 'Roll-forward',
    period,
    columns: COLUMNS,
    rows,
    totals: () => [],
    notes: () => [...sayReceived(balances), ...closed, ...sayCarried(balances), ...unknownBefore, ...notes],
  };
}

/** By what the balances know that money came in. */
function sayReceived(balances: readonly Balance[]): string[] {
  const moved = (...flows: Flow[]) => balances.some((balance) => flows.some((flow) => balance[flow] !== 0n));
  const receipts = moved('received')
    ? [
        'Received is what matched receipts brought, on their own days; the courier’s word moves nothing of an invoice that receipts settle.',
      ]
    : [];
  if (moved('received') && !moved('seen_paid', 'already_paid')) return receipts;
  const what = moved('received') ? 'Of invoices that no receipts settle, seen paid' : 'Received';
  return [
    ...receipts,
    `${what} is by the courier’s word, not by receipts: an invoice counts as paid in the month in which it was first seen marked paid, and in its own month where it was so when first seen.`,
  ];
}

/** What became otherwise in months that are closed, where it is not an event of its own day. */
function sayCarried(balances: readonly Balance[]): string[] {
  return balances.flatMap(({ period, currency, carried }) =>
    carried === undefined
      ? []
      : [
          `Restated in ${period} holds ${formatAmount(amountOfUnits(carried))} ${currency} that became otherwise in closed months or before them, which stay as they were closed: where receipts take the place of the courier’s word, what they brought stands against it under Received.`,
        ],
  );
}

/** What an opening balance cannot hold: the months before it that were never synced, between those that were. */
async function sayUnknownBefore(db: LedgerReader, first: string): Promise<string[]> {
  const held = (await monthsHeld(db)).filter((month) => month < first);
  if (held.length === 0)
    return [`The ledger holds no month before ${first}: what was owed then is in no opening balance.`];
  const all: string[] = [];
  for (let month = held[0]!; month < first; month = addMonths(month, 1)) all.push(month);
  const synced = new Set((await readListings(db, all)).map(({ period }) => period));
  const never = all.filter((month) => !synced.has(month));
  const since = `Opening balances begin with ${held[0]}, the first month that the ledger holds.`;
  return never.length === 0 ? [since] : [since, `Never synced, and in no opening balance: ${never.join(', ')}.`];
}

const FIGURES = ['opening', ...FLOW_NAMES, 'closing'] as const;

function rowOf(balance: Balance): Row {
  const { period, currency } = balance;
  const figures = FIGURES.map((figure) => [figure, formatAmount(amountOfUnits(balance[figure]))]);
  return { period, currency, ...Object.fromEntries(figures) };
}
