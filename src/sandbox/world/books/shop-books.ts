import type { Planted } from '../planted.ts';

/** A row of the shop's order book: one order in one currency. */
export interface ShopOrder {
  readonly reference: string;
  /** A day, `YYYY-MM-DD`. */
  readonly orderedOn: string;
  readonly status: 'open' | 'cancelled' | 'handed_over';
  readonly currency: string;
  /** What the courier must collect, in units. */
  readonly cod: bigint;
  readonly district: string;
  readonly note: string;
}

/** A line of a bank account or of the cash book. */
export interface BankLine {
  /** A day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly currency: string;
  /** In units; negative if money went out. */
  readonly amount: bigint;
  readonly counterparty: string;
  readonly text: string;
}

/** A line by which the courier pays these invoices. */
export interface PaymentLine extends BankLine {
  readonly invoices: readonly number[];
}

/** An agreed price; a day is empty where there is no limit. */
export interface Price {
  readonly workflow: string;
  readonly district: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly currency: string;
  /** Plain decimal text. */
  readonly fee: string;
}

/** The value of one unit of the currency `from` in `to`, from a day on. */
export interface ShopRate {
  readonly date: string;
  readonly from: string;
  readonly to: string;
  /** Plain decimal text. */
  readonly rate: string;
}

/** The merchant's books: orders, receipts, prices, rates. */
export interface ShopBooks {
  readonly orders: readonly ShopOrder[];
  readonly receipts: readonly PaymentLine[];
  /** Invoices whose receipts are in the cash book, not in the bank. */
  readonly inCash: ReadonlySet<number>;
  /** Bank lines that are not from the courier. */
  readonly others: readonly BankLine[];
  readonly prices: readonly Price[];
  readonly rates: readonly ShopRate[];
  /** The mismatches between these books and the courier's documents, as checks report them. */
  readonly planted: readonly Planted[];
}

export const COURIER_ON_BANK_LINES = 'Cedar Road Couriers SAL';
