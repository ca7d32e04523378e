import { type SettledSums, settledAmounts } from '../../src/checks/facts/receipts/settlements.ts';
import type { ChainPlace } from '../../src/ledger/queries/evidence/chain.ts';
import { readStatementBefore, type StatedFigures } from '../../src/ledger/queries/evidence/statements.ts';
import { readStatusesAt } from '../../src/ledger/queries/findings/history.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import { countOrderNews, type InvoiceNews, readInvoiceNews } from '../../src/ledger/queries/invoices/changes-since.ts';
import type { MonthTotals } from '../../src/ledger/queries/invoices/totals.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { type ExactDecimal, parseAmount, ZERO } from '../../src/money/decimal.ts';
import { eachField } from '../../src/money/fields.ts';
import { isShown, type OnlyCurrency } from '../filters.ts';
import type { CurrencyProof } from './proof.ts';

/** The figures of a statement that are compared with those of the one before. */
export const COMPARED = ['net_due_to_merchant', 'outstanding', 'short'] as const;
type Compared = Readonly<Record<(typeof COMPARED)[number], ExactDecimal>>;

export interface CurrencySince {
  readonly currency: string;
  readonly before: Compared;
  readonly now: Compared;
  /** How many mismatches were not resolved then. */
  readonly unresolvedBefore: number;
}

/** What changed since the month's last statement from an earlier state of the ledger. */
export interface Since {
  /** When the last one was written; ISO, UTC. */
  readonly at: string;
  readonly evidenceId: number;
  /** Null if its figures were not kept. */
  readonly currencies: readonly CurrencySince[] | null;
  /** How many mismatches were not resolved then, those without a currency too. */
  readonly unresolvedBefore: number;
  /** How many mismatches, by code, are unresolved now but were not then (unknown or resolved), and the reverse. */
  readonly found: ReadonlyMap<string, number>;
  readonly resolved: ReadonlyMap<string, number>;
  readonly invoices: InvoiceNews;
  /** How many of the month's invoiced orders have new amounts on record, or left or re-entered the order book. */
  readonly orders: number;
}

interface FiguresNow {
  readonly totals: MonthTotals;
  readonly settled: ReadonlyMap<string, SettledSums>;
  readonly proof: readonly CurrencyProof[];
  readonly mismatches: readonly Mismatch[];
  readonly head: ChainPlace | null;
}

/** Compares a month with its last statement; null if this is the first. */
export async function sinceLast(
  db: LedgerReader,
  month: string,
  onlyCurrency: OnlyCurrency,
  now: FiguresNow,
): Promise<Since | null> {
  const last = await readStatementBefore(db, month, now.head);
  if (!last) return null;
  const { id, at } = last;
  // The statuses then, of mismatches that moved since; null for one that was not known then.
  const statuses = await readStatusesAt(db, month, id);
  const wasUnresolved = (mismatch: Mismatch) => {
    const hasMoved = statuses.has(mismatch.id);
    return isUnresolved(hasMoved ? (statuses.get(mismatch.id) ?? null) : mismatch.status);
  };
  const { mismatches } = now;
  const unresolvedThen = mismatches.filter(wasUnresolved);
  const figures = last.figures?.filter(({ currency }) => isShown(onlyCurrency, currency));
  return {
    at,
    evidenceId: id,
    currencies: figures
      ? currenciesOf(now, figures).map((currency) => ({
          currency,
          before: statedOf(figures.find((stated) => stated.currency === currency)),
          now: nowOf(now, currency),
          unresolvedBefore: unresolvedThen.filter((mismatch) => mismatch.currency === currency).length,
        }))
      : null,
    unresolvedBefore: unresolvedThen.length,
    found: countByCode(mismatches.filter((mismatch) => isUnresolved(mismatch.status) && !wasUnresolved(mismatch))),
    resolved: countByCode(unresolvedThen.filter(({ status }) => !isUnresolved(status))),
    invoices: await readInvoiceNews(db, month, id, onlyCurrency),
    orders: await countOrderNews(db, month, id, onlyCurrency),
  };
}

const isUnresolved = (status: Mismatch['status'] | null) => status !== null && status !== 'resolved';

function currenciesOf({ totals, settled, proof, mismatches }: FiguresNow, figures: readonly StatedFigures[]): string[] {
  const currencies = [
    ...[...totals.currencies, ...proof, ...figures].map(({ currency }) => currency),
    ...settled.keys(),
    ...mismatches.flatMap(({ currency }) => currency ?? []),
  ];
  return [...new Set(currencies)].sort();
}

function statedOf(figures: StatedFigures | undefined): Compared {
  return eachField(COMPARED, (name) => (figures ? parseAmount(figures[name]) : ZERO));
}

function nowOf({ totals, settled, proof }: FiguresNow, currency: string): Compared {
  const header = totals.currencies.find((line) => line.currency === currency);
  return {
    net_due_to_merchant: header?.net_due_to_merchant ?? ZERO,
    outstanding: settledAmounts(settled.get(currency)).outstanding,
    short: proof.find((line) => line.currency === currency)?.short ?? ZERO,
  };
}

function countByCode(mismatches: readonly Mismatch[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of mismatches) counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
