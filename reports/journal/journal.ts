import { addDays } from '../../src/base/day.ts';
import { MoneyError } from '../../src/base/errors.ts';
import { compareText } from '../../src/base/text.ts';
import { formatGrouped } from '../../src/money/format.ts';
import { amountOfUnits, formatUnits } from '../../src/money/units.ts';
import { because } from '../../src/words/errors/controls.ts';
import {
  accountsOf,
  isKindAccount,
  type Journal,
  type JournalBalance,
  type JournalLine,
  type JournalTransaction,
} from './model.ts';

/**
 * Makes a period's journal of all transactions up to its end: those before it are its opening balances.
 *
 * @throws MoneyError naming a transaction whose lines do not add up to zero, or an id that stands twice
 */
export function journalOf(
  { period, from, to }: Pick<Journal, 'period' | 'from' | 'to'>,
  transactions: Iterable<JournalTransaction>,
  base: string | null = null,
): Journal {
  const before: JournalTransaction[] = [];
  const within: JournalTransaction[] = [];
  const ids = new Set<string>();
  for (const one of transactions) {
    if (one.date > to) continue;
    refuseUnbalanced(one);
    if (ids.has(one.id)) {
      throw new MoneyError(because({ id: 'transaction-twice', transaction: one.id }));
    }
    ids.add(one.id);
    (one.date < from ? before : within).push(one);
  }
  within.sort((a, b) => (a.date === b.date ? compareText(a.id, b.id) : compareText(a.date, b.date)));
  return { period, from, to, base, opening: balancesOf([], before), transactions: within };
}

/** What the accounts hold after some transactions, the accounts in their order, currencies by name; without what is zero. */
export function balancesOf(
  opening: readonly JournalBalance[],
  transactions: Iterable<JournalTransaction>,
): JournalBalance[] {
  const sums = new Map<string, Pick<JournalBalance, 'amount' | 'base'>>();
  const add = (currency: string, { account, amount, base }: JournalLine) => {
    const key = `${account} ${currency}`;
    const held = sums.get(key);
    const inBase = base === undefined ? {} : { base: (held?.base ?? 0n) + base };
    sums.set(key, { amount: (held?.amount ?? 0n) + amount, ...inBase });
  };
  const lines: JournalLine[] = [];
  const take = (currency: string, line: JournalLine) => {
    add(currency, line);
    if (isKindAccount(line.account)) lines.push(line);
  };
  for (const { currency, ...line } of opening) take(currency, line);
  for (const { currency, lines: own } of transactions) for (const line of own) take(currency, line);
  const currencies = [...new Set([...sums.keys()].map((key) => key.split(' ')[1]!))].sort();
  return accountsOf(lines)
    .flatMap((account) =>
      currencies.map((currency) => ({ account, currency, ...(sums.get(`${account} ${currency}`) ?? { amount: 0n }) })),
    )
    .filter(({ amount, base = 0n }) => amount !== 0n || base !== 0n);
}

/** The opening balances as one transaction a currency, against `opening`: so an export can be read on its own. */
export function openingTransactions({ from, opening, base: baseCurrency }: Journal): JournalTransaction[] {
  const date = dayBefore(from);
  return [...new Set(opening.map(({ currency }) => currency))].map((currency): JournalTransaction => {
    const lines = opening.filter((balance) => balance.currency === currency && balance.account !== 'opening');
    const difference = lines.reduce((sum, { amount }) => sum + amount, 0n);
    const restInBase = lines.reduce((sum, { base = 0n }) => sum + base, 0n);
    return {
      id: `OPEN-${from}-${currency}`,
      date,
      currency,
      narration: { id: 'booked-opening' },
      references: {},
      lines: [
        ...lines.map(({ currency: _, ...line }) => line),
        ...(difference === 0n && restInBase === 0n
          ? []
          : [
              {
                account: 'opening' as const,
                amount: -difference,
                ...(baseCurrency === null ? {} : { base: -restInBase }),
              },
            ]),
      ],
    };
  });
}

function dayBefore(date: string): string {
  return addDays(date, -1);
}

export function dayAfter(date: string): string {
  return addDays(date, 1);
}

function refuseUnbalanced({ id, currency, lines }: JournalTransaction): void {
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  const inBase = lines.reduce((total, { base = 0n }) => total + base, 0n);
  if (sum === 0n && inBase === 0n) return;
  const tooMuch =
    sum === 0n
      ? { amount: formatUnits(inBase), currency: null }
      : { amount: formatGrouped(amountOfUnits(sum)), currency };
  throw new MoneyError(because({ id: 'transaction-unbalanced', transaction: id, ...tooMuch }));
}
