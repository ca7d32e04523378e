import { DAY, dateText, dayOf, HOUR, timestamp } from '../../calendar.ts';
import { billOrders, payInvoice, setPaymentState } from '../../operator/invoicing.ts';
import { type Move, moveOrder } from '../../operator/moves.ts';
import { seededRandom } from '../../random.ts';
import { quoteFee } from '../../rules/rate-card.ts';
import { insertOrder } from '../../store/insert-order.ts';
import { changeStates } from '../../store/states.ts';
import type { Store } from '../../store/store.ts';
import type { Destination, Shop } from '../shop.ts';
import { tooSmall } from './targets.ts';

/** How far a made order has come. */
type Outcome = 'warehouse' | 'transit' | 'delivered' | 'awaiting-return' | 'cancelled';

/** What every time here ends in: the service stamps microseconds. */
const MICROSECONDS = 271;

const PICKUP: readonly Move[] = ['assign', 'scan', 'pickup', 'warehouse'];
const ON_THE_ROAD: readonly Move[] = ['assign', 'scan', 'pickup', 'dispatch'];
const LAST_MOVES: Readonly<Record<Outcome, readonly Move[]>> = {
  warehouse: [],
  transit: ON_THE_ROAD,
  delivered: [...ON_THE_ROAD, 'deliver', 'collect'],
  'awaiting-return': [...ON_THE_ROAD, 'return'],
  cancelled: [],
};

/** What making orders and invoices needs: a merchant with customers, and the times of its world. */
export interface MakingContext {
  readonly store: Store;
  readonly shop: Shop;
  /** In milliseconds: the end of the months, and the moment after which nothing happens. */
  readonly frame: { readonly end: number; readonly asOf: number; readonly seed: string };
}

/** An additional order, made for one mismatch alone, so that planting it changes nothing else. */
export interface OrderToMake {
  /** Seeds its id; unique among the orders that are made. */
  readonly name: string;
  /**
   * A day, in milliseconds; that of the made invoices, if absent. The order is placed, and cancelled or brought to the
   * warehouse, on the day before; what comes after is before noon of this day.
   */
  readonly day?: number;
  readonly outcome: Outcome;
  /** In units of USD; negative for a refund. */
  readonly cod: bigint;
  /** The COD in units of LBP, instead of `cod`. */
  readonly pounds?: bigint;
  /** The shop's reference; `P-` and the name, if absent. */
  readonly reference?: string;
  /** If absent, a customer in a district where the fee is in dollars alone. */
  readonly destination?: Destination;
}

/** Makes an order, with every state stamped. @returns its id */
export function makeOrder(context: MakingContext, made: OrderToMake): string {
  const { store, shop, frame } = context;
  const { name, day = dayOfMadeInvoices(context), outcome, cod, pounds, reference = `P-${name}` } = made;
  const destination = made.destination ?? shop.destinations.find(({ district }) => paysDollarsAlone(district, day));
  if (!destination) return tooSmall();
  let clock = day - 16 * HOUR;
  const at = (): string => {
    clock += HOUR;
    return timestamp(clock, MICROSECONDS);
  };
  const random = seededRandom(`${frame.seed}/made/${name}`);
  const orderId = insertOrder(
    store,
    {
      merchant: shop.id,
      pickupLocation: random.pick(shop.pickupIds),
      customer: destination.customerId,
      customerLocation: destination.locationId,
      district: destination.district,
      workflow: 'STANDARD',
      cod: [pounds === undefined ? { currency: 'USD', units: cod } : { currency: 'LBP', units: pounds }],
      reference_id: reference,
    },
    at(),
    (limit) => random.int(0, limit - 1),
  );
  if (outcome === 'cancelled') {
    changeStates(store, orderId, { delivery_state: 'CANCELLED', payment_state: 'UNPAID' }, at());
    return orderId;
  }
  changeStates(store, orderId, { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' }, at());
  for (const move of PICKUP) moveOrder(store, orderId, move, at());
  clock = day + 4 * HOUR;
  for (const move of LAST_MOVES[outcome]) moveOrder(store, orderId, move, at());
  return orderId;
}

/** Makes an invoice for these orders, issued on the evening of {@link dayOfMadeInvoices}, paid 5 days later or not. */
export function makeInvoice(context: MakingContext, orderIds: readonly string[], { paid }: { readonly paid: boolean }) {
  const { store, shop } = context;
  const issued = dayOfMadeInvoices(context) + 20 * HOUR;
  const { number } = billOrders(store, shop.id, orderIds, timestamp(issued, MICROSECONDS));
  setPaymentState(store, number, 'PENDING_PAYMENT_TO_MERCHANT', timestamp(issued, MICROSECONDS));
  if (paid) payInvoice(store, number, timestamp(issued + 5 * DAY, MICROSECONDS));
  return number;
}

/** The day of the invoices that are made, in milliseconds: weeks before the end of the world's months. */
export function dayOfMadeInvoices({ frame }: MakingContext): number {
  return dayOf(Math.min(frame.end, frame.asOf)) - 20 * DAY;
}

/** Every fee has dollars; that of a far district has pounds too. */
function paysDollarsAlone(district: string, day: number): boolean {
  return quoteFee({ workflow: 'STANDARD', district, date: dateText(day) }).length === 1;
}
