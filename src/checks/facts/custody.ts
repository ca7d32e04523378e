/** Where the COD of delivered orders is, and how that ties to what is not invoiced and to what is owed. */
import { dayIn, dayNumber } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { lastDayOf } from '../../base/period.ts';
import { CUSTODY_LIMITS, type CustodyDays, type CustodyPlace, custodyOf, paymentOrder } from '../../base/states.ts';
import {
  type PaymentStates,
  readPaymentStates,
  readUnrecordedDeliveries,
} from '../../ledger/queries/orders/custody.ts';
import {
  type Delivery,
  type OneDelivery,
  readDeliveries,
  readSummedDeliveries,
} from '../../ledger/queries/orders/deliveries.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { countedOfRow } from '../../money/returns.ts';
import type { Units } from '../../money/units.ts';
import { accrualBookAt } from './accruals.ts';
import type { BalanceBook, InvoiceAtEnd } from './balances/book.ts';
import type { Returns } from './returns/standing.ts';

/** The COD of delivered orders that are alike, in one currency; negative for what the merchant pays on a return. */
export interface CustodySum {
  /** The first of them. */
  readonly order_id: string;
  readonly district: string | null;
  readonly currency: string;
  readonly where: CustodyPlace;
  /** As its record said when it was first seen delivered; without a record, as its invoice states it. */
  readonly cod: Units;
  readonly orders: number;
  /** The day on which it came where it is. */
  readonly since: string;
  /** The invoices that list it, the first first. */
  readonly invoices: readonly number[];
}

/** The same of one order. */
export interface CustodyLine extends CustodySum {
  readonly reference_id: string;
}

/** A month after all others: by its end holds all that is known. */
export const EVER = '9999-12';

/** The days after which COD is overdue where it is; undefined for a place without a limit. */
export function limitOf(where: CustodyPlace, days: CustodyDays): number | undefined {
  const limited = CUSTODY_LIMITS.find((place) => place === where);
  return limited && days[limited];
}

/** Whether COD is longer where it is than is agreed, on a day. */
export function isOverdue({ where, since }: CustodySum, day: string, days: CustodyDays): boolean {
  const most = limitOf(where, days);
  return most !== undefined && dayNumber(day) - dayNumber(since) > most;
}

export interface CustodyRequest {
  /** The month at whose end the money is looked for. */
  readonly month: string;
  /** What a RETURN order is worth. */
  readonly returns: Returns['worth'];
  /** Leave out what was received, which is most of it. */
  readonly butReceived?: boolean;
  readonly timeZone: string;
}

/**
 * Where the COD of each order is that was delivered by a month's end, in the order of their ids; of a closed month, as it was known at the
 * close. It was received where receipts and agreed differences leave nothing open of an invoice that lists the order; else its payment
 * state says where it is.
 */
export async function readCustody(
  db: LedgerReader,
  book: BalanceBook,
  request: CustodyRequest,
): Promise<CustodyLine[]> {
  const lines: CustodyLine[] = [];
  await placeAll(db, book, request, (line) => lines.push(line));
  return lines;
}

/**
 * The same, added up where currency, district, place and day are the same and all or none is on an invoice. Where nobody knows the place,
 * orders stay one by one.
 */
export async function sumCustody(db: LedgerReader, book: BalanceBook, request: CustodyRequest): Promise<CustodySum[]> {
  const sums = new Map<string, CustodySum & { cod: Units; orders: number }>();
  const add = (line: CustodySum) => {
    const { order_id, currency, district, where, since, invoices } = line;
    const key = `${where} ${since} ${currency} ${invoices.length > 0} ${where === 'unknown' ? order_id : (district ?? '\n')}`;
    const sum = sums.get(key);
    if (sum) {
      sum.cod += line.cod;
      sum.orders += line.orders;
    } else sums.set(key, { ...line });
  };
  await placeAll(db, book, request, add, add);
  return [...sums.values()];
}

/** @param addReceived takes what was received as sums of the ledger's, as far as it can tell; absent to have each order */
async function placeAll(
  db: LedgerReader,
  book: BalanceBook,
  { month, returns, butReceived = false, timeZone: zone }: CustodyRequest,
  add: (line: CustodyLine) => void,
  addReceived?: (sum: CustodySum) => void,
): Promise<void> {
  const end = lastDayOf(month);
  const { book: accruals, then } = await accrualBookAt(db, end, zone);
  const invoices = await book.invoicesAt(month);
  const byNumber = groupBy(invoices, ({ number }) => number);
  /** The amounts of a delivery, each with the invoice for which it was received. */
  const amountsOf = (delivery: Delivery) => {
    const listers = accruals.listersOf(delivery, end);
    return delivery.amounts.flatMap(({ currency, orders, ...amount }) => {
      const { cod } = countedOfRow({ ...amount, workflow: delivery.workflow }, returns);
      if (orders === 0 || (cod === 0n && amount.cod !== 0n)) return [];
      const received = listers
        .map((number) => receivedIn(byNumber.get(number) ?? [], currency))
        .find((invoice) => invoice !== undefined);
      return received && butReceived ? [] : { currency, orders, cod, received, invoices: listers };
    });
  };
  const addAll = (
    { order, date }: OneDelivery,
    amounts: ReturnType<typeof amountsOf>,
    states: PaymentStates | undefined,
  ) => {
    const state = states && stateAt(states, end, zone, then !== null);
    for (const { received, ...amount } of amounts) {
      add({
        order_id: order.order_id,
        reference_id: order.reference_id,
        district: order.pricedBy?.district ?? null,
        where: received ? 'received' : custodyOf(state?.payment_state ?? null),
        since: (received ? received.received_on : state?.since) ?? date,
        ...amount,
      });
    }
  };
  const notReceived = accruals.numbers.filter((number) => !(byNumber.get(number)?.every(isReceived) ?? false));
  // The ledger leaves out what other invoices list: it was received.
  const listed = { butBy: [...new Set([...accruals.notListingBy(end), ...notReceived])] };
  const leavesOutReceived = butReceived || addReceived !== undefined;
  for await (const page of readDeliveries(db, { zone, prices: true, ...(leavesOutReceived ? { listed } : {}) })) {
    const delivered = page
      .filter((delivery) => accruals.isDeliveredBy(delivery, end))
      .map((delivery) => ({ delivery, amounts: amountsOf(delivery) }));
    const ids = delivered.flatMap(({ delivery, amounts }) =>
      amounts.some(({ received }) => !received) ? delivery.order.order_id : [],
    );
    const states = await readPaymentStates(db, ids, then?.id ?? null);
    for (const { delivery, amounts } of delivered) addAll(delivery, amounts, states.get(delivery.order.order_id));
  }
  if (addReceived && !butReceived) {
    for await (const page of readSummedDeliveries(db, zone, listed)) {
      for (const delivery of page.filter((sum) => accruals.isDeliveredBy(sum, end))) {
        const { first: order_id, district, date } = delivery;
        for (const { received, ...amount } of amountsOf(delivery))
          addReceived({ order_id, district, where: 'received', since: received?.received_on ?? date, ...amount });
      }
    }
  }
  for (const { delivery, payment_state: known } of await readUnrecordedDeliveries(db, zone)) {
    if (accruals.isDeliveredBy(delivery, end) && accruals.listersOf(delivery, end).length > 0)
      addAll(delivery, amountsOf(delivery), { known, stamps: [] });
  }
}

/** What was received of an invoice in a currency; of one that it does not state, where nothing at all is open of it. */
function receivedIn(invoice: readonly InvoiceAtEnd[], currency: string): InvoiceAtEnd | undefined {
  const stated = invoice.filter((line) => line.currency === currency);
  const lines = stated.length > 0 ? stated : invoice;
  return lines.every(isReceived) ? lines[0] : undefined;
}

/** Whether nothing of an invoice is open, and that not by the courier's word alone. */
function isReceived({ net, received, paid_on_word, differences }: InvoiceAtEnd): boolean {
  return paid_on_word === 0n && net - received - differences <= 0n;
}

/**
 * An order's payment state at the end of a day, and the day since which it has it where a stamp says so. `known` is its state by all that
 * is known: today, or where the day is of a closed month (`isPast`) at the close.
 */
function stateAt(
  { known, stamps }: PaymentStates,
  end: string,
  zone: string,
  isPast: boolean,
): { readonly payment_state: string; readonly since: string | null } {
  const dated = stamps.map(({ payment_state, stamped_at }) => ({ payment_state, on: dayIn(stamped_at, zone) }));
  const byThen = dated.filter(({ on }) => on <= end);
  const last = byThen.at(-1);
  const stamped = last?.payment_state ?? known;
  const hasLaterStamp = last !== undefined && dated.length > byThen.length;
  // A stamp of later takes the state of now back to that of the day; what was not known at a close had not come to be by then.
  const goesByStamp = isPast ? !paymentOrder.reaches(stamped, known) : hasLaterStamp;
  const payment_state = goesByStamp ? stamped : known;
  // Since the first of the last stamps in a row that have it.
  const untilLast = byThen.slice(0, byThen.findLastIndex((stamp) => stamp.payment_state === payment_state) + 1);
  const first = untilLast.findLastIndex((stamp) => stamp.payment_state !== payment_state) + 1;
  return { payment_state, since: untilLast[first]?.on ?? last?.on ?? null };
}

/** From what is receivable to the balance, in the order of the steps; `moved`: what is on an invoice though its state does not say so, less the opposite. */
export const TIE_STEPS = ['moved', 'otherwise', 'fees', 'settled', 'overpaid', 'unallocated', 'unexplained'] as const;

/** The COD that was not received in one currency, by place, and the steps from `ready` and `paid` together to `closing`, the balance. */
export interface CustodyTie
  extends Readonly<Record<Exclude<CustodyPlace, 'received'> | (typeof TIE_STEPS)[number] | 'closing', Units>> {
  readonly currency: string;
}

/** What the places come to, and the steps together. `uninvoiced`: what is on no invoice, as the statement's Not invoiced has it. */
export function custodyFigures({ driver, company, unknown, ready, paid, moved, unexplained, closing }: CustodyTie) {
  const [not_invoiced, receivable] = [driver + company + unknown, ready + paid];
  return {
    ...{ driver, company, unknown, not_invoiced, ready, paid, receivable },
    ...{ rest: closing - receivable, unexplained, closing, uninvoiced: not_invoiced - moved, moved },
  };
}

/** Ties the COD that was not received to the balance at a month's end, by currency. */
export async function tieCustody(
  book: BalanceBook,
  month: string,
  lines: readonly CustodySum[],
): Promise<CustodyTie[]> {
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
      moved: invoiced - ready - paid,
      otherwise: sumOf(open, ({ cod }) => cod) - invoiced,
      fees: sumOf(open, ({ net, cod }) => net - cod),
      settled: sumOf(open, ({ received, paid_on_word, differences }) => -received - paid_on_word - differences),
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
