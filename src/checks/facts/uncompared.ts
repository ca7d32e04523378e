import { readUncomparedRows, type UncomparedRow } from '../../ledger/queries/rows/off-record.ts';
import type { ExactDecimal } from '../../money/decimal.ts';
import type { CheckContext, Gone, NotComparable } from '../check.ts';
import type { Lacking } from '../remedy.ts';

/** Why an invoice's row cannot be compared with the order's own record. */
export type UncomparedSentence =
  | { id: 'order-book-older-than-invoice' }
  | { id: 'order-book-older-and-lacks-order' }
  | { id: 'order-record-unreadable' };

/** The money of an invoice's row, in one currency, that could not be compared with our side. */
export interface RowNotCompared {
  /** The row, by invoice and position. */
  readonly row: string;
  readonly period: string;
  readonly currency: string;
  /** What it takes on the way from the courier's figure to ours. */
  readonly effect: ExactDecimal;
  /** The COD and the fee in it, whatever their signs. */
  readonly amount: ExactDecimal;
  readonly lacking: Lacking;
}

/**
 * The rows of these months' invoices that cannot be compared with the order book: those of invoices newer than the book. None where
 * there is no order book at all: then no row is compared with anything.
 */
export function uncomparedRows({ db, periods, sources, facts }: CheckContext): Promise<readonly UncomparedRow[]> {
  return facts.once('uncompared', async () =>
    sources.book.hasOrders ? readUncomparedRows(db, periods, sources.book.whole) : [],
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

/** The same as a check's coverage says it. */
export function whyUncompared(rows: readonly UncomparedRow[]): NotComparable[] {
  return (['older', 'absent', 'unread'] as const).flatMap((why) => {
    const count = rows.filter((row) => row.why === why).length;
    return count === 0 ? [] : { ...WHY[why], count };
  });
}

/** Those of some mismatches about an invoice's row that could not be looked at, because the row cannot be compared now. */
export async function unseenRows(
  context: CheckContext,
  gone: readonly { id: string; invoice_number: number | null; order_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const rows = new Set((await uncomparedRows(context)).map(({ number, order_id }) => `${number} ${order_id}`));
  return new Set(
    gone.filter(({ invoice_number, order_id }) => rows.has(`${invoice_number} ${order_id}`)).map(({ id }) => id),
  );
}

/** Of some mismatches those about such a row that rest on the order's record: what a row itself states is seen with every newer detail. */
export function unseenRecords(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>> {
  return unseenRows(context, gone.filter(restsOnRecord));
}

/** Whether a mismatch's sentence says that the order's record alone shows it. */
function restsOnRecord({ sentence }: Gone): boolean {
  return (JSON.parse(sentence) as { readonly byRecord?: boolean }).byRecord === true;
}
