import { addMonths, lastDayOf } from '../../src/base/period.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import type { Units } from '../../src/money/units.ts';
import type { JournalLine, JournalTransaction, ReceivableShare } from './model.ts';

type Close = Pick<PeriodCloseTable, 'id' | 'period'>;

/** What a transaction books; an adjustment takes the difference of two. */
type Content = Pick<JournalTransaction, 'lines' | 'shares' | 'refunds' | 'converted'> &
  Partial<Pick<JournalTransaction, 'references'>>;

/** A transaction as it was first booked, and its content with all adjustments so far. */
interface Booked {
  readonly first: JournalTransaction;
  content: Content;
}

const NOTHING: Content = { lines: [] };

/**
 * Keeps the transactions of closed months as they were closed. If an amount is another one at a later close, or today,
 * the difference is booked on the first open day, as an adjustment (`ADJ-`). Call `close` for each close in their
 * order, then `add`, each with all transactions that were known then, whatever their day.
 *
 * October is closed with an invoice of 100. It is 90 when November is closed: October keeps 100, and November gets an
 * adjustment of -10.
 */
export class ClosedBook {
  readonly transactions: JournalTransaction[] = [];
  /** By the transaction's id; one that moved to another day has another id in the journal. */
  readonly #booked = new Map<string, Booked>();
  #lastClose: Close | null = null;

  /** Books a month, and those before it, as they were known at its close. */
  close(known: readonly JournalTransaction[], close: Close): void {
    this.#book(known, lastDayOf(close.period));
    this.#lastClose = close;
  }

  /** Books all that is known now. */
  add(known: readonly JournalTransaction[]): void {
    // Without a closed month there is nothing to compare with.
    if (this.#lastClose === null) for (const transaction of known) this.transactions.push(transaction);
    else this.#book(known, null);
  }

  /** @param until the last day to book; null for all. Later days wait for a later close */
  #book(known: readonly JournalTransaction[], until: string | null): void {
    for (const transaction of known) {
      const isDue = until === null || transaction.date <= until;
      const booked = this.#booked.get(transaction.id);
      if (!booked) {
        if (isDue) this.#bookFirst(transaction);
      } else if (this.#hasLeftClosedMonths(booked, transaction)) this.#move(booked, transaction, isDue);
      else this.#adjust(booked, transaction);
    }
    // What is no longer known is taken back.
    const knownIds = new Set(known.map(({ id }) => id));
    for (const [id, booked] of this.#booked) if (!knownIds.has(id)) this.#adjust(booked, NOTHING);
  }

  #bookFirst(transaction: JournalTransaction): void {
    const date = this.#isOpen(transaction.date) ? transaction.date : this.#firstOpenDay();
    this.#put(transaction.id, { ...transaction, date });
  }

  #hasLeftClosedMonths({ first }: Booked, { date }: JournalTransaction): boolean {
    return this.#isOpen(date) && !this.#isOpen(first.date);
  }

  /**
   * Takes a transaction back that left the closed months, and books it on its new day under another id. If that day is
   * not due yet, a later close books it.
   */
  #move(booked: Booked, transaction: JournalTransaction, isDue: boolean): void {
    this.#adjust(booked, NOTHING);
    if (isDue) this.#put(transaction.id, { ...transaction, id: `${transaction.id}-${this.#lastClose!.id}` });
  }

  #put(id: string, first: JournalTransaction): void {
    this.transactions.push(first);
    this.#booked.set(id, { first, content: first });
  }

  #adjust(booked: Booked, content: Content): void {
    const { first, content: before } = booked;
    const lines = linesMoved(before, content);
    const refunds = (content.refunds ?? 0n) - (before.refunds ?? 0n);
    // If only shares changed, they are booked with the next change of an account.
    if (lines.length === 0 && refunds === 0n) return;
    booked.content = content;
    const shares = sharesMoved(before, content);
    const areAllOfItsInvoice = shares.every(({ number }) => number === first.references.invoice);
    const conversion = content.converted ?? before.converted;
    const convertedMore = (content.converted?.amount ?? 0n) - (before.converted?.amount ?? 0n);
    // The adjustment has its own amounts, and everything else from the transaction as it was first booked.
    const { shares: _, refunds: __, converted: ___, ...unchanged } = first;
    this.transactions.push({
      ...unchanged,
      id: `ADJ-${first.id}-${this.#lastClose!.id}`,
      date: this.#firstOpenDay(),
      narration: { id: 'booked-adjustment', of: first.narration },
      // `references` name the invoice already.
      ...(areAllOfItsInvoice ? {} : { shares }),
      ...(refunds === 0n ? {} : { refunds }),
      ...(conversion === undefined ? {} : { converted: { ...conversion, amount: convertedMore } }),
      lines,
    });
  }

  #isOpen(day: string): boolean {
    return this.#lastClose === null || day > lastDayOf(this.#lastClose.period);
  }

  #firstOpenDay(): string {
    return `${addMonths(this.#lastClose!.period, 1)}-01`;
  }
}

/** How the accounts' amounts changed, an account at most once. */
function linesMoved(before: Content, after: Content): JournalLine[] {
  const moved = amountsMoved(before.lines, after.lines, ({ account }) => account);
  return moved.map(([account, amount]) => ({ account, amount }));
}

/** How the invoices' shares of the courier receivable changed, an invoice at most once. */
function sharesMoved(before: Content, after: Content): ReceivableShare[] {
  const moved = amountsMoved(sharesOf(before), sharesOf(after), ({ number }) => number);
  return moved.map(([number, amount]) => ({ number, amount }));
}

/** By how much the sum of each key's amounts changed, without zeros. */
function amountsMoved<T extends { readonly amount: Units }, K>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (part: T) => K,
): [K, Units][] {
  const changes = new Map<K, Units>();
  const add = (key: K, amount: Units) => changes.set(key, (changes.get(key) ?? 0n) + amount);
  for (const part of after) add(keyOf(part), part.amount);
  for (const part of before) add(keyOf(part), -part.amount);
  return [...changes].filter(([, amount]) => amount !== 0n);
}

/** An invoice that has all of a transaction is in its references alone, and in no share. */
function sharesOf({ shares, references, lines }: Content): readonly ReceivableShare[] {
  if (shares || references?.invoice === undefined) return shares ?? [];
  const receivable = lines.filter(({ account }) => account === 'courier_receivable');
  return receivable.map(({ amount }) => ({ number: references.invoice!, amount }));
}
