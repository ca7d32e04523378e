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

/** Accounts whose balances are settled: per invoice, receipt or currency (`pool`). */
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
   * A line on any account that is not in {@link SETTLED} is booked at the day's rate.
   *
   * @param atRate the line's amount at the day's rate
   * @returns the line's amount in the base
   */
  bookLine(transaction: JournalTransaction, { account, amount }: JournalLine, atRate: Units, worthIn: WorthIn): Units {
    const { currency, references, converted, shares = [] } = transaction;
    const { invoice = '', receipt = '' } = references;
    if (account === 'currency_conversion') {
      // 8,900,000 LBP pay an invoice's 100 USD: the line of the transaction in USD has them as `converted`, and counts
      // as LBP of the receipt, like the line of the transaction in LBP. So these two lines cancel out. What the LBP are
      // worth more or less than the invoice's base amount is left over in the transaction in USD, and so is realised.
      const paid = converted ?? { currency, amount };
      const worth = worthIn(paid.currency);
      return this.#book({ account, currency: paid.currency, subject: receipt }, paid.amount, worth(paid.amount), worth);
    }
    const settledBy = SETTLED[account];
    if (settledBy === undefined) return atRate;
    const worth = worthIn(currency);
    if (settledBy !== 'invoice' || shares.length === 0) {
      const subject = { invoice, receipt, pool: '' }[settledBy];
      return this.#book({ account, currency, subject }, amount, atRate, worth);
    }
    // Several invoices share the line. What is left of it belongs to none.
    const left = shares.reduce((rest, share) => rest - share.amount, amount);
    const parts = [...shares, { number: '', amount: left }];
    return parts.reduce((base, part) => {
      return base + this.#book({ account, currency, subject: part.number }, part.amount, worth(part.amount), worth);
    }, 0n);
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
