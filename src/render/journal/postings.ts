import type { Journal, JournalAccount, JournalTransaction } from '../../../reports/journal/model.ts';
import type { Units } from '../../money/units.ts';

/** A line as hledger and beancount take it. */
export interface Posting {
  readonly account: JournalAccount;
  readonly currency: string;
  readonly amount: Units;
  /** What the amount is worth in the base currency, without its sign; null where it is in the base currency, or there is none. */
  readonly cost: Units | null;
}

/**
 * The postings of a transaction: an amount in another currency has its worth in the base as its price, and a base amount alone is a
 * posting in the base currency.
 */
export function postingsOf({ currency, lines }: JournalTransaction, base: string | null): Posting[] {
  return lines.flatMap(({ account, amount, base: inBase = 0n }): Posting[] => {
    if (base === null || base === currency) return [{ account, currency, amount, cost: null }];
    const alone = { account, currency: base, amount: inBase, cost: null };
    if (amount === 0n) return [alone];
    const size = inBase < 0n ? -inBase : inBase;
    if (inBase === 0n || inBase > 0n === amount > 0n) return [{ account, currency, amount, cost: size }];
    // A price has no sign: a worth against the amount's stands alone.
    return [{ account, currency, amount, cost: 0n }, alone];
  });
}

/** What each account holds of each currency after some transactions: `account currency` → amount. */
export function heldAfter(transactions: readonly JournalTransaction[], base: string | null): Map<string, Units> {
  const held = new Map<string, Units>();
  for (const one of transactions) {
    for (const { account, currency, amount } of postingsOf(one, base)) {
      const key = `${account} ${currency}`;
      held.set(key, (held.get(key) ?? 0n) + amount);
    }
  }
  return held;
}

/** The currencies of some transactions, with the base currency, by name. */
export function currenciesOf(transactions: readonly JournalTransaction[], base: string | null): string[] {
  return [...new Set([...transactions.map(({ currency }) => currency), ...(base === null ? [] : [base])])].sort();
}

/** The same journal in its base currency alone, for programs that have no column for a currency; as it is where it has no base. */
export function inBaseAlone(journal: Journal): Journal {
  const { base: currency } = journal;
  if (currency === null) return journal;
  const transactions = journal.transactions.flatMap((one) => {
    const lines = one.lines.flatMap(({ account, base = 0n }) => (base === 0n ? [] : [{ account, amount: base }]));
    return lines.length === 0 ? [] : [{ ...one, currency, lines }];
  });
  return { ...journal, opening: [], transactions };
}
