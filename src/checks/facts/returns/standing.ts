import {
  type AdoptedReturns,
  RETURNS_CONVENTIONS,
  type ReturnsConvention,
  type ReturnsSetting,
} from '../../../base/returns.ts';
import {
  type InvoiceWithReturns,
  readAdoptedReturns,
  readInvoicesWithReturns,
  readReturnOrders,
} from '../../../ledger/queries/invoices/returns.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { headerUnder, type RowWorth, returnWorth, STANDARD_WORTH } from '../../../money/returns.ts';
import type { CheckContext } from '../../check.ts';

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

/** A row's fee counts unless its worth says that it does not: no fee is dropped by a guess. */
export function countsFee(worth: RowWorth | null): boolean {
  return worth?.delivery_fee !== 0;
}

/** On how many invoices a convention must be the only one that tallies, to be learnt. */
const ENOUGH = 3;

/** How the conventions fare on a courier's invoices. */
interface Candidate {
  /** The first of those that give the same figures on every invoice. */
  readonly convention: ReturnsConvention;
  readonly among: readonly ReturnsConvention[];
  /** On how many invoices all three header figures tally under it, and on how many under it alone. */
  readonly tallies: number;
  readonly alone: number;
}

/** What the invoices of one courier teach. */
interface Learnt {
  /** The convention that holds, and those that give the same figures; null while none does. */
  readonly adopted: AdoptedReturns | null;
  /** Whether two conventions are each alone on enough invoices. */
  readonly contradicted: boolean;
  /** Those that differ; one where nothing tells them apart. */
  readonly candidates: readonly Candidate[];
  /** The numbers of the invoices on which they differ. */
  readonly decisive: ReadonlySet<number>;
}

/**
 * Learns how a courier's invoices show RETURN orders: the convention that alone makes the headers of three invoices tally, or the only
 * one that fits all of them where fewer decide (`provisional`).
 *
 * @param invoices those of one courier that have RETURN rows with money
 * @param before what an earlier check adopted: it holds until the invoices speak for another
 */
function learnReturns(invoices: readonly InvoiceWithReturns[], before: AdoptedReturns | null): Learnt {
  const groups = alikeConventions(invoices);
  const isDecisive = invoices.map((_, at) => new Set(groups.map(({ figures }) => figures[at])).size > 1);
  const decisiveAt = invoices.map((_, at) => at).filter((at) => isDecisive[at]);
  const candidates = groups.map((group): Candidate => {
    const rivals = groups.filter((other) => other !== group);
    const tallying = decisiveAt.filter((at) => group.tallies[at]);
    return {
      convention: group.among[0]!,
      among: group.among,
      tallies: tallying.length,
      alone: tallying.filter((at) => rivals.every((rival) => !rival.tallies[at])).length,
    };
  });
  const contradicted = candidates.filter(({ alone }) => alone >= ENOUGH).length > 1;
  return {
    adopted: contradicted ? null : adoptedOf(candidates, decisiveAt.length, before),
    contradicted,
    candidates,
    decisive: new Set(decisiveAt.map((at) => invoices[at]!.number)),
  };
}

/** Conventions that give the same figures on every invoice. */
interface AlikeConventions {
  readonly among: ReturnsConvention[];
  /** By the invoices' places: the header's figures under these conventions, and whether they are what it states. */
  readonly figures: readonly string[];
  readonly tallies: readonly boolean[];
}

function alikeConventions(invoices: readonly InvoiceWithReturns[]): AlikeConventions[] {
  const stated = invoices.map(statedIn);
  const groups = new Map<string, AlikeConventions>();
  for (const convention of RETURNS_CONVENTIONS) {
    const figures = invoices.map((invoice) => figuresUnder(convention, invoice));
    const key = figures.join('\n');
    const group = groups.get(key) ?? { among: [], figures, tallies: figures.map((each, at) => each === stated[at]) };
    group.among.push(convention);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function adoptedOf(
  candidates: readonly Candidate[],
  decisive: number,
  before: AdoptedReturns | null,
): AdoptedReturns | null {
  const wasAmong = (convention: ReturnsConvention) => before?.among.includes(convention) ?? false;
  // What was told apart on invoices that have gone or changed since is not mixed up again.
  const adopt = ({ among }: Candidate, basis: AdoptedReturns['basis']): AdoptedReturns => {
    const narrowed = among.filter(wasAmong);
    const adopted = narrowed.length > 0 ? narrowed : among;
    return { convention: adopted[0]!, basis, among: adopted };
  };
  const strong = candidates.find(({ alone }) => alone >= ENOUGH);
  if (strong) return adopt(strong, 'learnt');
  const stillPossible = candidates.filter(({ among }) => among.some(wasAmong));
  const [kept] = stillPossible.length === 1 ? stillPossible : [];
  if (kept && before?.basis === 'learnt') return adopt(kept, 'learnt');
  const fitting = candidates.filter(({ tallies }) => decisive > 0 && tallies === decisive);
  if (fitting.length === 1) return adopt(fitting[0]!, 'provisional');
  // Adopted on few invoices, it holds while no other is alone on as many: those that speak against it are in error.
  const rivals = candidates.filter((candidate) => candidate !== kept && candidate.alone > 0);
  return kept && rivals.every(({ alone }) => alone < kept.alone) ? adopt(kept, 'provisional') : null;
}

function figuresUnder(convention: ReturnsConvention, { lines }: InvoiceWithReturns): string {
  return lines
    .map(({ standard, returned }) => {
      const { cod, delivery_fee, net_due_to_merchant } = headerUnder(convention, standard, returned);
      return `${cod} ${delivery_fee} ${net_due_to_merchant}`;
    })
    .join();
}

function statedIn({ lines }: InvoiceWithReturns): string {
  return lines
    .map(({ header: { cod, delivery_fee, net_due_to_merchant } }) => `${cod} ${delivery_fee} ${net_due_to_merchant}`)
    .join();
}
