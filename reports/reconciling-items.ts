import { receivedMoney } from '../src/checks/facts/receipts/flows.ts';
import type { SettledInvoice, Settlements } from '../src/checks/facts/receipts/settlements.ts';
import { type LedgerReader, movementsOf, readInvoiceHistories } from '../src/ledger/queries/index.ts';
import { amountOfUnits, formatAmount, type Units } from '../src/money/index.ts';

/** Why an invoice's balance is not what is outstanding of it. */
type Why = 'restated-when-paid' | 'received-and-unlisted' | 'difference-and-unlisted' | 'paid-and-unlisted';

/** One currency of an invoice whose balance in the roll-forward and the journal is not what is outstanding of it. */
export interface ReconcilingItem {
  readonly number: number;
  readonly currency: string;
  /** What it adds to a closing balance; negative takes off. */
  readonly amount: Units;
  readonly why: Why;
}

/** An item by name; the sum of those, in one currency, that are too many to name. */
export type ReconcilingNote =
  | { id: 'reconciling-item'; number: number; currency: string; amount: string; why: Why }
  | { id: 'more-reconciling-items'; count: number; currency: string; amount: string };

/** This many items are named one by one. */
const MOST_NAMED = 10;

/**
 * The items between what is outstanding of some months' invoices and what the roll-forward and the journal hold of them: outstanding
 * plus these items is that balance, to the last digit. The balance keeps every movement, such as money for an invoice that is no longer
 * listed, or a restatement of one that was marked paid before.
 */
export async function readReconcilingItems(
  db: LedgerReader,
  settlements: Settlements,
  months: readonly string[],
): Promise<ReconcilingItem[]> {
  const own = new Set(months);
  const received = receivedMoney(settlements);
  const histories = await readInvoiceHistories(db, [...months].sort().at(-1)!, settlements.books.timeZone);
  return histories
    .filter(({ period }) => own.has(period))
    .flatMap((history) => {
      const balances = new Map<string, Units>();
      for (const { currency, amount } of movementsOf(history, received)) {
        balances.set(currency, (balances.get(currency) ?? 0n) + amount);
      }
      return [...balances].map(([currency, balance]): ReconcilingItem => {
        const settled = settlements.of(history.number, currency);
        const asked = settled && settled.vanished_at === null ? settled.outstanding : 0n;
        return { number: history.number, currency, amount: balance - asked, why: whyOf(settled) };
      });
    })
    .filter(({ amount }) => amount !== 0n);
}

/** A sentence for each item, the first ones by name and the rest as a sum a currency. */
export function reconcilingNotes(items: readonly ReconcilingItem[]): ReconcilingNote[] {
  const named = items.slice(0, MOST_NAMED).map(({ amount, ...item }): ReconcilingNote => {
    return { id: 'reconciling-item', ...item, amount: amountText(amount) };
  });
  const rest = items.slice(MOST_NAMED);
  const currencies = [...new Set(rest.map(({ currency }) => currency))].sort();
  const sums = currencies.map((currency): ReconcilingNote => {
    const own = rest.filter((item) => item.currency === currency);
    const amount = amountText(own.reduce((total, item) => total + item.amount, 0n));
    return { id: 'more-reconciling-items', count: own.length, currency, amount };
  });
  return [...named, ...sums];
}

function amountText(units: Units): string {
  return formatAmount(amountOfUnits(units));
}

function whyOf(settled: SettledInvoice | undefined): Why {
  if (!settled || settled.vanished_at === null) return 'restated-when-paid';
  if (settled.received !== 0n) return 'received-and-unlisted';
  return settled.differences !== 0n ? 'difference-and-unlisted' : 'paid-and-unlisted';
}
