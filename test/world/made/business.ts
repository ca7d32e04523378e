import { at, DAY, dayText } from './days.ts';
import type { Dice } from './dice.ts';
import type { Invoice, Order, Outcome } from './model.ts';
import { Purse } from './money.ts';
import { agreed, DISTRICTS } from './prices.ts';

const FIRST = '2026-08-03';
const WEEKS = 12;
/** Invoices from here on are not paid yet. */
const UNPAID_FROM = '2026-11-02';

/** Three months of business on which courier, shop and rate card agree. */
export function business(count: number, dice: Dice): { orders: Order[]; invoices: Invoice[] } {
  const orders: Order[] = [];
  for (let index = 0; index < count; index += 1) orders.push(order(index, count, dice));
  const invoices = bill(orders, Math.max(6, Math.round(count / 350)), dice);
  return { orders, invoices };
}

export function order(index: number, count: number, dice: Dice, forced: Partial<Order> = {}): Order {
  const created = at(FIRST, 7) + Math.floor((index * (WEEKS * 7 + 2)) / count) * DAY;
  const chance = dice.roll();
  const outcome: Outcome =
    forced.outcome ??
    (chance < 0.9 ? 'delivered' : chance < 0.96 ? 'returned' : chance < 0.985 ? 'cancelled' : 'on the road');
  const ended = created + dice.whole(1, 4) * DAY + 3 * 3_600_000;
  const workflow = dice.chance(0.04) ? 'RETURN' : 'STANDARD';
  const district = forced.district ?? dice.one(DISTRICTS);
  const asked = forced.asked ?? askedFor(workflow, dice);
  const isCollected = outcome !== 'returned' && outcome !== 'cancelled';
  const reference = `SO-${String(index + 1).padStart(6, '0')}`;
  return {
    id: `W${(index + 1).toString(36).toUpperCase().padStart(7, '0')}`,
    reference,
    workflow,
    district,
    location: dice.whole(1, 2),
    packages: dice.whole(1, 3),
    created,
    outcome,
    ended,
    asked,
    cod: isCollected ? asked.copy() : new Purse(),
    fee:
      outcome === 'cancelled'
        ? new Purse()
        : agreed(workflow, district, outcome === 'delivered' ? ended : nextBill(ended)),
    rowCod: null,
    rowFee: null,
    rowState: null,
    rowPayment: null,
    invoice: null,
    link: undefined,
    own: { reference: dice.chance(0.05) ? `#${reference.toLowerCase()}` : reference, cod: asked.copy() },
    later: null,
    isUnknown: false,
    ...forced,
  };
}

function askedFor(workflow: string, dice: Dice): Purse {
  if (workflow === 'RETURN')
    return dice.chance(0.5) ? Purse.of([['USD', -BigInt(dice.whole(500, 9_000))]]) : new Purse();
  const dollars = (): readonly [string, bigint] => ['USD', BigInt(dice.whole(700, 25_000))];
  const pounds = (): readonly [string, bigint] => ['LBP', BigInt(dice.whole(40, 2_000)) * 1_000_000n];
  const chance = dice.roll();
  if (chance < 0.6) return Purse.of([dollars()]);
  if (chance < 0.8) return Purse.of([dollars(), pounds()]);
  if (chance < 0.93) return Purse.of([pounds()]);
  if (chance < 0.96) return Purse.of([['EUR', BigInt(dice.whole(700, 20_000))]]);
  return new Purse();
}

/** The Monday on which what ended on a day is billed. */
function nextBill(ended: number): number {
  const monday = at(dayText(ended), 8);
  const days = (8 - new Date(monday).getUTCDay()) % 7 || 7;
  return monday + days * DAY;
}

/** Every Monday what was delivered or came back is billed, on several invoices. */
function bill(orders: readonly Order[], most: number, dice: Dice): Invoice[] {
  const weeks = new Map<number, Order[]>();
  for (const one of orders) {
    if (one.outcome !== 'delivered' && one.outcome !== 'returned') continue;
    const day = nextBill(one.ended);
    weeks.set(day, [...(weeks.get(day) ?? []), one]);
  }
  const invoices: Invoice[] = [];
  for (const [issued, due] of [...weeks].sort(([a], [b]) => a - b)) {
    for (let from = 0; from < due.length; from += most) {
      const own = due.slice(from, from + most);
      const paid = dayText(issued) >= UNPAID_FROM ? null : issued + dice.whole(7, 13) * DAY;
      invoices.push(invoiceOf(20_001 + invoices.length, issued, paid, own));
    }
  }
  return invoices;
}

function invoiceOf(number: number, issued: number, paid: number | null, orders: Order[]): Invoice {
  const invoice: Invoice = {
    number,
    issued,
    paid,
    status: null,
    orders,
    moreCod: new Purse(),
    moreFee: new Purse(),
    moreNet: new Purse(),
    listNet: new Purse(),
    listCount: 0,
    alsoListedIn: null,
    restated: null,
    isVanished: false,
  };
  for (const one of orders) one.invoice = invoice;
  return invoice;
}
