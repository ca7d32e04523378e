/** Where the COD of delivered orders is, and how that ties to what is not invoiced and to what is owed. */
import { dayIn, dayNumber } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { lastDayOf } from '../../base/period.ts';
import { CUSTODY_LIMITS, type CustodyDays, type CustodyPlace, custodyOf, paymentSequence } from '../../base/states.ts';
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
import type { PeriodCloseTable } from '../../ledger/schema.ts';
import { countedOfRow } from '../../money/returns.ts';
import type { Units } from '../../money/units.ts';
import { type AccrualBook, accrualBookAt } from './accruals.ts';
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
 * Where the COD of each order is that was delivered by a month's end, an order at a time; of a closed month, as it was known at the
 * close. It was received where receipts and agreed differences leave nothing open of an invoice that lists the order; else its payment
 * state says where it is.
 */
export async function* readCustody(
  db: LedgerReader,
  book: BalanceBook,
  request: CustodyRequest,
): AsyncGenerator<readonly CustodyLine[]> {
  const places = await Places.of(db, book, request);
  for await (const page of readDeliveries(db, { ...places.wanted, prices: true })) {
    const delivered = page.map((delivery) => ({ delivery, amounts: places.amountsOf(delivery) }));
    const states = await places.statesOf(
      delivered.flatMap(({ delivery, amounts }) => (amounts.some(needsState) ? delivery.order.order_id : [])),
    );
    for (const { delivery, amounts } of delivered) {
      const { order_id, reference_id, pricedBy } = delivery.order;
      const order = { order_id, reference_id, district: pricedBy?.district ?? null };
      yield places.linesOf(order, delivery, amounts, states.get(order_id));
    }
  }
  yield* await places.unrecorded();
}

/**
 * The same, added up where currency, district, place and day are the same and all or none is on an invoice. Where nobody knows the place,
 * orders stay one by one.
 */
export async function sumCustody(db: LedgerReader, book: BalanceBook, request: CustodyRequest): Promise<CustodySum[]> {
  const places = await Places.of(db, book, request);
  const sums = new Map<string, CustodySum & { order_id: string; cod: Units; orders: number }>();
  const add = (line: CustodySum) => {
    const { order_id, currency, district, where, since, invoices } = line;
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
  for (const wanted of places.wantedSums) {
    for await (const page of readSummedDeliveries(db, wanted)) {
      const delivered = page.map((delivery) => ({ delivery, amounts: places.amountsOf(delivery) }));
      const states = await places.statesOf(
        delivered.flatMap(({ delivery: { first, state }, amounts }) =>
          state === null && amounts.some(needsState) ? first : [],
        ),
      );
      for (const { delivery, amounts } of delivered) {
        const { first: order_id, district, state } = delivery;
        for (const line of places.linesOf({ order_id, district }, delivery, amounts, state ?? states.get(order_id)))
          add(line);
      }
    }
  }
  for (const line of (await places.unrecorded()).flat()) add(line);
  return [...sums.values()].sort((a, b) => (a.order_id < b.order_id ? -1 : Number(a.order_id > b.order_id)));
}

/** One amount of a delivery, with the invoice for which it was received. */
interface Placing {
  readonly currency: string;
  readonly orders: number;
  readonly cod: Units;
  readonly received: InvoiceAtEnd | undefined;
  readonly invoices: readonly number[];
}

const needsState = ({ received }: Placing) => received === undefined;

type State = NonNullable<SummedDelivery['state']>;

/** What tells where the money of deliveries is. */
class Places {
  readonly #db: LedgerReader;
  readonly #request: CustodyRequest;
  readonly #accruals: AccrualBook;
  readonly #then: PeriodCloseTable | null;
  readonly #end: string;
  readonly #byNumber: ReadonlyMap<number, readonly InvoiceAtEnd[]>;

  private constructor(
    db: LedgerReader,
    request: CustodyRequest,
    { book, then }: Awaited<ReturnType<typeof accrualBookAt>>,
    invoices: readonly InvoiceAtEnd[],
  ) {
    this.#db = db;
    this.#request = request;
    this.#accruals = book;
    this.#then = then;
    this.#end = lastDayOf(request.month);
    this.#byNumber = groupBy(invoices, ({ number }) => number);
  }

  static async of(db: LedgerReader, book: BalanceBook, request: CustodyRequest): Promise<Places> {
    const { month, timeZone } = request;
    const accruals = await accrualBookAt(db, lastDayOf(month), timeZone);
    return new Places(db, request, accruals, await book.invoicesAt(month));
  }

  /** Which deliveries are to be read. */
  get wanted(): Pick<DeliveredOptions, 'zone' | 'listed'> {
    const { butReceived, timeZone: zone } = this.#request;
    return butReceived ? { zone, listed: { butBy: this.#notReceived } } : { zone };
  }

  /** The sums to read. Where most invoices were received, the deliveries on those are a sum of their own, which needs no payment states. */
  get wantedSums(): readonly SummedOptions[] {
    const { wanted } = this;
    const states = { day: this.#end, before: this.#then?.id ?? null };
    const listed = { butBy: this.#notReceived };
    const isMost = listed.butBy.length < this.#accruals.numbers.length / 2;
    if (wanted.listed || !isMost) return [{ ...wanted, states }];
    return [
      { ...wanted, listed, states },
      { ...wanted, listed: { ...listed, only: true } },
    ];
  }

  /** The invoices for whose orders not everything was received, as far as the ledger can tell. */
  get #notReceived(): number[] {
    const isAllReceived = (number: number) => this.#byNumber.get(number)?.every(isReceived) ?? false;
    const notReceived = this.#accruals.numbers.filter((number) => !isAllReceived(number));
    return [...new Set([...this.#accruals.notSurelyListingBy(this.#end), ...notReceived])];
  }

  /** The amounts of a delivery, as far as it was delivered by then. */
  amountsOf(delivery: Delivery): Placing[] {
    if (!this.#accruals.isDeliveredBy(delivery, this.#end)) return [];
    const { returns, butReceived } = this.#request;
    const invoices = this.#accruals.listersOf(delivery, this.#end);
    return delivery.amounts.flatMap(({ currency, orders, ...amount }) => {
      const { cod } = countedOfRow({ ...amount, workflow: delivery.workflow }, returns);
      if (orders === 0 || (cod === 0n && amount.cod !== 0n)) return [];
      const received = invoices
        .map((number) => receivedIn(this.#byNumber.get(number) ?? [], currency))
        .find((invoice) => invoice !== undefined);
      return received && butReceived ? [] : { currency, orders, cod, received, invoices };
    });
  }

  /** The payment states of some orders by their stamps, by order. */
  async statesOf(ids: readonly string[]): Promise<Map<string, State>> {
    const states = await readPaymentStates(this.#db, ids, this.#then?.id ?? null);
    return new Map([...states].map(([id, one]) => [id, this.#stateAt(one)]));
  }

  linesOf<O extends Pick<CustodyLine, 'order_id' | 'district'>>(
    order: O,
    { date }: Pick<Delivery, 'date'>,
    amounts: readonly Placing[],
    state: State | undefined,
  ): (O & CustodySum)[] {
    return amounts.map(({ received, ...amount }) => ({
      ...order,
      where: received ? 'received' : custodyOf(state?.payment_state ?? null),
      since: (received ? received.received_on : state?.since) ?? date,
      ...amount,
    }));
  }

  /** Those of the orders that invoices alone show as delivered. */
  async unrecorded(): Promise<CustodyLine[][]> {
    const deliveries = await readUnrecordedDeliveries(this.#db, this.#request.timeZone);
    return deliveries.map(({ delivery, payment_state: known }) => {
      const amounts = this.amountsOf(delivery).filter(({ invoices }) => invoices.length > 0);
      const { order_id, reference_id } = delivery.order;
      const order = { order_id, reference_id, district: null };
      return this.linesOf(order, delivery, amounts, this.#stateAt({ known, stamps: [] }));
    });
  }

  /**
   * An order's payment state at the end, and the day since which it has it where a stamp says so. `known` is its state by all that is known:
   * today, or of a closed month at the close.
   */
  #stateAt({ known, stamps }: PaymentStates): State {
    const dated = stamps.map(({ payment_state, stamped_at }) => {
      return { payment_state, on: dayIn(stamped_at, this.#request.timeZone) };
    });
    const byThen = dated.filter(({ on }) => on <= this.#end);
    const last = byThen.at(-1);
    const stamped = last?.payment_state ?? known;
    const hasLaterStamp = last !== undefined && dated.length > byThen.length;
    // A stamp of later takes the state of now back to that of the day; what was not known at a close had not come to be by then.
    const goesByStamp = this.#then ? !paymentSequence.reaches(stamped, known) : hasLaterStamp;
    const payment_state = goesByStamp ? stamped : known;
    // Since the first of the last stamps in a row that have it.
    const untilLast = byThen.slice(0, byThen.findLastIndex((stamp) => stamp.payment_state === payment_state) + 1);
    const first = untilLast.findLastIndex((stamp) => stamp.payment_state !== payment_state) + 1;
    return { payment_state, since: untilLast[first]?.on ?? last?.on ?? null };
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
