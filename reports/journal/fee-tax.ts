import { compareText } from '../../src/base/text.ts';
import { inWholeCoins, smallestCoin, type Units } from '../../src/money/units.ts';
import type { JournalAccount, JournalLine, JournalTransaction } from './model.ts';

/** Ids of invoice bookings: `INV-7-USD`, `RES-7-R12-USD`, `ADJ-INV-7-USD-9`. Fees of accruals still include the tax. */
const INVOICED = /^(?:ADJ-)?(?:INV|RES)-/;

/** What an invoice charged so far in one currency, by the account of each fee, and the tax that was split off. */
interface Charged {
  readonly percent: number;
  readonly fees: Map<JournalAccount, Units>;
  readonly taxes: Map<JournalAccount, Units>;
}

/**
 * Splits the recoverable tax off the fees of invoices; COD of RETURN orders among them is no fee. The tax on all that
 * an invoice charged so far in one currency is rounded once, to the smallest coin. A restatement books only the
 * difference, at the percentage of its invoice's day.
 *
 * @param percentOn the tax in fees of a day, in hundredths of a percent: 1100 is 11%, 11/111 of the fee; null for none
 */
export function withFeeTax(
  transactions: readonly JournalTransaction[],
  percentOn: (day: string) => number | null,
): JournalTransaction[] {
  const charged = new Map<string, Charged>();
  const taxes = new Map<JournalTransaction, ReadonlyMap<JournalAccount, Units>>();
  for (const transaction of [...transactions].sort(byDateAndId)) {
    const { invoice } = transaction.references;
    if (invoice === undefined || !INVOICED.test(transaction.id)) continue;
    const key = `${invoice} ${transaction.currency}`;
    const before = charged.get(key) ?? { percent: percentOn(transaction.date) ?? 0, fees: new Map(), taxes: new Map() };
    charged.set(key, before);
    taxes.set(transaction, addFees(before, transaction));
  }
  return transactions.map((transaction) => splitFees(transaction, taxes.get(transaction) ?? new Map()));
}

/** Adds a transaction's fees to what its invoice charged. @returns the tax to split off, by account, without zeros */
function addFees(
  { percent, fees, taxes }: Charged,
  { currency, lines, refunds = 0n }: JournalTransaction,
): Map<JournalAccount, Units> {
  if (percent === 0) return new Map();
  for (const { account, amount } of lines) {
    if (isFee(account)) fees.set(account, (fees.get(account) ?? 0n) + amount);
  }
  if (refunds !== 0n) fees.set('delivery_fees', (fees.get('delivery_fees') ?? 0n) - refunds);
  const coin = smallestCoin(currency);
  const taxChanges = new Map<JournalAccount, Units>();
  let sum = 0n;
  let taken = 0n;
  // Running sums, so that the accounts' taxes add up to the tax on the whole fee.
  for (const [account, fee] of fees) {
    sum += fee;
    const tax = inWholeCoins(coin, sum * BigInt(percent), BigInt(10_000 + percent)) - taken;
    taken += tax;
    const change = tax - (taxes.get(account) ?? 0n);
    taxes.set(account, tax);
    if (change !== 0n) taxChanges.set(account, change);
  }
  return taxChanges;
}

function splitFees(transaction: JournalTransaction, taxes: ReadonlyMap<JournalAccount, Units>): JournalTransaction {
  if (taxes.size === 0) return transaction;
  const { lines } = transaction;
  const afterFees = lines.findLastIndex(({ account }) => isFee(account)) + 1;
  const booked = new Set(lines.map(({ account }) => account));
  const split = [
    ...lines.slice(0, afterFees).map((line) => ({ ...line, amount: line.amount - (taxes.get(line.account) ?? 0n) })),
    // No line of this transaction has the account: only refunds moved in it, or the rounding of its tax.
    ...[...taxes].flatMap(([account, tax]) => (booked.has(account) ? [] : [{ account, amount: -tax }])),
    { account: 'recoverable_tax' as const, amount: [...taxes.values()].reduce((sum, tax) => sum + tax, 0n) },
    ...lines.slice(afterFees),
  ];
  return { ...transaction, lines: split.filter(({ amount }) => amount !== 0n) };
}

function isFee(account: JournalLine['account']): boolean {
  return account === 'delivery_fees' || account.startsWith('charge:');
}

function byDateAndId(a: JournalTransaction, b: JournalTransaction): number {
  return compareText(a.date, b.date) || compareText(a.id, b.id);
}
