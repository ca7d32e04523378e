import { receivedMoney } from '../src/checks/receipts/flows.ts';
import type { SettledInvoice, Settlements } from '../src/checks/receipts/settlements.ts';
import { type LedgerReader, movementsOf, readInvoiceHistories } from '../src/ledger/read/index.ts';
import { amountOfUnits, formatMoney, type Units } from '../src/money/index.ts';

/** One currency of an invoice that balances hold and no `outstanding` does. */
export interface Apart {
  readonly number: number;
  readonly currency: string;
  /** What it adds to a closing balance; negative takes off. */
  readonly amount: Units;
  readonly why: string;
}

/** So many invoices are named one by one. */
const MOST_NAMED = 10;

/**
 * What parts the outstanding of some months' invoices from what the same invoices come to in the roll-forward and the journal. Both hold
 * every movement of an invoice for ever: money that came in for one that vanished, and what the courier restated of one after it was
 * marked paid. Outstanding is what its listed invoices still ask for. With these sums the two are equal, to the last digit.
 */
export async function readApart(
  db: LedgerReader,
  settlements: Settlements,
  months: readonly string[],
): Promise<Apart[]> {
  const own = new Set(months);
  const received = receivedMoney(settlements);
  const histories = await readInvoiceHistories(db, [...months].sort().at(-1)!);
  return histories
    .filter(({ period }) => own.has(period))
    .flatMap((history) => {
      const balances = new Map<string, Units>();
      for (const { currency, amount } of movementsOf(history, received)) {
        balances.set(currency, (balances.get(currency) ?? 0n) + amount);
      }
      return [...balances].map(([currency, balance]): Apart => {
        const settled = settlements.of(history.number, currency);
        const asked = settled && settled.vanished_at === null ? settled.outstanding : 0n;
        return { number: history.number, currency, amount: balance - asked, why: whyApart(settled) };
      });
    })
    .filter(({ amount }) => amount !== 0n);
}

/** A sentence for each, the first so many by name and the rest as a sum a currency. */
export function sayApart(apart: readonly Apart[]): string[] {
  const rest = apart.slice(MOST_NAMED);
  const currencies = [...new Set(rest.map(({ currency }) => currency))].sort();
  return [
    ...apart
      .slice(0, MOST_NAMED)
      .map(
        ({ number, currency, amount, why }) =>
          `Invoice ${number} is in the roll-forward and the journal with ${moneyOf(currency, amount)}, and not in outstanding: ${why}.`,
      ),
    ...currencies.map((currency) => {
      const own = rest.filter((one) => one.currency === currency);
      const sum = own.reduce((total, { amount }) => total + amount, 0n);
      return `So are ${own.length} more, with ${moneyOf(currency, sum)} together.`;
    }),
  ];
}

function moneyOf(currency: string, amount: Units): string {
  return formatMoney({ currency, amount: amountOfUnits(amount) });
}

function whyApart(settled: SettledInvoice | undefined): string {
  if (!settled || settled.vanished_at === null) return 'it was restated after it was marked paid';
  if (settled.received !== 0n) return 'money was received for it, and it is no longer listed';
  if (settled.differences !== 0n) return 'a difference was named on it, and it is no longer listed';
  return 'it was marked paid, and it is no longer listed';
}
