import { smallestCoin, type Units } from '../../src/money/index.ts';
import type { JournalLine, JournalTransaction } from './model.ts';
import { inWholeCoins } from './whole-coins.ts';

/** Invoices and their restatements, also as adjusted after a close. An accrual is left out: its fee still includes the tax. */
const INVOICED = /^(?:ADJ-)?(?:INV|RES)-/;

/**
 * Divides the delivery fee of invoices into fee and recoverable tax. The tax of all that an invoice charged so far, in one currency, is
 * rounded once, to the smallest coin; a restatement books only the difference.
 *
 * @param percent the tax that fees include, in hundredths of a percent: 1100 is 11%, which makes 11/111 of a fee
 */
export function withFeeTax(transactions: readonly JournalTransaction[], percent: number): JournalTransaction[] {
  const charged = new Map<string, { fee: Units; tax: Units }>();
  const taxes = new Map<JournalTransaction, Units>();
  for (const transaction of [...transactions].sort(compare)) {
    const { invoice } = transaction.references;
    if (invoice === undefined || !INVOICED.test(transaction.id)) continue;
    const key = `${invoice} ${transaction.currency}`;
    const before = charged.get(key) ?? { fee: 0n, tax: 0n };
    const fee = before.fee + feeOf(transaction);
    const tax = inWholeCoins(smallestCoin(transaction.currency), fee * BigInt(percent), BigInt(10_000 + percent));
    taxes.set(transaction, tax - before.tax);
    charged.set(key, { fee, tax });
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
