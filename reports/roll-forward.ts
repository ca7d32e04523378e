import { type LedgerReader, monthsHeld, readInvoiceHistories, readListings } from '../src/ledger/read/index.ts';
import { amountOfUnits, formatAmount, type Units } from '../src/money/index.ts';
import { addMonths } from '../src/period.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { type Movement, type MovementKind, movementsOf } from './movements.ts';
import { syncedMonths } from './synced.ts';

const FLOWS = [
  { name: 'invoiced', title: 'Invoiced', kinds: ['invoiced'] },
  { name: 'restated', title: 'Restated', kinds: ['restated'] },
  { name: 'vanished', title: 'Vanished, back', kinds: ['vanished', 'back'] },
  { name: 'already_paid', title: 'Paid when first seen', kinds: ['already-paid'] },
  { name: 'seen_paid', title: 'Seen paid', kinds: ['paid'] },
] as const satisfies readonly { name: string; title: string; kinds: readonly MovementKind[] }[];

const COLUMNS: readonly Column[] = [
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'opening', title: 'Opening balance due', type: 'money' },
  ...FLOWS.map(({ name, title }): Column => ({ name, title, type: 'money' })),
  { name: 'closing', title: 'Closing balance due', type: 'money' },
];

/**
 * What the courier owed at the start of each month, what moved it, and what it owed at the end. Every month is computed from the same
 * movements, so that its opening is the closing of the month before, to the last digit.
 */
export async function rollForward({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const histories = await readInvoiceHistories(db, months.at(-1)!);
  const movements = histories.flatMap(movementsOf);
  const unknownBefore = await sayUnknownBefore(db, months[0]!);
  const currencies = [...new Set(movements.map(({ currency }) => currency))].sort();
  const rows = months
    .flatMap((month) => currencies.map((currency) => rowOf(month, currency, movements)))
    .filter((row) => fits(row, filters));
  return {
    report: 'roll-forward',
    title: 'Roll-forward',
    period,
    columns: COLUMNS,
    rows,
    totals: () => [],
    notes: () => [
      'Received is by the courier’s word, not by receipts: an invoice counts as paid in the month in which it was first seen marked paid, and in its own month where it was so when first seen.',
      ...unknownBefore,
      ...notes,
    ],
  };
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

function rowOf(month: string, currency: string, movements: readonly Movement[]): Row {
  const sum = (fits: (movement: Movement) => boolean): Units =>
    movements.reduce((total, one) => (one.currency === currency && fits(one) ? total + one.amount : total), 0n);
  const monthOf = ({ date }: Movement) => date.slice(0, 7);
  const opening = sum((one) => monthOf(one) < month);
  const flows = FLOWS.map(({ name, kinds }) => {
    const named: readonly MovementKind[] = kinds;
    return [name, sum((one) => monthOf(one) === month && named.includes(one.kind))] as const;
  });
  const closing = flows.reduce((total, [, amount]) => total + amount, opening);
  const text = (units: Units) => formatAmount(amountOfUnits(units));
  return {
    period: month,
    currency,
    opening: text(opening),
    ...Object.fromEntries(flows.map(([name, amount]) => [name, text(amount)])),
    closing: text(closing),
  };
}
