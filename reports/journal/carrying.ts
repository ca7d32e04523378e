import { inWholeCoins, type Units } from '../../src/money/units.ts';
import type { InvoiceShare, JournalAccount, JournalLine, JournalTransaction } from './model.ts';

/** A balance in its own currency, and what it stands at in the base. */
interface Carried {
  readonly amount: Units;
  readonly base: Units;
}

/** The accounts whose balances are settled, by what each balance is of; all others are booked at the day's rate. */
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
    one: JournalTransaction,
    { account, amount }: JournalLine,
    atRate: Units,
    worthIn: (currency: string) => (amount: Units) => Units,
  ): Units {
    if (account === 'currency_conversion') {
      // Both sides of a conversion stand at what the receipt is worth: what the invoice stands at beyond that is realised.
      const { converted: of = { currency: one.currency, amount } } = one;
      const worthOf = worthIn(of.currency);
      const key = `${account} ${of.currency} ${one.references.receipt ?? ''}`;
      return this.#book(key, of.amount, worthOf(of.amount), worthOf);
    }
    const worth = worthIn(one.currency);
    const by = SETTLED[account];
    if (by === undefined) return atRate;
    const keyOf = (of: number | string) => `${account} ${one.currency} ${of}`;
    if (by === 'pool') return this.#book(keyOf(''), amount, atRate, worth);
    if (by === 'receipt') return this.#book(keyOf(one.references.receipt ?? ''), amount, atRate, worth);
    const shares = one.shares ?? [];
    const remainder = amount - shares.reduce((sum, share) => sum + share.amount, 0n);
    if (shares.length === 0) return this.#book(keyOf(one.references.invoice ?? ''), amount, atRate, worth);
    const all: (InvoiceShare | { readonly number: ''; readonly amount: Units })[] = [
      ...shares,
      { number: '', amount: remainder },
    ];
    return all.reduce((sum, share) => {
      return sum + this.#book(keyOf(share.number), share.amount, worth(share.amount), worth);
    }, 0n);
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
    const held = this.#carried.get(key) ?? { amount: 0n, base: 0n };
    const isRelief = held.amount !== 0n && held.amount > 0n !== amount > 0n;
    const base = isRelief ? this.#relief(held, amount, worth) : atRate;
    const left = { amount: held.amount + amount, base: held.base + base };
    if (left.amount === 0n) this.#carried.delete(key);
    else this.#carried.set(key, left);
    return base;
  }

  #relief(held: Carried, amount: Units, worth: (amount: Units) => Units): Units {
    const over = held.amount + amount;
    // What is more than the balance begins one on the other side.
    if (over === 0n || over > 0n === amount > 0n) return -held.base + (over === 0n ? 0n : worth(over));
    return inWholeCoins(this.#coin, held.base * amount, held.amount);
  }
}
