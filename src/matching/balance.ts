/** What the courier owes at the end of a day, by item: an invoice, or a receipt that no invoice explains yet. */
import { compareText } from '../base/text.ts';
import type { Units } from '../money/units.ts';
import { outstandingOf } from './model.ts';

/**
 * A change of an item's net, of what was received of it, or of its agreed differences. An unallocated receipt is
 * `received` by its whole amount on its day, and by minus each share on the day on which an invoice takes the share.
 */
export interface ItemMovement {
  readonly kind: 'invoice' | 'unallocated';
  /** The invoice's number, or the receipt's id. */
  readonly id: number;
  /** The day of the invoice or the receipt. */
  readonly issued_on: string;
  /** The day from which it counts: `issued_on`, or if an invoice's month lacks that day, the month's first or last. */
  readonly booked: string;
  readonly currency: string;
  readonly date: string;
  /** `differences`: what was agreed not to be paid. */
  readonly part: 'net' | 'received' | 'differences';
  /** What is added to the part. */
  readonly amount: Units;
}

/** One currency of an item at the end of a day. */
export interface BalanceItem extends Pick<ItemMovement, 'kind' | 'id' | 'issued_on' | 'booked' | 'currency'> {
  readonly net: Units;
  readonly received: Units;
  readonly differences: Units;
  /** Net less received and differences; negative for a receipt, and if more was received than due. */
  readonly open: Units;
  /** What was received for an invoice after that day; 0 for a receipt. */
  readonly receivedSince: Units;
  /** The differences that were agreed after that day. */
  readonly settledSince: Units;
  /** What is open by all that is known now. */
  readonly openToday: Units;
}

/**
 * By how much an item changed after the day other than by receipts and settlements: its net was restated, a receipt
 * from before the day became known or was taken back, or a later invoice took the receipt. 100 open at the day, 20
 * received since and 70 open today: -10.
 */
export function restatedSince({ open, receivedSince, settledSince, openToday }: BalanceItem): Units {
  return openToday - open + receivedSince + settledSince;
}

export function itemKey({ kind, id, currency }: Pick<BalanceItem, 'kind' | 'id' | 'currency'>): string {
  return `${kind} ${id} ${currency}`;
}

/** Every item, open or not, as it was at the end of a day, the oldest first. */
export function itemsAt(movements: readonly ItemMovement[], day: string): BalanceItem[] {
  /** `item`: the first movement, for what all movements say of the item. */
  const sums = new Map<string, { item: ItemMovement; atDay: Parts; today: Parts }>();
  for (const movement of movements) {
    const key = itemKey(movement);
    const sum = sums.get(key) ?? { item: movement, atDay: noParts(), today: noParts() };
    sums.set(key, sum);
    sum.today[movement.part] += movement.amount;
    if (movement.date <= day) sum.atDay[movement.part] += movement.amount;
  }
  return [...sums.values()]
    .map(({ item: { kind, id, issued_on, booked, currency }, atDay, today }) => {
      const item = { kind, id, issued_on, booked, currency };
      // What an invoice takes of an unallocated receipt came in with that receipt: the receipt receives nothing later.
      const receivedSince = kind === 'invoice' ? today.received - atDay.received : 0n;
      const settledSince = today.differences - atDay.differences;
      return { ...item, ...atDay, open: openOf(atDay), receivedSince, settledSince, openToday: openOf(today) };
    })
    .sort(oldestItemFirst);
}

type Parts = Record<ItemMovement['part'], Units>;

function noParts(): Parts {
  return { net: 0n, received: 0n, differences: 0n };
}

function openOf({ net, received, differences }: Parts): Units {
  return outstandingOf({ net, matched: received, named: differences });
}

export function oldestItemFirst(a: BalanceItem, b: BalanceItem): number {
  return (
    compareText(a.issued_on, b.issued_on) ||
    compareText(a.kind, b.kind) ||
    a.id - b.id ||
    compareText(a.currency, b.currency)
  );
}
