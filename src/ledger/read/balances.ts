/** Roll-forwards: what the courier owed before a month, what moved it, and what it owed at the end. */
import { parseUnits, type Units } from '../../money/index.ts';
import { addMonths } from '../../period.ts';
import { readClosedFigures, readClosesInForce } from './closes.ts';
import { readInvoiceHistories } from './invoice-history.ts';
import { type ClosedMonth, type Movement, type MovementKind, movementsOf, type ReceivedMoney } from './movements.ts';
import type { LedgerReader } from './snapshot.ts';

/** What moves a balance, in the order in which a roll-forward shows it. */
export const FLOWS = {
  invoiced: ['invoiced'],
  restated: ['restated'],
  vanished: ['vanished', 'back'],
  received: ['received'],
  differences: ['difference'],
  already_paid: ['already-paid'],
  seen_paid: ['paid'],
} as const satisfies Readonly<Record<string, readonly MovementKind[]>>;

export type Flow = keyof typeof FLOWS;
export const FLOW_NAMES = Object.keys(FLOWS) as Flow[];

/** A month's roll-forward in one currency: the opening, each flow and the closing, which is their sum. */
export interface Balance extends Readonly<Record<Flow | 'opening' | 'closing', Units>> {
  readonly period: string;
  readonly currency: string;
  /** What of `restated` is no movement of the month: by how much the balances up to a close are otherwise by now. */
  readonly carried?: Units;
}

/**
 * The roll-forwards of some months, by month and currency; a currency that moved at any time has a line in each of them. A closed month
 * is as it was closed; the month after it opens with that closing balance, and whatever else its opening would be is restated in it. So
 * does the month before the first closed one end with what that one opened with.
 *
 * @param closed the closes that count; all in force where absent
 */
export async function readBalances(
  db: LedgerReader,
  months: readonly string[],
  received: ReceivedMoney,
  closed?: readonly ClosedMonth[],
): Promise<Balance[]> {
  const closes = closed ?? (await readClosesInForce(db));
  const histories = await readInvoiceHistories(db, months.at(-1)!);
  const movements = histories.flatMap((history) => movementsOf(history, received, closes));
  const frozen = await readFrozen(
    db,
    closes,
    new Set(months.flatMap((month) => [-1, 0, 1].map((by) => addMonths(month, by)))),
  );
  const moved = movements.map(({ currency }) => currency);
  const currencies = [...new Set([...moved, ...[...frozen.values()].flatMap((held) => [...held.keys()])])].sort();
  return months.flatMap((month) =>
    currencies.map((currency) => {
      const own = frozen.get(month);
      if (own) return own.get(currency) ?? nothing(month, currency);
      const [before, after] = [frozen.get(addMonths(month, -1)), frozen.get(addMonths(month, 1))];
      const balance = balanceOf(month, currency, movements);
      if (before) return openedWith(balance, before.get(currency)?.closing ?? 0n);
      return after ? endedWith(balance, after.get(currency)?.opening ?? 0n) : balance;
    }),
  );
}

/** What closed months froze, by month and currency. */
async function readFrozen(db: LedgerReader, closes: readonly ClosedMonth[], months: ReadonlySet<string>) {
  const frozen = new Map<string, Map<string, Balance>>();
  for (const { id, period } of closes) {
    if (!months.has(period)) continue;
    const held = new Map<string, Balance>();
    for (const { section, currency, figure, value } of await readClosedFigures(db, id)) {
      if (section !== 'roll-forward') continue;
      held.set(currency, { ...(held.get(currency) ?? nothing(period, currency)), [figure]: parseUnits(value) });
    }
    frozen.set(period, held);
  }
  return frozen;
}

function nothing(period: string, currency: string): Balance {
  const flows = Object.fromEntries(FLOW_NAMES.map((flow) => [flow, 0n])) as Record<Flow, Units>;
  return { period, currency, opening: 0n, ...flows, closing: 0n };
}

function openedWith(balance: Balance, opening: Units): Balance {
  const carried = balance.opening - opening;
  return carried === 0n ? balance : { ...balance, opening, restated: balance.restated + carried, carried };
}

function endedWith(balance: Balance, closing: Units): Balance {
  const carried = closing - balance.closing;
  return carried === 0n ? balance : { ...balance, restated: balance.restated + carried, closing, carried };
}

function balanceOf(period: string, currency: string, movements: readonly Movement[]): Balance {
  const sum = (fits: (movement: Movement) => boolean): Units =>
    movements.reduce((total, one) => (one.currency === currency && fits(one) ? total + one.amount : total), 0n);
  const monthOf = ({ date }: Movement) => date.slice(0, 7);
  const opening = sum((one) => monthOf(one) < period);
  const flows = Object.fromEntries(
    FLOW_NAMES.map((flow) => {
      const kinds: readonly MovementKind[] = FLOWS[flow];
      return [flow, sum((one) => monthOf(one) === period && kinds.includes(one.kind))];
    }),
  ) as Record<Flow, Units>;
  const closing = FLOW_NAMES.reduce((total, flow) => total + flows[flow], opening);
  return { period, currency, opening, ...flows, closing };
}
