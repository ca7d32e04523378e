import { smallestCoin, type Units } from '../../src/money/index.ts';
import type { JournalLine, JournalTransaction } from './model.ts';
import { inWholeCoins } from './whole-coins.ts';

/** Invoices and their restatements, also as adjusted after a close; an accrual is booked with its tax. */
const INVOICED = /^(?:ADJ-)?(?:INV|RES)-/;

/**
 * Divides the delivery fee of invoices into fee and recoverable tax. The tax of all that an invoice charged so far, in one currency, is
 * rounded once, to the smallest coin; a restatement books what it changes of that.
 *
 * @param percent the tax that fees include, in hundredths of a percent: 1100 is 11%, which makes 11/111 of a fee
 */
export function withFeeTax(transactions: readonly JournalTransaction[], percent: number): JournalTransaction[] {
  const charged = new Map<string, { fee: Units; tax: Units }>();
  const taxes = new Map<JournalTransaction, Units>();
  for (const one of [...transactions].sort(compare)) {
    const { invoice } = one.references;
    if (invoice === undefined || !INVOICED.test(one.id)) continue;
    const key = `${invoice} ${one.currency}`;
    const held = charged.get(key) ?? { fee: 0n, tax: 0n };
    const fee = held.fee + feeOf(one);
    const tax = inWholeCoins(smallestCoin(one.currency), fee * BigInt(percent), BigInt(10_000 + percent));
    taxes.set(one, tax - held.tax);
    charged.set(key, { fee, tax });
  }
  return transactions.map((one) => divided(one, taxes.get(one) ?? 0n));
}

function feeOf({ lines }: JournalTransaction): Units {
  return lines.reduce((sum, { account, amount }) => (account === 'delivery_fees' ? sum + amount : sum), 0n);
}

function divided(one: JournalTransaction, tax: Units): JournalTransaction {
  if (tax === 0n) return one;
  const lines = one.lines.flatMap((line): JournalLine[] =>
    line.account === 'delivery_fees'
      ? [
          { ...line, amount: line.amount - tax },
          { account: 'recoverable_tax', amount: tax },
        ]
      : [line],
  );
  return { ...one, lines: lines.filter(({ amount }) => amount !== 0n) };
}

function compare(a: JournalTransaction, b: JournalTransaction): number {
  const [one, other] = [`${a.date} ${a.id}`, `${b.date} ${b.id}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
