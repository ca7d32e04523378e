import { smallestCoin, type Units } from '../../src/money/index.ts';
import type { JournalLine, JournalTransaction } from './model.ts';
import { inWholeCoins } from './whole-coins.ts';

/** Invoices and their restatements, also as adjusted after a close. An accrual is left out: its fee still includes the tax. */
const INVOICED = /^(?:ADJ-)?(?:INV|RES)-/;

/**
 * Divides the delivery fee of invoices into fee and recoverable tax. The tax of all that an invoice charged so far, in one currency, is
 * rounded once, to the smallest coin; a restatement books only the difference, at the tax of its invoice's day.
 *
 * @param percentOn the tax that fees of a day include, in hundredths of a percent: 1100 is 11%, which makes 11/111 of a fee; null for none
 */
export function withFeeTax(
  transactions: readonly JournalTransaction[],
  percentOn: (day: string) => number | null,
): JournalTransaction[] {
  const charged = new Map<string, { percent: number; fee: Units; tax: Units }>();
  const taxes = new Map<JournalTransaction, Units>();
  for (const transaction of [...transactions].sort(compare)) {
    const { invoice } = transaction.references;
    if (invoice === undefined || !INVOICED.test(transaction.id)) continue;
    const key = `${invoice} ${transaction.currency}`;
    const before = charged.get(key) ?? { percent: percentOn(transaction.date) ?? 0, fee: 0n, tax: 0n };
    const { percent } = before;
    const fee = before.fee + feeOf(transaction);
    const tax = inWholeCoins(smallestCoin(transaction.currency), fee * BigInt(percent), BigInt(10_000 + percent));
    taxes.set(transaction, tax - before.tax);
    charged.set(key, { percent, fee, tax });
  }
  return transactions.map((transaction) => splitFee(transaction, taxes.get(transaction) ?? 0n));
}

function feeOf({ lines }: JournalTransaction): Units {
  return lines.reduce((sum, { account, amount }) => (account === 'delivery_fees' ? sum + amount : sum), 0n);
}

function splitFee(transaction: JournalTransaction, tax: Units): JournalTransaction {
  if (tax === 0n) return transaction;
  const lines = transaction.lines.flatMap((line): JournalLine[] =>
    line.account === 'delivery_fees'
      ? [
          { ...line, amount: line.amount - tax },
          { account: 'recoverable_tax', amount: tax },
        ]
      : [line],
  );
  return { ...transaction, lines: lines.filter(({ amount }) => amount !== 0n) };
}

function compare(a: JournalTransaction, b: JournalTransaction): number {
  const [one, other] = [`${a.date} ${a.id}`, `${b.date} ${b.id}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
