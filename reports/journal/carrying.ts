import { inWholeCoins, type Units } from '../../src/money/units.ts';
import type { JournalAccount, JournalLine, JournalTransaction } from './model.ts';

/** A balance in its own currency, and what it stands at in the base. */
interface Carried {
  readonly amount: Units;
  readonly base: Units;
}

/** Accounts whose balances are settled: each invoice, each receipt, or the whole currency (`pool`) has one. Others are booked at the day's rate. */
const SETTLED: Readonly<Partial<Record<JournalAccount, 'invoice' | 'receipt' | 'pool'>>> = {
  courier_receivable: 'invoice',
  unallocated_receipts: 'receipt',
  uninvoiced_cod: 'pool',
  accrued_fees: 'pool',
  cod_in_dispute: 'pool',
};

/**
 * At what amounts in the base currency the open balances stand: the courier's debt by invoice, unallocated money by receipt, the others
 * together by currency.
 */
export class CarryingBook {
  readonly #coin: Units;
  readonly #carried = new Map<string, Carried>();

  /** @param coin the base currency's smallest coin */
  constructor(coin: Units) {
    this.#coin = coin;
  }

  /**
   * Books a line: what adds to a balance at the day's rate, what takes from it in proportion at what it stands at.
   *
   * @param atRate the line's amount at the day's rate
   * @param worthIn any amount of a currency at the day's rate
   * @returns the line's amount in the base
   */
  move(
    transaction: JournalTransaction,
    { account, amount }: JournalLine,
    atRate: Units,
    worthIn: (currency: string) => (amount: Units) => Units,
  ): Units {
    const { currency, references, converted, shares = [] } = transaction;
    if (account === 'currency_conversion') {
      // Both sides of a conversion stand at what the receipt is worth: what the invoice stands at beyond that is realised.
      const receiptSide = converted ?? { currency, amount };
      const worthOfReceipt = worthIn(receiptSide.currency);
      const key = `${account} ${receiptSide.currency} ${references.receipt ?? ''}`;
      return this.#book(key, receiptSide.amount, worthOfReceipt(receiptSide.amount), worthOfReceipt);
    }
    const settledBy = SETTLED[account];
    if (settledBy === undefined) return atRate;
    const worth = worthIn(currency);
    const keyOf = (subject: number | string) => `${account} ${currency} ${subject}`;
    if (settledBy === 'pool') return this.#book(keyOf(''), amount, atRate, worth);
    if (settledBy === 'receipt') return this.#book(keyOf(references.receipt ?? ''), amount, atRate, worth);
    if (shares.length === 0) return this.#book(keyOf(references.invoice ?? ''), amount, atRate, worth);
    let [left, base] = [amount, 0n];
    for (const share of shares) {
      base += this.#book(keyOf(share.number), share.amount, worth(share.amount), worth);
      left -= share.amount;
    }
    // The rest belongs to no invoice.
    return base + this.#book(keyOf(''), left, worth(left), worth);
  }

  /** The currencies that have open balances, by name. */
  currencies(): string[] {
    return [...new Set([...this.#carried.keys()].map((key) => key.split(' ')[1]!))].sort();
  }

  /** What an account's open balances in a currency come to. */
  balance(account: JournalAccount, currency: string): Carried {
    let [amount, base] = [0n, 0n];
    for (const [key, carried] of this.#carried) {
      if (!key.startsWith(`${account} ${currency} `)) continue;
      amount += carried.amount;
      base += carried.base;
    }
    return { amount, base };
  }

  #book(key: string, amount: Units, atRate: Units, worth: (amount: Units) => Units): Units {
    if (amount === 0n) return 0n;
    const balance = this.#carried.get(key) ?? { amount: 0n, base: 0n };
    const isRelief = balance.amount !== 0n && !hasSameSign(balance.amount, amount);
    const base = isRelief ? this.#relief(balance, amount, worth) : atRate;
    const after = { amount: balance.amount + amount, base: balance.base + base };
    if (after.amount === 0n) this.#carried.delete(key);
    else this.#carried.set(key, after);
    return base;
  }

  /** The base amount that goes with an amount. Of 100 carried at 50, 40 takes 20. Of 100 taken from 40, 40 takes all and 60 the day's rate. */
  #relief(balance: Carried, amount: Units, worth: (amount: Units) => Units): Units {
    const after = balance.amount + amount;
    if (after === 0n) return -balance.base;
    // What is more than the balance begins one on the other side.
    if (hasSameSign(after, amount)) return -balance.base + worth(after);
    return inWholeCoins(this.#coin, balance.base * amount, balance.amount);
  }
}

/** Whether two amounts, neither of them zero, are on the same side. */
export function hasSameSign(a: Units, b: Units): boolean {
  return a > 0n === b > 0n;
}
