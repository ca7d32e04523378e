/** The movements of the balance that the courier owes on its invoices. */
import { addMonths, lastDayOf } from '../../../base/period.ts';
import { eachField, MONEY_FIELDS } from '../../../money/fields.ts';
import type { Units } from '../../../money/units.ts';
import type { PeriodCloseTable } from '../../schema.ts';
import type { InvoiceHistory, Known, VersionMoney } from '../invoices/history.ts';

/**
 * What changed the balance that the courier owes on its invoices. `received` is money from receipts, `difference` an
 * agreed difference. If only the courier's Paid flag settles an invoice, `paid` means that a sync saw the flag change,
 * and `already-paid` that it was set when the invoice was first seen. Both are booked on the day of the sync that
 * showed it; a settlement sheet's payout that was already paid when first seen is booked on its own date. `vanished`
 * means that no list has the invoice any more, and `back` that one has it again.
 */
export type MovementKind =
  | 'invoiced'
  | 'restated'
  | 'received'
  | 'difference'
  | 'already-paid'
  | 'paid'
  | 'vanished'
  | 'back';

export interface Movement {
  readonly kind: MovementKind;
  readonly number: number;
  /** The day that it is booked on, never before the invoice's own month. */
  readonly date: string;
  readonly currency: string;
  /** What it adds to the balance; negative reduces it. */
  readonly amount: Units;
  /** The money of the invoice's header, or the change of it. */
  readonly money: VersionMoney;
  /** The evidence behind it; for received money, that of its match. */
  readonly evidence_id: number;
  /** Only of `paid`: the invoice is no longer marked as paid. */
  readonly isUnmarked?: true;
}

const ZERO: VersionMoney = eachField(MONEY_FIELDS, () => 0n);

/** The part of an invoice that one receipt paid, or a difference that was agreed on it. */
export interface InvoiceMoney {
  readonly kind: 'received' | 'difference';
  /** The receipt's day; for a difference the day on which it was decided. */
  readonly date: string;
  readonly currency: string;
  /** What it takes off the balance; negative if money was returned. */
  readonly amount: Units;
  /** The match's evidence, and the day on which it was made. */
  readonly evidence_id: number;
  readonly seen_on: string;
}

export interface ReceivedMoney {
  /** Whether receipts, and not the courier's Paid flag, settle an invoice in a currency. */
  readonly settles: (invoice: Pick<InvoiceHistory, 'number' | 'issued_on'>, currency: string) => boolean;
  /** What was received for an invoice, and the differences that were agreed on it. */
  readonly of: (number: number) => readonly InvoiceMoney[];
  /** The courier's receipts, and those that a match uses. */
  readonly receipts: readonly CourierReceipt[];
}

/** A receipt from the courier, and the parts of it that pay invoices. */
export interface CourierReceipt extends Known {
  readonly receipt: number;
  readonly date: string;
  readonly currency: string;
  /** Negative if money was taken back. If only a match makes the receipt the courier's, the part that matches use. */
  readonly amount: Units;
  readonly shares: readonly MatchedShare[];
}

/** The part of a receipt that one match gives to one invoice. */
export interface MatchedShare extends Known {
  readonly match: number;
  readonly number: number;
  /** In the receipt's currency. */
  readonly amount: Units;
  /** What it is worth in the invoice's currency, if that is another one. */
  readonly worth?: { readonly currency: string; readonly amount: Units } | undefined;
  /** The day on which the invoice is booked. */
  readonly booked: string;
}

/** A closed month: nothing that becomes known after its close is booked on one of its days. */
export interface CloseOfMonth {
  /** The evidence of its close. */
  readonly id: number;
  readonly period: string;
}

/** The moment of a close: evidence with an id smaller than `id` was known by then. */
export type AtClose = Pick<PeriodCloseTable, 'id' | 'at'>;

/**
 * Every movement of an invoice, in the order in which it became known, and then those of its receipts. If receipts
 * settle the invoice, the courier's Paid flag moves nothing, so that no money is counted twice. What becomes known
 * after a month was closed is booked on the day on which it becomes known, not in that month or an earlier one.
 *
 * @param ofRows also gives restatements of rows alone, which move no amount
 */
export function movementsOf(
  history: InvoiceHistory,
  received: ReceivedMoney,
  closed: readonly CloseOfMonth[] = [],
  { ofRows = false }: { readonly ofRows?: boolean } = {},
): Movement[] {
  return [...invoiceMovements(history, received, closed, ofRows), ...receivedMovements(history, received, closed)];
}

/** The amounts of an invoice that the courier's Paid flag settled, by currency: see {@link MovementKind}. */
export function paidByFlag(history: InvoiceHistory, received: Pick<ReceivedMoney, 'settles' | 'of'>) {
  const paid = new Map<string, Units>();
  if (!history.events.some((event) => event.what === 'status' && event.status === 'PAID')) return paid;
  for (const { kind, currency, amount } of invoiceMovements(history, received, [])) {
    if (kind === 'paid' || kind === 'already-paid') paid.set(currency, (paid.get(currency) ?? 0n) - amount);
  }
  return paid;
}

/** The day on which something is booked: its own, or if that month was closed by then, the day it became known. */
export function dayToBook(day: string, known: Known, closed: readonly CloseOfMonth[]): string {
  const lastMonth = closed
    .filter(({ id, period }) => id < known.evidence_id && day.slice(0, 7) <= period)
    .reduce((latest, { period }) => (period > latest ? period : latest), '');
  if (lastMonth === '') return day;
  // A clock that was set back must not book into a closed month either.
  const firstOpenDay = `${addMonths(lastMonth, 1)}-01`;
  return known.seen_on > firstOpenDay ? known.seen_on : firstOpenDay;
}

/** The day of a share: the receipt's, but not before the invoice, so that an advance payment counts with that. */
function dayOfShare(receiptDay: string, invoiceDay: string): string {
  return receiptDay < invoiceDay ? invoiceDay : receiptDay;
}

/** A receipt, dated by the day on which it is booked, like each of its shares. */
export interface BookedReceipt extends CourierReceipt {
  /** `isLate`: it is of a month that was closed before it was matched, and so is booked later. */
  readonly shares: readonly (MatchedShare & { readonly date: string; readonly isLate: boolean })[];
}

export function bookReceipt(receipt: CourierReceipt, closed: readonly CloseOfMonth[]): BookedReceipt {
  return {
    ...receipt,
    date: dayToBook(receipt.date, receipt, closed),
    shares: receipt.shares.map((share) => {
      const day = dayOfShare(receipt.date, share.booked);
      const date = dayToBook(day, share, closed);
      return { ...share, date, isLate: date !== day };
    }),
  };
}

/**
 * A receipt is unallocated from its day on, and each share of it only until the share is booked: 100.00 that comes in
 * moves -100.00 on its day, and 60.00 on the day on which an invoice gets 60.00 of it.
 */
export function unallocatedMovements(receipts: readonly CourierReceipt[], closed: readonly CloseOfMonth[] = []) {
  return receipts.flatMap((courierReceipt) => {
    const { receipt, currency, date, amount, shares } = bookReceipt(courierReceipt, closed);
    const movedByDay = new Map<string, Units>([[date, -amount]]);
    for (const share of shares) movedByDay.set(share.date, (movedByDay.get(share.date) ?? 0n) + share.amount);
    const moves = [...movedByDay].filter(([, moved]) => moved !== 0n);
    return moves.map(([day, moved]) => ({ receipt, date: day, currency, amount: moved }));
  });
}

function receivedMovements(history: InvoiceHistory, received: ReceivedMoney, closed: readonly CloseOfMonth[]) {
  const { number } = history;
  const booked = bookedOn(history);
  return received.of(number).map((money) => {
    const { kind, currency, evidence_id } = money;
    const date = dayToBook(dayOfShare(money.date, booked), money, closed);
    return { kind, number, date, currency, amount: -money.amount, money: ZERO, evidence_id };
  });
}

/** The movements that the invoice's versions, statuses and presence give, event by event. */
function invoiceMovements(
  history: InvoiceHistory,
  { settles, of }: Pick<ReceivedMoney, 'settles' | 'of'>,
  closed: readonly CloseOfMonth[],
  ofRows = false,
): Movement[] {
  const { number, events } = history;
  const movements: Movement[] = [];
  const issued = bookedOn(history);
  /** The money of the last version so far, by currency. */
  let header: ReadonlyMap<string, VersionMoney> = new Map();
  /** What the Paid flag settled; null while the invoice is not marked as paid. */
  let settledByFlag: ReadonlyMap<string, Units> | null = null;
  let isPresent = true;
  let versions = 0;
  let statuses = 0;
  // What an agreed difference had settled before an invoice was marked paid was not paid by the flag.
  const settledBefore = (currency: string, id: number): Units =>
    of(number)
      .filter((money) => money.kind === 'difference' && money.currency === currency && money.evidence_id < id)
      .reduce((sum, { amount }) => sum + amount, 0n);
  for (const event of events) {
    const { evidence_id, seen_on } = event;
    const date = seen_on < issued ? issued : seen_on;
    /** @param amount what it adds to the balance @param money the change of the header */
    const book = (
      kind: MovementKind,
      currency: string,
      amount: Units,
      money: VersionMoney,
      { day = date, ...unmarked }: { readonly day?: string; readonly isUnmarked?: true } = {},
    ) => {
      const isNothing = amount === 0n && Object.values(money).every((units) => units === 0n);
      if (isNothing && !(ofRows && kind === 'restated')) return;
      const bookingDay = dayToBook(day, event, closed);
      movements.push({ kind, number, date: bookingDay, currency, amount, money, evidence_id, ...unmarked });
    };
    if (event.what === 'version') {
      versions += 1;
      for (const currency of new Set([...header.keys(), ...event.money.keys()])) {
        const moved = minus(event.money.get(currency) ?? ZERO, header.get(currency) ?? ZERO);
        if (versions === 1) book('invoiced', currency, moved.net_due_to_merchant, moved, { day: issued });
        // A version of a vanished invoice moves nothing until the invoice is back.
        else if (isPresent) book('restated', currency, moved.net_due_to_merchant, moved);
      }
      header = event.money;
    } else if (event.what === 'status') {
      statuses += 1;
      const isFirst = statuses === 1;
      const isPaid = event.status === 'PAID';
      const wasPaid: boolean = settledByFlag !== null;
      if (isPaid === wasPaid) continue;
      const netsToSettle = [...header].map(([currency, { net_due_to_merchant: net }]): [string, Units] => {
        return [currency, net - settledBefore(currency, evidence_id)];
      });
      const settled: ReadonlyMap<string, Units> = settledByFlag ?? new Map(netsToSettle);
      settledByFlag = isPaid ? settled : null;
      const paidOn = isFirst && history.isPayout ? issued : date;
      for (const [currency, amount] of settled) {
        if (settles(history, currency)) continue;
        if (isPaid) book(isFirst ? 'already-paid' : 'paid', currency, -amount, ZERO, { day: paidOn });
        // No longer marked as paid: all that the flag had settled is owed again.
        else book('paid', currency, amount, ZERO, { isUnmarked: true });
      }
    } else if (event.present !== isPresent) {
      isPresent = event.present;
      for (const [currency, money] of header) {
        const moved = event.present ? money : minus(ZERO, money);
        book(event.present ? 'back' : 'vanished', currency, moved.net_due_to_merchant, moved);
      }
    }
  }
  return movements;
}

function minus(a: VersionMoney, b: VersionMoney): VersionMoney {
  return eachField(MONEY_FIELDS, (field) => a[field] - b[field]);
}

/** The day on which an invoice is booked: its date, or if that is outside its month, the month's first or last day. */
export function bookedOn({ issued_on: day, period }: Pick<InvoiceHistory, 'issued_on' | 'period'>): string {
  if (day.slice(0, 7) === period) return day;
  return day < period ? `${period}-01` : lastDayOf(period);
}
