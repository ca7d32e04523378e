import type { AdoptedReturns, ReturnsConvention, ReturnsSetting } from '../../../base/returns.ts';
import {
  type InvoiceWithReturns,
  readAdoptedReturns,
  readInvoicesWithReturns,
  readReturnOrders,
} from '../../../ledger/queries/invoices/returns.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { type RowWorth, returnWorth, STANDARD_WORTH } from '../../../money/returns.ts';
import type { CheckContext } from '../../check.ts';
import { type Candidate, learnReturns } from './learn.ts';

/** Which convention holds for a courier's RETURN orders, and why. */
export interface ReturnsStanding {
  /** Null while nothing says which. */
  readonly returns: ReturnsConvention | null;
  readonly returns_basis: 'setting' | 'learnt' | 'provisional' | 'undecided';
  /** Also those whose RETURN rows come to nothing. */
  readonly invoices_with_returns: number;
}

/** The same, and what it rests on. */
export interface Returns extends ReturnsStanding {
  /** What a check puts on record; null where there is nothing new to go by. */
  readonly adopts: AdoptedReturns | null;
  /** Whether two conventions are each alone on enough invoices. */
  readonly contradicted: boolean;
  /** Those that give different figures, and how they fare. */
  readonly candidates: readonly Candidate[];
  /** The invoices whose RETURN rows come to something, by number. */
  readonly invoices: ReadonlyMap<number, InvoiceWithReturns>;
  /** Of these, those whose headers cannot be compared, because the conventions differ on them and none holds. */
  readonly uncompared: readonly InvoiceWithReturns[];
  /** What a RETURN row is worth; null while no convention holds. */
  readonly worth: RowWorth | null;
}

/** Reads which convention holds by the invoices of the ledger, by what an earlier check adopted, and by the setting, which overrules both. */
export async function readReturns(db: LedgerReader, setting: ReturnsSetting): Promise<Returns> {
  const { last, learnt: before } = await readAdoptedReturns(db);
  const { count, invoices } = await readInvoicesWithReturns(db);
  const { adopted, contradicted, candidates, decisive } = learnReturns(invoices, before);
  const returns = setting === 'auto' ? (adopted?.convention ?? null) : setting;
  const set: AdoptedReturns | null =
    setting === 'auto' || count === 0 ? null : { convention: setting, basis: 'setting', among: [setting] };
  const goneBy = setting === 'auto' ? adopted : set;
  return {
    returns,
    returns_basis: setting === 'auto' ? (adopted?.basis ?? 'undecided') : 'setting',
    invoices_with_returns: count,
    adopts: JSON.stringify(goneBy) === JSON.stringify(last) ? null : goneBy,
    contradicted,
    candidates,
    invoices: new Map(invoices.map((invoice) => [invoice.number, invoice])),
    uncompared: returns === null ? invoices.filter(({ number }) => decisive.has(number)) : [],
    worth: returns === null ? null : returnWorth(returns),
  };
}

/** What is said of it to people and programs. */
export function standingOf({ returns, returns_basis, invoices_with_returns }: Returns): ReturnsStanding {
  return { returns, returns_basis, invoices_with_returns };
}

/** Which convention holds, and why, as people read it. */
export type ReturnsStandingSentence = {
  id: 'returns-standing';
  convention: string | null;
  basis: ReturnsStanding['returns_basis'];
  invoices: number;
};

/** The same as a sentence; null where no invoice has a RETURN order. */
export function sayReturns(standing: ReturnsStanding): ReturnsStandingSentence | null {
  const { returns: convention, returns_basis: basis, invoices_with_returns: invoices } = standing;
  return invoices === 0 ? null : { id: 'returns-standing', convention, basis, invoices };
}

/** The same for the checks of one run. */
export function returnsOf({ db, settings, facts }: Pick<CheckContext, 'db' | 'settings' | 'facts'>): Promise<Returns> {
  return facts.once('returns', () => readReturns(db, settings.returns));
}

/** Gives a function that tells what an order's rows are worth; null where that rests on a convention that nobody knows. */
export function orderWorth(context: CheckContext): Promise<(order_id: string) => RowWorth | null> {
  return context.facts.once('order-worth', async () => {
    const { worth } = await returnsOf(context);
    const returns = await readReturnOrders(context.db);
    return (order_id: string) => (returns.has(order_id) ? worth : STANDARD_WORTH);
  });
}
