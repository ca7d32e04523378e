import { MoneyError } from '../../src/errors.ts';
import { amountOfUnits, formatMoney, type Units } from '../../src/money/index.ts';
import { JOURNAL_ACCOUNTS, type Journal, type JournalBalance, type JournalTransaction } from './model.ts';

/**
 * Makes a period's journal of all transactions up to its end: those before it are its opening balances.
 *
 * @throws MoneyError naming a transaction whose lines do not add up to zero, or an id that stands twice
 */
export function journalOf(
  { period, from, to }: Pick<Journal, 'period' | 'from' | 'to'>,
  transactions: Iterable<JournalTransaction>,
): Journal {
  const before: JournalTransaction[] = [];
  const within: JournalTransaction[] = [];
  const ids = new Set<string>();
  for (const one of transactions) {
    if (one.date > to) continue;
    refuseUnbalanced(one);
    if (ids.has(one.id)) {
      throw new MoneyError(`two transactions are called ${one.id}`, 'Run `remit verify`: one event is booked twice.');
    }
    ids.add(one.id);
    (one.date < from ? before : within).push(one);
  }
  within.sort((a, b) => (a.date === b.date ? order(a.id, b.id) : order(a.date, b.date)));
  return { period, from, to, opening: balancesOf([], before), transactions: within };
}

/** What the accounts hold after some transactions, the accounts in their order, currencies by name; without what is zero. */
export function balancesOf(
  opening: readonly JournalBalance[],
  transactions: Iterable<JournalTransaction>,
): JournalBalance[] {
  const sums = new Map<string, Units>();
  const add = (account: string, currency: string, amount: Units) => {
    const key = `${account} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  for (const { account, currency, amount } of opening) add(account, currency, amount);
  for (const { currency, lines } of transactions) for (const line of lines) add(line.account, currency, line.amount);
  const currencies = [...new Set([...sums.keys()].map((key) => key.split(' ')[1]!))].sort();
  return JOURNAL_ACCOUNTS.flatMap((account) =>
    currencies.map((currency) => ({ account, currency, amount: sums.get(`${account} ${currency}`) ?? 0n })),
  ).filter(({ amount }) => amount !== 0n);
}

/** The opening balances as one transaction a currency, against `opening`: so an export can be read on its own. */
export function openingTransactions({ from, opening }: Journal): JournalTransaction[] {
  const date = dayBefore(from);
  return [...new Set(opening.map(({ currency }) => currency))].map((currency): JournalTransaction => {
    const lines = opening.filter((balance) => balance.currency === currency && balance.account !== 'opening');
    const rest = lines.reduce((sum, { amount }) => sum + amount, 0n);
    return {
      id: `OPEN-${from}-${currency}`,
      date,
      currency,
      narration: 'Opening balances',
      references: {},
      lines: [
        ...lines.map(({ account, amount }) => ({ account, amount })),
        ...(rest === 0n ? [] : [{ account: 'opening' as const, amount: -rest }]),
      ],
    };
  });
}

/** The day before a date. */
export function dayBefore(date: string): string {
  return addDays(date, -1);
}

/** The day after a date. */
export function dayAfter(date: string): string {
  return addDays(date, 1);
}

function addDays(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function refuseUnbalanced({ id, currency, lines }: JournalTransaction): void {
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  if (sum === 0n) return;
  throw new MoneyError(
    `transaction ${id} does not balance: ${formatMoney({ currency, amount: amountOfUnits(sum) })} too much on its debit side`,
    'Run `remit verify`; if it finds nothing, this is a fault of remit.',
  );
}
