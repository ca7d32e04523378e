import type { Units } from '../../money/index.ts';
import { lastDayOf } from '../../period.ts';
import type { InvoiceHistory, VersionMoney } from './invoice-history.ts';

/**
 * What changed the balance that the courier owes on its invoices. `already-paid`: an invoice that was paid when it was first seen, so
 * that nobody saw when; it is booked in the invoice's own month.
 */
export type MovementKind = 'invoiced' | 'restated' | 'already-paid' | 'paid' | 'vanished' | 'back';

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
  /** The evidence behind it. */
  readonly evidence_id: number;
}

const NOTHING: VersionMoney = { cod: 0n, delivery_fee: 0n, net_due_to_merchant: 0n };

/** Every movement of an invoice, in the order in which it became known. */
export function movementsOf({ number, period, issued_at, events }: InvoiceHistory): Movement[] {
  const movements: Movement[] = [];
  const issued = within(issued_at.slice(0, 10), period);
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
      movements.push({ kind, number, date: on, currency, amount, money, evidence_id });
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
        for (const [currency, net] of paid) book(kind, currency, -net, NOTHING, on);
      } else if (event.status !== 'PAID' && paid !== null) {
        for (const [currency, net] of paid) book('paid', currency, net, NOTHING);
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

/** A day within a month: the courier's list has some invoices in another month than their own date says. */
function within(day: string, period: string): string {
  if (day.slice(0, 7) === period) return day;
  return day < period ? `${period}-01` : lastDayOf(period);
}
