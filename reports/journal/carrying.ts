import { inWholeCoins, type Units } from '../../src/money/units.ts';
import type { JournalAccount, JournalLine, JournalTransaction } from './model.ts';

/** A balance in its own currency, and the amount in the base currency at which it is carried. */
interface Carried {
  readonly amount: Units;
  readonly base: Units;
}

/** What a balance is of. `subject`: its invoice or receipt; empty if it has none, and for a `pool`. */
interface BalanceOf {
  readonly account: JournalAccount;
  readonly currency: string;
  readonly subject: number | string;
}

/** Accounts whose balances are settled: per invoice, receipt or currency (`pool`). Others take the day's rate. */
const SETTLED: Readonly<Partial<Record<JournalAccount, 'invoice' | 'receipt' | 'pool'>>> = {
  courier_receivable: 'invoice',
  unallocated_receipts: 'receipt',
  uninvoiced_cod: 'pool',
  accrued_fees: 'pool',
  cod_in_dispute: 'pool',
};

/** For a currency: what any amount of it is worth in the base currency, at the rate of a transaction's day. */
export type WorthIn = (currency: string) => (amount: Units) => Units;

/**
 * The base amounts at which open balances are carried: the courier's debt per invoice, unallocated money per receipt,
 * the other accounts per currency.
 */
export class CarryingBook {
  readonly #coin: Units;
  readonly #carried = new Map<string, BalanceOf & Carried>();

  /** @param coin the base currency's smallest coin */
  constructor(coin: Units) {
    this.#coin = coin;
  }

  /**
   * Books a line: what adds to a balance at the day's rate, what reduces it in proportion to the balance's base amount.
   *
   * @param atRate the line's amount at the day's rate
   * @returns the line's amount in the base
   */
  bookLine(transaction: JournalTransaction, { account, amount }: JournalLine, atRate: Units, worthIn: WorthIn): Units {
    const { currency, references, converted, shares = [] } = transaction;
    if (account === 'currency_conversion') {
      // A conversion is booked at the receipt's worth; the difference to the invoice's base amount is realised.
      // Each currency has a transaction: the one in the invoice's currency has the receipt's amount in `converted`.
      const receiptSide = converted ?? { currency, amount };
      const worthOfReceipt = worthIn(receiptSide.currency);
      const ofReceipt = { account, currency: receiptSide.currency, subject: references.receipt ?? '' };
      return this.#book(ofReceipt, receiptSide.amount, worthOfReceipt(receiptSide.amount), worthOfReceipt);
    }
    const settledBy = SETTLED[account];
    if (settledBy === undefined) return atRate;
    const worth = worthIn(currency);
    const balanceOf = (subject: number | string): BalanceOf => ({ account, currency, subject });
    if (settledBy === 'pool') return this.#book(balanceOf(''), amount, atRate, worth);
    if (settledBy === 'receipt') return this.#book(balanceOf(references.receipt ?? ''), amount, atRate, worth);
    if (shares.length === 0) return this.#book(balanceOf(references.invoice ?? ''), amount, atRate, worth);
    let left = amount;
    let base = 0n;
    for (const share of shares) {
      base += this.#book(balanceOf(share.number), share.amount, worth(share.amount), worth);
      left -= share.amount;
    }
    // What is left belongs to no invoice.
    return base + this.#book(balanceOf(''), left, worth(left), worth);
  }

  /** The currencies that have open balances, by name. */
  currencies(): string[] {
    return [...new Set([...this.#carried.values()].map((carried) => carried.currency))].sort();
  }

  /** The sum of an account's open balances in a currency. */
  balance(account: JournalAccount, currency: string): Carried {
    let amount = 0n;
    let base = 0n;
    for (const carried of this.#carried.values()) {
      if (carried.account !== account || carried.currency !== currency) continue;
      amount += carried.amount;
      base += carried.base;
    }
    return { amount, base };
  }

  #book(of: BalanceOf, amount: Units, atRate: Units, worth: (amount: Units) => Units): Units {
    if (amount === 0n) return 0n;
    const key = `${of.account} ${of.currency} ${of.subject}`;
    const balance = this.#carried.get(key) ?? { amount: 0n, base: 0n };
    const isRelief = balance.amount !== 0n && !hasSameSign(balance.amount, amount);
    const base = isRelief ? this.#relief(balance, amount, worth) : atRate;
    const after = { amount: balance.amount + amount, base: balance.base + base };
    if (after.amount === 0n) this.#carried.delete(key);
    else this.#carried.set(key, { ...of, ...after });
    return base;
  }

  /** The base amount of a settlement: 20 for 40 of 100 carried at 50. Beyond the balance, the day's rate applies. */
  #relief(balance: Carried, amount: Units, worth: (amount: Units) => Units): Units {
    const after = balance.amount + amount;
    if (after === 0n) return -balance.base;
    // The amount beyond the balance begins a new balance with the other sign.
    if (hasSameSign(after, amount)) return -balance.base + worth(after);
    return inWholeCoins(this.#coin, balance.base * amount, balance.amount);
  }
}

/** Neither amount is zero. */
export function hasSameSign(a: Units, b: Units): boolean {
  return a > 0n === b > 0n;
}
