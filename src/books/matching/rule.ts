import type { CurrencyBooks, OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import type { Ambiguity, MatchRule, Way } from './model.ts';

/** The receipts for which a rule found more than one way, with these ways. They wait, and no later rule sees them. */
export type Stuck = Map<OpenReceipt, Ambiguity>;

/**
 * One rule over all receipts that are still open. It books what is clear and adds to `stuck` what is not.
 *
 * @returns whether anything was booked
 */
export type Rule = (books: CurrencyBooks, stuck: Stuck) => boolean;

/** A way in which one receipt may be paid out to invoices. */
export interface Choice {
  readonly rule: MatchRule;
  readonly invoices: readonly OpenInvoice[];
}

/** Receipts with something left that no rule has stopped at yet. */
export function openReceipts(books: CurrencyBooks, stuck: Stuck, sign: 1 | -1): OpenReceipt[] {
  return books.receipts.filter(
    (receipt) => (sign === 1 ? receipt.left > 0n : receipt.left < 0n) && !stuck.has(receipt),
  );
}

/** Notes that a receipt has several ways, or too many to look at. */
export function setAside(
  books: CurrencyBooks,
  stuck: Stuck,
  receipt: OpenReceipt,
  rule: MatchRule,
  ways: readonly Way[],
  tooMany: boolean,
): void {
  const { currency } = books;
  stuck.set(receipt, { receipt: receipt.id, currency, amount: receipt.left, rule, ways, tooMany });
}

/** The way of one receipt, for people and programs. */
export function wayOf(receipt: OpenReceipt, invoices: readonly OpenInvoice[]): Way {
  return { receipts: [receipt.id], invoices: invoices.map(({ number }) => number) };
}

/** `invoice 10009`, `invoices 10009 and 10011`. */
export function sayInvoices(numbers: readonly number[]): string {
  if (numbers.length === 1) return `invoice ${numbers[0]}`;
  return `invoices ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}
