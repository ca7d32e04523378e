import type { Units } from '../../money/index.ts';
import { addMonths, lastDayOf } from '../../period.ts';
import type { PeriodCloseTable } from '../schema.ts';
import type { InvoiceHistory, VersionMoney } from './invoice-history.ts';

/**
 * What changed the balance that the courier owes on its invoices. `received` is money of receipts, `difference` what a person named; of
 * an invoice that is settled by the courier's word alone, `paid` is what was seen marked paid, and `already-paid` what was so when it
 * was first seen, so that nobody saw when: it is booked in the invoice's own month.
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

/** One movement, in one currency. */
export interface Movement {
  readonly kind: MovementKind;
  readonly number: number;
  /** The day that it is booked on, never before the invoice's own month. */
  readonly date: string;
  readonly currency: string;
  /** What it adds to the balance; negative takes off. */
  readonly amount: Units;
  /** The header's money of an invoice, or what a restatement, a vanishing or a return changes of it. */
  readonly money: VersionMoney;
  /** The evidence behind it; of money received, that of its match. */
  readonly evidence_id: number;
}

const NOTHING: VersionMoney = { cod: 0n, delivery_fee: 0n, net_due_to_merchant: 0n };

/** What one receipt brought to an invoice, or a difference that a person named on it. */
export interface InvoiceMoney {
  readonly kind: 'received' | 'difference';
  /** The receipt's day; of a difference that of the last receipt of its match. */
  readonly date: string;
  readonly currency: string;
  /** What it takes off the balance; negative where money was taken back. */
  readonly amount: Units;
  /** Of the match, and when it was made. */
  readonly evidence_id: number;
  readonly seen_at: string;
}

/** What receipts say of invoices. */
export interface ReceivedMoney {
  /** Whether receipts settle an invoice in a currency, and not the courier's word. */
  readonly settles: (invoice: Pick<InvoiceHistory, 'number' | 'issued_at'>, currency: string) => boolean;
  readonly of: (number: number) => readonly InvoiceMoney[];
}

/** A closed month: what becomes known after its close, by evidence, is booked in none of its days. */
export interface ClosedMonth {
  readonly id: number;
  readonly period: string;
}

/** A moment of the ledger's past: all that stood before a close. */
export type AtClose = Pick<PeriodCloseTable, 'id' | 'at'>;

/**
 * Every movement of an invoice, in the order in which it became known; then what receipts brought. Where receipts settle it, the
 * courier's word moves nothing: the same money is never counted twice. What became known after a month was closed books on the day that
 * it became known, and not in that month or one before it.
 */
export function movementsOf(
  history: InvoiceHistory,
  received: ReceivedMoney,
  closed: readonly ClosedMonth[] = [],
): Movement[] {
  return [...statedMovements(history, received, closed), ...receivedMovements(history, received, closed)];
}

/** The day on which something is booked: its own, or where that was closed when it became known, the day that it became known. */
export function dayToBook(
  day: string,
  known: { readonly evidence_id: number; readonly seen_at: string },
  closed: readonly ClosedMonth[],
): string {
  const last = closed
    .filter(({ id, period }) => id < known.evidence_id && day.slice(0, 7) <= period)
    .reduce((latest, { period }) => (period > latest ? period : latest), '');
  if (last === '') return day;
  // A clock that was set back must not book into a closed month either.
  const [seen, open] = [known.seen_at.slice(0, 10), `${addMonths(last, 1)}-01`];
  return seen > open ? seen : open;
}

/** Money never comes before what it pays: what was paid in advance is booked with the invoice. */
function receivedMovements(
  history: InvoiceHistory,
  received: ReceivedMoney,
  closed: readonly ClosedMonth[],
): Movement[] {
  const { number } = history;
  const booked = bookedOn(history);
  return received.of(number).map(({ kind, date, currency, amount, evidence_id, seen_at }) => {
    return {
      kind,
      number,
      date: dayToBook(date < booked ? booked : date, { evidence_id, seen_at }, closed),
      currency,
      amount: -amount,
      money: NOTHING,
      evidence_id,
    };
  });
}

function statedMovements(
  history: InvoiceHistory,
  { settles }: ReceivedMoney,
  closed: readonly ClosedMonth[],
): Movement[] {
  const { number, period, events } = history;
  const movements: Movement[] = [];
  const issued = bookedOn(history);
  let held: ReadonlyMap<string, VersionMoney> = new Map();
  let paid: ReadonlyMap<string, Units> | null = null;
  let isPresent = true;
  let versions = 0;
  let statuses = 0;
  for (const event of events) {
    const { evidence_id } = event;
    const seen = event.seen_at.slice(0, 10);
    const date = seen < issued ? issued : seen;
    const book = (kind: MovementKind, currency: string, amount: Units, money: VersionMoney, on = date) => {
      if (amount === 0n && Object.values(money).every((units) => units === 0n)) return;
      movements.push({ kind, number, date: dayToBook(on, event, closed), currency, amount, money, evidence_id });
    };
    if (event.what === 'version') {
      versions += 1;
      for (const currency of new Set([...held.keys(), ...event.money.keys()])) {
        const moved = minus(event.money.get(currency) ?? NOTHING, held.get(currency) ?? NOTHING);
        if (versions === 1) book('invoiced', currency, moved.net_due_to_merchant, moved, issued);
        else if (isPresent) book('restated', currency, moved.net_due_to_merchant, moved);
      }
      held = event.money;
    } else if (event.what === 'status') {
      statuses += 1;
      const isFirst = statuses === 1;
      if (event.status === 'PAID' && paid === null) {
        paid = new Map([...held].map(([currency, money]) => [currency, money.net_due_to_merchant]));
        const [kind, on] = isFirst ? (['already-paid', lastDayOf(period)] as const) : (['paid', date] as const);
        for (const [currency, net] of paid) if (!settles(history, currency)) book(kind, currency, -net, NOTHING, on);
      } else if (event.status !== 'PAID' && paid !== null) {
        for (const [currency, net] of paid) if (!settles(history, currency)) book('paid', currency, net, NOTHING);
        paid = null;
      }
    } else if (event.present !== isPresent) {
      isPresent = event.present;
      for (const [currency, money] of held) {
        const gone = event.present ? money : minus(NOTHING, money);
        book(event.present ? 'back' : 'vanished', currency, gone.net_due_to_merchant, gone);
      }
    }
  }
  return movements;
}

function minus(a: VersionMoney, b: VersionMoney): VersionMoney {
  return {
    cod: a.cod - b.cod,
    delivery_fee: a.delivery_fee - b.delivery_fee,
    net_due_to_merchant: a.net_due_to_merchant - b.net_due_to_merchant,
  };
}

/** The day on which an invoice is booked: its own, within its month. The courier's list has some in another month than their date says. */
export function bookedOn({ issued_at, period }: Pick<InvoiceHistory, 'issued_at' | 'period'>): string {
  const day = issued_at.slice(0, 10);
  if (day.slice(0, 7) === period) return day;
  return day < period ? `${period}-01` : lastDayOf(period);
}
