/** Who has the COD of delivered orders (driver, company, you), tied to what is not invoiced and to what is owed. */
import { dayIn, dayNumber } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { lastDayOf } from '../../base/period.ts';
import { type CustodyDays, type CustodyPlace, custodyOf, paymentSequence } from '../../base/states.ts';
import { compareText } from '../../base/text.ts';
import {
  type PaymentStates,
  readPaymentStates,
  readUnrecordedDeliveries,
} from '../../ledger/queries/orders/custody.ts';
import {
  type DeliveredOptions,
  type Delivery,
  readDeliveries,
  readSummedDeliveries,
  type SummedDelivery,
  type SummedOptions,
} from '../../ledger/queries/orders/deliveries.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { countedOfRow } from '../../money/returns.ts';
import type { Units } from '../../money/units.ts';
import { accrualBookAt } from './accruals.ts';
import type { BalanceBook, InvoiceAtEnd } from './balances/book.ts';
import type { Returns } from './returns/convention.ts';

/** The COD of one order or several alike, in one currency; negative for what the merchant pays on a return. */
export interface CustodySum {
  /** The lowest of the orders' ids. */
  readonly order_id: string;
  readonly district: string | null;
  readonly currency: string;
  readonly where: CustodyPlace;
  /** As the order's record had it when it was first seen delivered; without a record, as its invoice states it. */
  readonly cod: Units;
  readonly orders: number;
  /** The day since which it is there. */
  readonly since: string;
  /**
   * The invoices that list it, in the order in which they began to. A sum has those of one of its orders: either all
   * its orders are on invoices, or none is.
   */
  readonly invoices: readonly number[];
}

/** The COD of one order, in one currency. */
export interface CustodyLine extends CustodySum {
  readonly reference_id: string;
}

/** A month after all others: at its end everything that is known has happened. */
export const EVER = '9999-12';

/** The days after which COD is overdue in a place; undefined for a place without a limit. */
export function limitOf(where: CustodyPlace, days: Partial<Record<CustodyPlace, number>>): number | undefined {
  return days[where];
}

/** Whether on a day COD has been in its place for longer than is agreed. */
export function isOverdue({ where, since }: CustodySum, day: string, days: CustodyDays): boolean {
  const most = limitOf(where, days);
  return most !== undefined && dayNumber(day) - dayNumber(since) > most;
}

export interface CustodyRequest {
  /** The month at whose end the COD is located. */
  readonly month: string;
  /** How a RETURN order's money counts; null while nobody knows: then it is left out. */
  readonly returns: Returns['signs'];
  /** Leave out what was received, which is most of it. */
  readonly withoutReceived?: boolean;
  readonly timeZone: string;
}

/**
 * Locates the COD of each order that was delivered by a month's end, an order at a time; for a closed month, as it was
 * known at the close. COD is received if receipts and agreed differences leave nothing open of an invoice that lists
 * the order; otherwise the order's payment state says where it is.
 */
export async function* readCustody(
  db: LedgerReader,
  book: BalanceBook,
  request: CustodyRequest,
): AsyncGenerator<readonly CustodyLine[]> {
  const locator = await codLocator(db, book, request);
  for await (const page of readDeliveries(db, { ...locator.wanted(), prices: true })) {
    const delivered = page.map((delivery) => ({ delivery, amounts: locator.amountsOf(delivery) }));
    const states = await locator.statesOf(
      delivered.flatMap(({ delivery, amounts }) => (amounts.some(needsState) ? delivery.order.order_id : [])),
    );
    for (const { delivery, amounts } of delivered) {
      const { order_id, reference_id, pricedBy } = delivery.order;
      const order = { order_id, reference_id, district: pricedBy?.district ?? null };
      yield locator.linesOf(order, delivery, amounts, states.get(order_id));
    }
  }
  yield* await locator.unrecorded();
}

/**
 * Locates COD as `readCustody` does, and adds up orders with the same currency, district, place and day, invoiced and
 * not invoiced ones apart. Orders whose place nobody knows stay one by one.
 */
export async function sumCustody(db: LedgerReader, book: BalanceBook, request: CustodyRequest): Promise<CustodySum[]> {
  const locator = await codLocator(db, book, request);
  const sums = new Map<string, CustodySum & { order_id: string; cod: Units; orders: number }>();
  const add = (line: CustodySum) => {
    const { order_id, currency, district, where, since, invoices } = line;
    // A line break stands for no district: no district's name is one.
    const key = `${where} ${since} ${currency} ${invoices.length > 0} ${where === 'unknown' ? order_id : (district ?? '\n')}`;
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { ...line });
      return;
    }
    sum.cod += line.cod;
    sum.orders += line.orders;
    if (order_id < sum.order_id) sum.order_id = order_id;
  };
  for (const wanted of locator.wantedSums()) {
    for await (const page of readSummedDeliveries(db, wanted)) {
      const delivered = page.map((delivery) => ({ delivery, amounts: locator.amountsOf(delivery) }));
      // A sum that needs a state and has none is of a single order, whose id is `first`.
      const states = await locator.statesOf(
        delivered.flatMap(({ delivery: { first, state }, amounts }) =>
          state === null && amounts.some(needsState) ? first : [],
        ),
      );
      for (const { delivery, amounts } of delivered) {
        const { first: order_id, district, state } = delivery;
        const lines = locator.linesOf({ order_id, district }, delivery, amounts, state ?? states.get(order_id));
        for (const line of lines) add(line);
      }
    }
  }
  for (const line of (await locator.unrecorded()).flat()) add(line);
  return [...sums.values()].sort((a, b) => compareText(a.order_id, b.order_id));
}

/** The COD of a delivery in one currency, the invoices that list it, and the one with which it was received, if any. */
interface DeliveredCod {
  readonly currency: string;
  readonly orders: number;
  readonly cod: Units;
  readonly received: InvoiceAtEnd | undefined;
  readonly invoices: readonly number[];
}

const needsState = ({ received }: DeliveredCod) => received === undefined;

/** An order's payment state, and the day since which it has it. */
type State = NonNullable<SummedDelivery['state']>;

/** Makes the functions that locate the COD of deliveries: by what was received of invoices, and by payment states. */
async function codLocator(db: LedgerReader, balances: BalanceBook, request: CustodyRequest) {
  const { month, returns, withoutReceived, timeZone: zone } = request;
  const end = lastDayOf(month);
  const { book: accruals, close } = await accrualBookAt(db, end, zone);
  const byNumber = groupBy(await balances.invoicesAt(month), ({ number }) => number);

  /** The invoices that do not prove their orders' COD received: not all received, or perhaps not listing them yet. */
  const notReceived = (): number[] => {
    const isAllReceived = (number: number) => byNumber.get(number)?.every(isReceived) ?? false;
    const withOpenMoney = accruals.numbers.filter((number) => !isAllReceived(number));
    return [...new Set([...accruals.notSurelyListingBy(end), ...withOpenMoney])];
  };

  /**
   * Which deliveries to read. `withoutReceived` leaves out the orders that a received invoice surely lists: those in
   * its first version that no invoice ever ceased to list.
   */
  const wanted = (): Pick<DeliveredOptions, 'zone' | 'withoutListed'> =>
    withoutReceived ? { zone, withoutListed: { notCounting: notReceived() } } : { zone };

  /**
   * Which sums to read. If most invoices were received, the orders that they surely list are summed apart: the COD of
   * these orders was received, so that their payment states are not read.
   */
  const wantedSums = (): readonly SummedOptions[] => {
    const states = { day: end, before: close?.id ?? null };
    const listedByReceived = { notCounting: notReceived() };
    const areMostReceived = listedByReceived.notCounting.length < accruals.numbers.length / 2;
    if (withoutReceived || !areMostReceived) return [{ ...wanted(), states }];
    return [
      { zone, withoutListed: listedByReceived, states },
      { zone, onlyListed: listedByReceived },
    ];
  };

  /** The COD of a delivery by currency; empty if it was delivered later. */
  const amountsOf = (delivery: Delivery): DeliveredCod[] => {
    if (!accruals.isDeliveredBy(delivery, end)) return [];
    const invoices = accruals.listersOf(delivery, end);
    return delivery.amounts.flatMap(({ currency, orders, ...amount }) => {
      const { cod } = countedOfRow({ ...amount, workflow: delivery.workflow }, returns);
      // No order has COD in this currency, or nobody knows how a return's COD counts.
      if (orders === 0 || (cod === 0n && amount.cod !== 0n)) return [];
      const received = invoices
        .map((number) => receivedIn(byNumber.get(number) ?? [], currency))
        .find((invoice) => invoice !== undefined);
      return received && withoutReceived ? [] : { currency, orders, cod, received, invoices };
    });
  };

  /**
   * An order's payment state at the month's end: that of its last stamp by then, if its latest state came only after
   * the end. `known` is the latest state: of today, or for a closed month of the close.
   */
  const stateAtEnd = ({ known, stamps }: PaymentStates): State => {
    const dated = stamps.map(({ payment_state, stamped_at }) => ({ payment_state, on: dayIn(stamped_at, zone) }));
    const byEnd = dated.filter(({ on }) => on <= end);
    const last = byEnd.at(-1);
    if (!last) return { payment_state: known, since: null };
    // Today's state came after the end if a later stamp shows that the order moved on. The state at a close did if it
    // is further than the last stamp, as *paid* is where the stamp is *ready*. If the close had *ready* and the stamp
    // is *paid*, the close did not know the stamp yet: *ready* counts.
    const isFurther = !paymentSequence.reaches(last.payment_state, known);
    const cameAfterEnd = close ? isFurther : dated.length > byEnd.length;
    const payment_state = cameAfterEnd ? last.payment_state : known;
    return { payment_state, since: lastBeginning(byEnd, payment_state) ?? last.on };
  };

  /** The orders' payment states at the month's end, by order id. */
  const statesOf = async (ids: readonly string[]): Promise<Map<string, State>> => {
    const states = await readPaymentStates(db, ids, close?.id ?? null);
    return new Map([...states].map(([id, state]) => [id, stateAtEnd(state)]));
  };

  const linesOf = <O extends Pick<CustodyLine, 'order_id' | 'district'>>(
    order: O,
    { date }: Pick<Delivery, 'date'>,
    amounts: readonly DeliveredCod[],
    state: State | undefined,
  ): (O & CustodySum)[] =>
    amounts.map(({ received, ...amount }) => ({
      ...order,
      where: received ? 'received' : custodyOf(state?.payment_state ?? null),
      since: (received ? received.received_on : state?.since) ?? date,
      ...amount,
    }));

  /** The COD of orders that only invoices show as delivered, an order each. */
  const unrecorded = async (): Promise<CustodyLine[][]> => {
    const deliveries = await readUnrecordedDeliveries(db, zone);
    return deliveries.map(({ delivery, payment_state: known }) => {
      // An order without a record is known only as long as an invoice lists it.
      const amounts = amountsOf(delivery).filter(({ invoices }) => invoices.length > 0);
      const { order_id, reference_id } = delivery.order;
      const order = { order_id, reference_id, district: null };
      return linesOf(order, delivery, amounts, stateAtEnd({ known, stamps: [] }));
    });
  };

  return { wanted, wantedSums, amountsOf, statesOf, linesOf, unrecorded };
}

/** The day on which an order last came into a state: the 5th for *ready* on the 3rd, *paid* on the 5th and the 6th. */
function lastBeginning(stamps: readonly { payment_state: string; on: string }[], state: string): string | undefined {
  let first = stamps.findLastIndex(({ payment_state }) => payment_state === state);
  while (stamps[first - 1]?.payment_state === state) first -= 1;
  return stamps[first]?.on;
}

/** The invoice's line in a currency, if received; any line for a currency that it lacks, if all were received. */
function receivedIn(invoice: readonly InvoiceAtEnd[], currency: string): InvoiceAtEnd | undefined {
  const stated = invoice.filter((line) => line.currency === currency);
  const lines = stated.length > 0 ? stated : invoice;
  return lines.every(isReceived) ? lines[0] : undefined;
}

/** Whether nothing of an invoice is left to receive, and none of it is paid by the courier's word (Paid flag) alone. */
function isReceived({ net, received, paid_on_word, differences }: InvoiceAtEnd): boolean {
  return paid_on_word === 0n && net - received - differences <= 0n;
}

/**
 * The steps from receivable COD (`ready` and `paid`) to the balance; `tieCustody` says what each is. With 100.00
 * receivable, `fees` of -3.00 and `settled` of -20.00 lead to a balance of 77.00.
 */
export const TIE_STEPS = ['moved', 'otherwise', 'fees', 'settled', 'overpaid', 'unallocated', 'unexplained'] as const;

/** COD of one currency that was not received, by place, and the steps from `ready` + `paid` to `closing` (balance). */
export type CustodyTie = Awaited<ReturnType<typeof tieCustody>>[number];

/**
 * The sums of the places and of the steps. `not_invoiced` is COD that is not receivable yet by the orders' payment
 * states, `uninvoiced` COD that no invoice lists, as the statement has it. `rest`: what the balance has beyond the
 * receivable COD.
 */
export function custodyFigures({ driver, company, unknown, ready, paid, moved, unexplained, closing }: CustodyTie) {
  const not_invoiced = driver + company + unknown;
  const receivable = ready + paid;
  return {
    ...{ driver, company, unknown, not_invoiced, ready, paid, receivable },
    ...{ rest: closing - receivable, unexplained, closing, uninvoiced: not_invoiced - moved, moved },
  };
}

/** Ties the COD that was not received to the balance at a month's end, by currency. */
export async function tieCustody(book: BalanceBook, month: string, lines: readonly CustodySum[]) {
  const invoices = await book.invoicesAt(month);
  const open = invoices.filter((invoice) => !isReceived(invoice));
  const items = await book.openItems(month);
  const balances = new Map((await book.rollForward([month])).map(({ currency, closing }) => [currency, closing]));
  const notReceived = lines.filter(({ where }) => where !== 'received');
  const currencies = new Set([...balances.keys(), ...notReceived.map(({ currency }) => currency)]);
  return [...currencies].sort().map((currency) => {
    const sumOf = <L extends { readonly currency: string }>(all: readonly L[], units: (line: L) => Units) =>
      all.reduce((sum, line) => (line.currency === currency ? sum + units(line) : sum), 0n);
    const codAt = (place: CustodyPlace) => sumOf(notReceived, ({ where, cod }) => (where === place ? cod : 0n));
    const [ready, paid] = [codAt('ready'), codAt('paid')];
    const invoiced = sumOf(notReceived, (line) => (line.invoices.length > 0 ? line.cod : 0n));
    const closing = balances.get(currency) ?? 0n;
    const steps = {
      // From the COD whose payment state says that it is receivable to the COD of orders that invoices list.
      moved: invoiced - ready - paid,
      // From there to the COD in the headers of the open invoices.
      otherwise: sumOf(open, ({ cod }) => cod) - invoiced,
      // What the open invoices take off, and what came in for them or was agreed: both are negative.
      fees: sumOf(open, ({ net, cod }) => net - cod),
      settled: sumOf(open, ({ received, paid_on_word, differences }) => -received - paid_on_word - differences),
      // What came in beyond the net of received invoices, or for no invoice: both are negative.
      overpaid: sumOf(invoices, (invoice) =>
        isReceived(invoice) ? invoice.net - invoice.received - invoice.differences : 0n,
      ),
      unallocated: sumOf(items, (item) => (item.kind === 'unallocated' ? item.open : 0n)),
    };
    const reached = Object.values(steps).reduce((sum, step) => sum + step, ready + paid);
    return {
      ...{ currency, driver: codAt('driver'), company: codAt('company'), ready, paid, unknown: codAt('unknown') },
      ...{ ...steps, unexplained: closing - reached, closing },
    };
  });
}
