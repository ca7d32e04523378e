import { addDays } from '../../src/base/day.ts';
import { MoneyError } from '../../src/base/errors.ts';
import { compareText } from '../../src/base/text.ts';
import { formatGrouped } from '../../src/money/decimal.ts';
import { amountOfUnits, formatUnits } from '../../src/money/units.ts';
import { controlsError } from '../../src/words/errors/controls.ts';
import {
  accountsOf,
  isKindAccount,
  type Journal,
  type JournalBalance,
  type JournalLine,
  type JournalTransaction,
} from './model.ts';

/**
 * Makes a period's journal from all transactions up to its end: those before the period make its opening balances.
 *
 * @throws MoneyError naming a transaction whose lines do not add up to zero, or an id that two of them have
 */
export function journalOf(
  { period, from, to }: Pick<Journal, 'period' | 'from' | 'to'>,
  transactions: Iterable<JournalTransaction>,
  base: string | null = null,
): Journal {
  const before: JournalTransaction[] = [];
  const within: JournalTransaction[] = [];
  const ids = new Set<string>();
  for (const transaction of transactions) {
    const { id, date } = transaction;
    if (date > to) continue;
    refuseUnbalanced(transaction);
    if (ids.has(id)) throw new MoneyError(controlsError({ id: 'transaction-twice', transaction: id }));
    ids.add(id);
    (date < from ? before : within).push(transaction);
  }
  within.sort((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  return { period, from, to, base, opening: balancesOf([], before), transactions: within };
}

/** The accounts' balances after some transactions: accounts in their order, currencies by name, without zeros. */
export function balancesOf(
  opening: readonly JournalBalance[],
  transactions: Iterable<JournalTransaction>,
): JournalBalance[] {
  const sums = new Map<string, Pick<JournalBalance, 'amount' | 'base'>>();
  const ofKinds: JournalLine[] = [];
  const currencies = new Set<string>();
  const add = (currency: string, line: JournalLine) => {
    const key = `${line.account} ${currency}`;
    const sum = sums.get(key);
    const inBase = line.base === undefined ? {} : { base: (sum?.base ?? 0n) + line.base };
    sums.set(key, { amount: (sum?.amount ?? 0n) + line.amount, ...inBase });
    currencies.add(currency);
    if (isKindAccount(line.account)) ofKinds.push(line);
  };
  for (const { currency, ...line } of opening) add(currency, line);
  for (const { currency, lines } of transactions) for (const line of lines) add(currency, line);
  return accountsOf(ofKinds)
    .flatMap((account) =>
      [...currencies]
        .sort()
        .map((currency) => ({ account, currency, ...(sums.get(`${account} ${currency}`) ?? { amount: 0n }) })),
    )
    .filter(({ amount, base = 0n }) => amount !== 0n || base !== 0n);
}

/** The opening balances as one transaction per currency, so that an export can be read on its own. */
export function openingTransactions({ from, opening, base: baseCurrency }: Journal): JournalTransaction[] {
  const date = addDays(from, -1);
  return [...new Set(opening.map(({ currency }) => currency))].map((currency): JournalTransaction => {
    const lines = opening.filter((balance) => balance.currency === currency && balance.account !== 'opening');
    const difference = lines.reduce((sum, { amount }) => sum + amount, 0n);
    const differenceInBase = lines.reduce((sum, { base = 0n }) => sum + base, 0n);
    const inBase = baseCurrency === null ? {} : { base: -differenceInBase };
    const against: JournalLine = { account: 'opening', amount: -difference, ...inBase };
    return {
      id: `OPEN-${from}-${currency}`,
      date,
      currency,
      narration: { id: 'booked-opening' },
      references: {},
      lines: [
        ...lines.map(({ currency: _, ...line }) => line),
        ...(difference === 0n && differenceInBase === 0n ? [] : [against]),
      ],
    };
  });
}

function refuseUnbalanced({ id, currency, lines }: JournalTransaction): void {
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  const inBase = lines.reduce((total, { base = 0n }) => total + base, 0n);
  if (sum === 0n && inBase === 0n) return;
  // Null for the base currency, in which lines may fail to balance although their amounts do.
  const tooMuch =
    sum === 0n
      ? { amount: formatUnits(inBase), currency: null }
      : { amount: formatGrouped(amountOfUnits(sum)), currency };
  throw new MoneyError(controlsError({ id: 'transaction-unbalanced', transaction: id, ...tooMuch }));
}
