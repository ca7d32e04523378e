import { type AccrualBook, type AccrualMove, readAccruedAmounts } from '../../src/checks/facts/accruals.ts';
import {
  type DeliveredAmount,
  type Delivery,
  readDeliveries,
  readSummedDeliveries,
} from '../../src/ledger/queries/orders/deliveries.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { countedOfRow, type RowSigns, signsOfWorkflow } from '../../src/money/returns.ts';
import type { DeliveredBy, JournalTransaction } from './model.ts';
import { postAccrualReversed, postDelivered, postDeliveredDay } from './post.ts';

/**
 * Books the accruals: an order's COD and fee are accrued when it is delivered, and taken out when an invoice lists it.
 *
 * @param accrualBooks what was known at each close, and what is known now, in that order: all are posted in one reading
 * of the deliveries
 * @param returns how a RETURN order counts; null if nobody knows: then neither it nor its amounts are counted
 * @returns the transactions of each accrual book, in their order
 */
export async function postAccruals(
  db: LedgerReader,
  zone: string,
  accrualBooks: readonly AccrualBook[],
  deliveredBy: DeliveredBy,
  returns: RowSigns | null,
): Promise<JournalTransaction[][]> {
  const accruedAmounts = await readAccruedAmounts(db);
  const postings = accrualBooks.map((book) => new AccrualPostings(book));
  const post = (delivery: Delivery): void => {
    const { workflow } = delivery;
    // Two books often have the same moves for a delivery: then those of the book before are kept.
    let moves: readonly AccrualMove[] = [];
    accrualBooks.forEach((book, index) => {
      const before = accrualBooks[index - 1];
      if (!before || !book.hasSameMoves(delivery, before)) moves = book.movesOf(delivery);
      // Prices too are as they were known at the book's close (`knownBefore`).
      const amounts = accruedAmounts.of(delivery, book.knownBefore).map(({ currency, orders, ...amount }) => {
        const counted = countedOfRow({ ...amount, workflow }, returns);
        return { currency, orders: signsOfWorkflow(workflow, returns) === null ? 0 : orders, ...counted };
      });
      postings[index]!.add(deliveredBy === 'order' ? delivery.order : null, moves, amounts);
    });
  };
  // Each order may have a price of its own, so that even equal orders are read one by one.
  const deliveries =
    deliveredBy === 'order' || accruedAmounts.hasPrices
      ? readDeliveries(db, { zone, prices: accruedAmounts.hasPrices })
      : readSummedDeliveries(db, { zone });
  for await (const page of deliveries) for (const delivery of page) post(delivery);
  return postings.map((each) => each.transactions());
}

/**
 * A sum in one currency: of what was delivered on a day; or of the orders that an invoice takes out of the accrual, or
 * puts back because it no longer lists them.
 */
interface AccrualSum {
  readonly day: string;
  readonly currency: string;
  /** The invoice and the evidence that it now lists the orders, or no longer does; null for a delivery. */
  readonly by: AccrualMove['by'];
  orders: number;
  cod: bigint;
  delivery_fee: bigint;
}

/** Collects the transactions of one accrual book. */
class AccrualPostings {
  readonly #posted: (JournalTransaction | null)[] = [];
  readonly #sums = new Map<string, AccrualSum>();
  readonly #book: AccrualBook;

  constructor(book: AccrualBook) {
    this.#book = book;
  }

  /** @param order to book its delivery as a transaction; null to book the deliveries of a day together */
  add(order: Delivery['order'], moves: readonly AccrualMove[], amounts: readonly DeliveredAmount[]): void {
    for (const move of moves) {
      for (const amount of amounts) {
        const isOrderDelivery = move.by === null && order !== null;
        if (isOrderDelivery) this.#posted.push(postDelivered({ ...order, ...amount, date: move.day }));
        else this.#sum(move, amount);
      }
    }
  }

  transactions(): JournalTransaction[] {
    for (const { day: date, by, ...sum } of this.#sums.values()) {
      if (by === null) this.#posted.push(postDeliveredDay({ ...sum, date }));
      else {
        // What the invoice's first version takes out needs no mark; a later change of its rows has one.
        const isFirst = by.evidence_id === this.#book.firstEvidenceOf(by.number);
        const mark = isFirst ? null : `${by.evidence_id}`;
        this.#posted.push(postAccrualReversed({ ...sum, date, number: by.number, mark }));
      }
    }
    return this.#posted.filter((transaction) => transaction !== null);
  }

  #sum({ day, by, isAccrued }: AccrualMove, { currency, orders, cod, delivery_fee }: DeliveredAmount): void {
    const key = `${by === null ? day : `${by.number} ${by.evidence_id}`} ${currency}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      sum = { day, currency, by, orders: 0, cod: 0n, delivery_fee: 0n };
      this.#sums.set(key, sum);
    }
    const sign = isAccrued ? 1n : -1n;
    sum.orders += orders;
    sum.cod += sign * cod;
    sum.delivery_fee += sign * delivery_fee;
  }
}
