/** Roll-forwards: what the courier owed before a month, what moved it, what it owed at the end; and control sums. */
import { sql } from 'kysely';
import { readSum } from '../../../money/sum.ts';
import { parseUnits, type Units } from '../../../money/units.ts';
import { chunks } from '../../chunks.ts';
import { INVOICE_AMOUNTS, isOneOf, sumText } from '../../sql.ts';
import { readClosedFigures } from '../closes/closes.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import type { CloseOfMonth, Movement, MovementKind } from './movements.ts';

/**
 * The lines of a roll-forward between opening and closing, in order, and the movements that each sums. `unallocated`:
 * receipts that no invoice explains yet. The last two are what the courier's Paid flag alone settled: `already_paid` if
 * it was set when the invoice was first seen, `seen_paid` if it was set later.
 */
export const FLOWS = {
  invoiced: ['invoiced'],
  restated: ['restated'],
  vanished: ['vanished', 'back'],
  received: ['received'],
  unallocated: ['unallocated'],
  differences: ['difference'],
  already_paid: ['already-paid'],
  seen_paid: ['paid'],
} as const satisfies Readonly<Record<string, readonly (MovementKind | 'unallocated')[]>>;

export type FlowName = keyof typeof FLOWS;

export const FLOW_NAMES = Object.keys(FLOWS) as FlowName[];

/**
 * A month's roll-forward in one currency: the opening, each flow and the closing, which is their sum. What the courier
 * owes is positive: opening 100.00, invoiced 40.00 and received -110.00 close at 30.00.
 */
export interface Balance extends Readonly<Record<FlowName | 'opening' | 'closing', Units>> {
  readonly period: string;
  readonly currency: string;
  /** The part of `restated` from earlier months: by how much their balances have changed since they were closed. */
  readonly carried?: Units;
}

/** A movement of an invoice, or of the receipts that no invoice explains yet. */
export interface BalanceMovement extends Pick<Movement, 'date' | 'currency' | 'amount'> {
  readonly kind: MovementKind | 'unallocated';
}

/** The roll-forward of a month in which nothing was owed and nothing moved. */
export function noBalance(period: string, currency: string): Balance {
  const flows = Object.fromEntries(FLOW_NAMES.map((flow) => [flow, 0n])) as Record<FlowName, Units>;
  return { period, currency, opening: 0n, ...flows, closing: 0n };
}

/** The flows that also show how earlier months' receipts and matches changed since the month before was closed. */
const OF_RECEIPTS: readonly FlowName[] = ['received', 'unallocated'];

/**
 * Sums movements to a month's roll-forward. If a close fixes the opening or the closing, any difference from the
 * movements goes into `restated`, unless it is about receipts and their matches.
 *
 * @param fixed `opening`: the closing that the month before froze, `closing`: the one that this month froze;
 * `knownBefore`: the movements as they were known when the month before was closed
 */
export function balanceOf(
  period: string,
  currency: string,
  movements: readonly BalanceMovement[],
  fixed: {
    readonly opening?: Units | undefined;
    readonly closing?: Units | undefined;
    readonly knownBefore?: readonly BalanceMovement[] | undefined;
  } = {},
): Balance {
  const sumOf = (moves: readonly BalanceMovement[], fits: (movement: BalanceMovement) => boolean): Units =>
    moves.reduce((total, move) => (move.currency === currency && fits(move) ? total + move.amount : total), 0n);
  const monthOf = ({ date }: BalanceMovement) => date.slice(0, 7);
  const flows = Object.fromEntries(
    FLOW_NAMES.map((flow) => {
      const kinds: readonly BalanceMovement['kind'][] = FLOWS[flow];
      const moved = sumOf(movements, (move) => monthOf(move) === period && kinds.includes(move.kind));
      if (!fixed.knownBefore || !OF_RECEIPTS.includes(flow)) return [flow, moved];
      // Also by how much the sum of earlier months has changed since the month before was closed.
      const isEarlier = (move: BalanceMovement) => monthOf(move) < period && kinds.includes(move.kind);
      return [flow, moved + sumOf(movements, isEarlier) - sumOf(fixed.knownBefore, isEarlier)];
    }),
  ) as Record<FlowName, Units>;
  const opening = fixed.opening ?? sumOf(movements, (move) => monthOf(move) < period);
  const closing = fixed.closing ?? sumOf(movements, (move) => monthOf(move) <= period);
  // The part of the closing that the opening and the flows do not explain.
  const carried = FLOW_NAMES.reduce((left, flow) => left - flows[flow], closing - opening);
  const balance = { period, currency, opening, ...flows, closing };
  return carried === 0n ? balance : { ...balance, restated: flows.restated + carried, carried };
}

/** The roll-forwards that closed months froze, by month and currency. */
export async function readFrozenBalances(db: LedgerReader, closes: readonly CloseOfMonth[]) {
  const frozen = new Map<string, Map<string, Balance>>();
  for (const { id, period } of closes) {
    const balances = new Map<string, Balance>();
    for (const { section, currency, figure, value } of await readClosedFigures(db, id)) {
      if (section !== 'roll-forward') continue;
      const balance = balances.get(currency) ?? noBalance(period, currency);
      balances.set(currency, { ...balance, [figure]: parseUnits(value) });
    }
    frozen.set(period, balances);
  }
  return frozen;
}

/** By currency: the nets of live invoices, the money received, and the agreed differences. */
export type BalanceSums = Readonly<Record<'stated' | 'received' | 'differences', ReadonlyMap<string, Units>>>;

/**
 * Control sums over all months of a courier: the database adds up what {@link balanceOf} sums movement by movement.
 *
 * @param receipts the courier's, which count whole; of any other receipt only the parts count that matches use
 */
export async function sqlBalanceSums(courierDb: LedgerReader, receipts: readonly number[]): Promise<BalanceSums> {
  const stated = await rowsOf<Sum>(courierDb)`
    select a.currency, ${sumText('a.net_due_to_merchant')} as amount
    from ${INVOICE_AMOUNTS}
    where i.vanished_at is null group by a.currency`;
  // `named`: an invoice's part of an agreed difference. `paid_currency`: the receipt's, if it is not the invoice's.
  const sumMatched = (column: 'amount' | 'named', parts: string, condition = sql`1 = 1`) =>
    rowsOf<Sum>(courierDb)`
      select m.currency, ${sumText(`s.${column}`)} as amount
      from receipt_match m join ${sql.table(parts)} s on s.match_id = m.id
      where m.removed_at is null and ${condition} group by m.currency`;
  const differences = await sumMatched('named', 'receipt_match_invoice');
  const used = await sumMatched('amount', 'receipt_match_receipt', sql`m.paid_currency is null`);
  // A receipt in another currency counts with its worth in the invoice's.
  const exchanged = await sumMatched('amount', 'receipt_match_invoice', sql`m.paid_currency is not null`);
  // First the parts of any receipt that matches use; then what is left of the courier's receipts.
  const received = [...used, ...exchanged];
  for (const ids of chunks(receipts)) {
    const fullAmounts = await rowsOf<Sum>(courierDb)`
      select r.currency, ${sumText('r.amount')} as amount
      from receipt r where ${isOneOf('r.id', ids)} group by r.currency`;
    // Taken off again, because the full amounts contain them.
    const matched = await rowsOf<Sum>(courierDb)`
      select r.currency, ${sumText(sql`-s.amount`)} as amount
      from receipt_match m
        join receipt_match_receipt s on s.match_id = m.id
        join receipt r on r.id = s.receipt_id
      where m.removed_at is null and ${isOneOf('s.receipt_id', ids)} group by r.currency`;
    received.push(...fullAmounts, ...matched);
  }
  return { stated: sumsOf(stated), received: sumsOf(received), differences: sumsOf(differences) };
}

interface Sum {
  readonly currency: string;
  readonly amount: string | null;
}

function sumsOf(rows: readonly Sum[]): Map<string, Units> {
  const sums = new Map<string, Units>();
  for (const { currency, amount } of rows) {
    sums.set(currency, (sums.get(currency) ?? 0n) + readSum(amount ?? '0', currency));
  }
  return sums;
}
