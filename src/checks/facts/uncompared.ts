import { readUncomparedRows, type UncomparedRow } from '../../ledger/queries/rows/row-differences.ts';
import type { ExactDecimal } from '../../money/decimal.ts';
import type { CheckContext, GoneMismatch, NotComparable } from '../check.ts';
import type { Lacking } from '../requirement.ts';

/** Why an invoice's row cannot be compared with the order's record. */
export type UncomparedSentence =
  | { id: 'order-book-older-than-invoice' }
  | { id: 'order-book-older-and-lacks-order' }
  | { id: 'order-record-unreadable' };

/** The money of an invoice's row, in one currency, that could not be compared with our records. */
export interface UncomparedAmount {
  /** The row, by invoice and position. */
  readonly row: string;
  readonly period: string;
  readonly currency: string;
  /** Its part of the bridge's step, from the courier's figure to ours. */
  readonly effect: ExactDecimal;
  /** Its COD and its fee added up, without their signs. */
  readonly amount: ExactDecimal;
  readonly lacking: Lacking;
}

/**
 * The rows that cannot be compared with the order book, because their invoice is newer, or the order's record absent or
 * unreadable. None if there is no order book at all: then no row is compared with anything.
 */
export function uncomparedRows({ db, periods, sources, facts }: CheckContext): Promise<readonly UncomparedRow[]> {
  return facts.once('uncompared', async () =>
    sources.book.hasOrders ? readUncomparedRows(db, periods, sources.book.lastWholeWalk) : [],
  );
}

const WHY: Readonly<Record<UncomparedRow['why'], Lacking<UncomparedSentence>>> = {
  older: { why: { id: 'order-book-older-than-invoice' }, commands: ['remit sync --orders'] },
  absent: { why: { id: 'order-book-older-and-lacks-order' }, commands: ['remit sync --orders'] },
  unread: { why: { id: 'order-record-unreadable' }, commands: [] },
};

/** Why a row cannot be compared, and the command that mends it. */
export function lackingOf({ why }: UncomparedRow): Lacking<UncomparedSentence> {
  return WHY[why];
}

/** The reasons why these rows could not be compared, each with the number of rows, for a check's coverage. */
export function whyUncompared(rows: readonly UncomparedRow[]): NotComparable[] {
  return (['older', 'absent', 'unread'] as const).flatMap((why) => {
    const count = rows.filter((row) => row.why === why).length;
    return count === 0 ? [] : { ...WHY[why], count };
  });
}

/** The ids of mismatches that were not found again and stay as they are, because their row cannot be compared now. */
export async function unseenRows(
  context: CheckContext,
  gone: readonly { id: string; invoice_number: number | null; order_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const rows = new Set((await uncomparedRows(context)).map(({ number, order_id }) => `${number} ${order_id}`));
  return new Set(
    gone.filter(({ invoice_number, order_id }) => rows.has(`${invoice_number} ${order_id}`)).map(({ id }) => id),
  );
}

/** As `unseenRows`, only for mismatches that the order's record alone shows: what a row states can be read again. */
export function unseenRecords(context: CheckContext, gone: readonly GoneMismatch[]): Promise<ReadonlySet<string>> {
  const onRecords = gone.filter(({ sentence }) => (JSON.parse(sentence) as { byRecord?: boolean }).byRecord === true);
  return unseenRows(context, onRecords);
}
