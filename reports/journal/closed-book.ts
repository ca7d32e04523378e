import { addMonths, lastDayOf } from '../../src/period.ts';
import type { JournalLine, JournalTransaction } from './model.ts';

/** The close of a month: its evidence, and the month. */
interface Close {
  readonly id: number;
  readonly period: string;
}

/**
 * Transactions, month by month as they were closed: what stands in a closed month stays as it is. What a later look has otherwise there
 * is booked on the first day that is open, as an adjustment (`ADJ-`) by what has changed. Looks come in the order of their closes, each
 * with all that was known then, whatever its days.
 */
export class ClosedBook {
  readonly #transactions: JournalTransaction[] = [];
  /** By id: the transaction, and what its accounts come to with all its adjustments. */
  readonly #held = new Map<string, { readonly first: JournalTransaction; lines: readonly JournalLine[] }>();
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
          this.#adjust(held, []);
          if (isDue) this.#first({ ...one, id: `${one.id}-${this.#last!.id}` }, one.id);
        } else this.#adjust(held, one.lines);
      } else if (isDue) {
        this.#first(isOpen ? one : { ...one, date: this.#firstOpenDay() }, one.id);
        seen.add(one.id);
      }
    }
    for (const [id, held] of this.#held) if (!seen.has(id)) this.#adjust(held, []);
  }

  #first(transaction: JournalTransaction, id: string): void {
    this.#transactions.push(transaction);
    this.#held.set(id, { first: transaction, lines: transaction.lines });
  }

  #adjust(held: { readonly first: JournalTransaction; lines: readonly JournalLine[] }, lines: readonly JournalLine[]) {
    const changes = new Map<JournalLine['account'], bigint>();
    const add = (account: JournalLine['account'], amount: bigint) =>
      changes.set(account, (changes.get(account) ?? 0n) + amount);
    for (const { account, amount } of lines) add(account, amount);
    for (const { account, amount } of held.lines) add(account, -amount);
    const changed = [...changes].flatMap(([account, amount]) => (amount === 0n ? [] : [{ account, amount }]));
    held.lines = lines;
    if (changed.length === 0) return;
    this.#transactions.push({
      ...held.first,
      id: `ADJ-${held.first.id}-${this.#last!.id}`,
      date: this.#firstOpenDay(),
      narration: `Changed after the close: ${held.first.narration}`,
      lines: changed,
    });
  }

  #firstOpenDay(): string {
    return `${addMonths(this.#last!.period, 1)}-01`;
  }
}
