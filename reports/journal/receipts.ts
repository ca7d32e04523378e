import { dayIn } from '../../src/base/day.ts';
import { addMonths, lastDayOf } from '../../src/base/period.ts';
import { namedDifferences, receivedMoney } from '../../src/checks/facts/receipts/flows.ts';
import type { Settlements } from '../../src/checks/facts/receipts/settlements.ts';
import { bookedOn, bookReceipt, type ClosedMonth, dayToBook } from '../../src/ledger/queries/balances/movements.ts';
import type { Units } from '../../src/money/units.ts';
import type { InvoiceShare, JournalLine, JournalTransaction } from './model.ts';
import { postAllocated, postExchanged, postNamedDifference, postReceived } from './post.ts';

/**
 * What came in, receipt by receipt on its own day: the courier's, and what a person matched. What an invoice gets of it is never booked
 * before the invoice is; until then, and where no invoice is known for it, it is unallocated. What was imported or matched after its
 * day's month was closed is booked on the day of the import or the match.
 */
export function postReceipts(settlements: Settlements, closed: readonly ClosedMonth[]): JournalTransaction[] {
  const { books, invoices } = settlements;
  const received = receivedMoney(settlements).receipts.flatMap((one) => {
    const { receipt: id, date, currency, amount, shares } = bookReceipt(one, closed);
    const receipt = String(id);
    const exchanged = shares.flatMap(({ worth, ...share }) => (worth ? [{ ...share, worth }] : []));
    const sameCurrency = shares.filter(({ worth }) => !worth);
    const later = sameCurrency.filter((share) => share.date !== date);
    const numbers = [...new Set(shares.map(({ number }) => number))];
    return [
      postReceived({
        receipt,
        date,
        currency,
        amount,
        allocated: atOnce(sameCurrency, date),
        exchanged: atOnce(exchanged, date),
        invoices: numbers,
        shares: numbers.length > 1 ? sharesOf(sameCurrency.filter((share) => share.date === date)) : [],
      }),
      ...exchanged.flatMap(({ worth, amount: paid, match, ...share }) =>
        postExchanged({
          receipt,
          ...share,
          ...worth,
          paid: { currency, amount: paid },
          isLater: share.date !== date,
          mark: `M${match}`,
        }),
      ),
      ...sumByInvoice(later.filter(({ isLate }) => !isLate)).map((share) =>
        postAllocated({ receipt, currency, ...share }),
      ),
      ...later
        .filter(({ isLate }) => isLate)
        .map((share) => postAllocated({ receipt, currency, ...share, mark: `M${share.match}` })),
    ];
  });
  const bookedOns = new Map(invoices.map((invoice) => [invoice.number, bookedOn(invoice)]));
  const matches = new Map(
    books.held.map(({ id, evidence_id, at }) => [id, { evidence_id, seen_on: dayIn(at, books.timeZone) }]),
  );
  const named = namedDifferences(books).map((difference) => {
    const { match, number, date: decided } = difference;
    const booked = bookedOns.get(number) ?? decided;
    const date = dayToBook(decided < booked ? booked : decided, matches.get(match)!, closed);
    return postNamedDifference({ ...difference, id: `${match}-${number}`, date });
  });
  return [...received, ...named].filter((one) => one !== null);
}

type Share = Pick<ReturnType<typeof bookReceipt>['shares'][number], 'number' | 'amount' | 'date'>;

/** What is booked with the receipt itself. */
function atOnce(shares: readonly { readonly date: string; readonly amount: Units }[], date: string): Units {
  return shares.reduce((sum, share) => (share.date === date ? sum + share.amount : sum), 0n);
}

/** What each invoice got, as the courier receivable has it. */
function sharesOf(shares: readonly Share[]): InvoiceShare[] {
  return sumByInvoice(shares).map(({ number, amount }) => ({ number, amount: -amount }));
}

/** Two matches may have tied one receipt to one invoice. */
function sumByInvoice(shares: readonly Share[]): Share[] {
  const sums = new Map<number, Share>();
  for (const { number, amount, date } of shares) {
    sums.set(number, { number, date, amount: (sums.get(number)?.amount ?? 0n) + amount });
  }
  return [...sums.values()];
}

/** The close of a month: its evidence, and the month. */
interface Close {
  readonly id: number;
  readonly period: string;
}

/** What a transaction books; an adjustment takes the difference of two. */
type Content = Pick<JournalTransaction, 'lines' | 'shares' | 'refunds' | 'converted'>;

/** A transaction as it was first booked, and what it comes to with all its adjustments. */
interface Held {
  readonly first: JournalTransaction;
  now: Content;
}

const NOTHING: Content = { lines: [] };

/**
 * Transactions, month by month as they were closed: what stands in a closed month stays as it is. What a later look has otherwise there
 * is booked on the first day that is open, as an adjustment (`ADJ-`) by what has changed. Looks come in the order of their closes, each
 * with all that was known then, whatever its days.
 */
export class ClosedBook {
  readonly #transactions: JournalTransaction[] = [];
  readonly #held = new Map<string, Held>();
  #last: Close | null = null;

  /** The last closed day; empty before the first close. */
  get closedTo(): string {
    return this.#last === null ? '' : lastDayOf(this.#last.period);
  }

  get transactions(): JournalTransaction[] {
    return this.#transactions;
  }

  /** Books what was known of a month, and of those before it, when it was closed. */
  close(known: readonly JournalTransaction[], close: Close): void {
    this.#book(known, lastDayOf(close.period));
    this.#last = close;
  }

  /** Books what is known by now. */
  add(known: readonly JournalTransaction[]): void {
    this.#book(known, null);
  }

  #book(known: readonly JournalTransaction[], until: string | null): void {
    if (this.#last === null && until === null) {
      for (const one of known) this.#transactions.push(one);
      return;
    }
    const seen = new Set<string>();
    for (const one of known) {
      const held = this.#held.get(one.id);
      const isOpen = one.date > this.closedTo;
      const isDue = until === null || one.date <= until;
      if (held) {
        seen.add(one.id);
        // It has moved out of the closed months: taken back there, it stands on its own day.
        if (isOpen && held.first.date <= this.closedTo) {
          this.#adjust(held, NOTHING);
          if (isDue) this.#first({ ...one, id: `${one.id}-${this.#last!.id}` }, one.id);
        } else this.#adjust(held, one);
      } else if (isDue) {
        this.#first(isOpen ? one : { ...one, date: this.#firstOpenDay() }, one.id);
        seen.add(one.id);
      }
    }
    for (const [id, held] of this.#held) if (!seen.has(id)) this.#adjust(held, NOTHING);
  }

  #first(transaction: JournalTransaction, id: string): void {
    this.#transactions.push(transaction);
    this.#held.set(id, { first: transaction, now: transaction });
  }

  #adjust(held: Held, now: Content) {
    const changes = new Map<JournalLine['account'], bigint>();
    const add = (account: JournalLine['account'], amount: bigint) =>
      changes.set(account, (changes.get(account) ?? 0n) + amount);
    for (const { account, amount } of now.lines) add(account, amount);
    for (const { account, amount } of held.now.lines) add(account, -amount);
    const changed = [...changes].flatMap(([account, amount]) => (amount === 0n ? [] : [{ account, amount }]));
    const shares = sharesMoved(held.now, now);
    const refunds = (now.refunds ?? 0n) - (held.now.refunds ?? 0n);
    const paid = now.converted ?? held.now.converted;
    const converted = (now.converted?.amount ?? 0n) - (held.now.converted?.amount ?? 0n);
    held.now = now;
    if (changed.length === 0 && refunds === 0n) return;
    const { shares: _, refunds: __, converted: ___, ...first } = held.first;
    this.#transactions.push({
      ...first,
      id: `ADJ-${held.first.id}-${this.#last!.id}`,
      date: this.#firstOpenDay(),
      narration: { id: 'booked-adjustment', of: held.first.narration },
      ...(shares.length === 0 ? {} : { shares }),
      ...(refunds === 0n ? {} : { refunds }),
      ...(paid === undefined ? {} : { converted: { ...paid, amount: converted } }),
      lines: changed,
    });
  }

  #firstOpenDay(): string {
    return `${addMonths(this.#last!.period, 1)}-01`;
  }
}

/** How the invoices' shares changed, an invoice at most once. */
function sharesMoved(before: Content, after: Content): InvoiceShare[] {
  const moved = new Map<number, bigint>();
  const add = (number: number, amount: bigint) => moved.set(number, (moved.get(number) ?? 0n) + amount);
  for (const { number, amount } of after.shares ?? []) add(number, amount);
  for (const { number, amount } of before.shares ?? []) add(number, -amount);
  return [...moved].flatMap(([number, amount]) => (amount === 0n ? [] : [{ number, amount }]));
}
