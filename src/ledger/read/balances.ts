/** Roll-forwards: what the courier owed before a month, what moved it, and what it owed at the end. */
import type { Units } from '../../money/index.ts';
import { readInvoiceHistories } from './invoice-history.ts';
import { type Movement, type MovementKind, movementsOf, type ReceivedMoney } from './movements.ts';
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
}

/** The roll-forwards of some months, by month and currency; a currency that moved at any time has a line in each of them. */
export async function readBalances(
  db: LedgerReader,
  months: readonly string[],
  received: ReceivedMoney,
): Promise<Balance[]> {
  const histories = await readInvoiceHistories(db, months.at(-1)!);
  const movements = histories.flatMap((history) => movementsOf(history, received));
  const currencies = [...new Set(movements.map(({ currency }) => currency))].sort();
  return months.flatMap((month) => currencies.map((currency) => balanceOf(month, currency, movements)));
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
