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
import {
  type HeaderUnits,
  headerUnder,
  netUnder,
  type RowSigns,
  returnSigns,
  STANDARD_SIGNS,
} from '../../../money/returns.ts';
import type { CheckContext, NotComparable } from '../../check.ts';

/** The convention by which a courier's invoices show RETURN orders, why it is taken, and what it was learnt from. */
export type Returns = Awaited<ReturnType<typeof readReturns>>;

/** The part that reports and programs are given. */
export type ReturnsStanding = Pick<Returns, 'returns' | 'returns_basis' | 'invoices_with_returns'>;

/** Decides the convention: by the setting, or else by the invoices and by what an earlier check adopted. */
export async function readReturns(db: LedgerReader, setting: ReturnsSetting) {
  const { last: onRecord, learnt: learntBefore } = await readAdoptedReturns(db);
  const { count, invoices } = await readInvoicesWithReturns(db);
  const { adopted, contradicted, candidates, decisive } = learnReturns(invoices, learntBefore);
  // The convention that remit.toml names; null if it leaves remit to learn it.
  const named = setting === 'auto' ? null : setting;
  const returns = named ?? adopted?.convention ?? null;
  // On record go what was learnt, and a named convention only once an invoice has RETURN rows.
  const byName: AdoptedReturns | null =
    named === null || count === 0 ? null : { convention: named, basis: 'setting', among: [named] };
  const toRecord = named === null ? adopted : byName;
  /**
   * `setting`: remit.toml names it. `learnt`: it alone explains enough invoices. `provisional`: it fits best, but too
   * few invoices decide. `undecided`: it is not known.
   */
  const returns_basis: AdoptedReturns['basis'] | 'undecided' =
    named === null ? (adopted?.basis ?? 'undecided') : 'setting';
  return {
    /** Null while it is not known. */
    returns,
    returns_basis,
    /** Invoices whose RETURN rows have no money count too. */
    invoices_with_returns: count,
    /** What a check puts on record; null if that is on record already. */
    adopts: JSON.stringify(toRecord) === JSON.stringify(onRecord) ? null : toRecord,
    /** Whether two conventions each explain {@link ENOUGH} invoices that no other convention explains. */
    contradicted,
    /** The conventions that give different figures, and how many invoices each explains. */
    candidates,
    /** The invoices with money in RETURN rows, by number. */
    invoices: new Map(invoices.map((invoice) => [invoice.number, invoice])),
    /** The invoices whose headers cannot be compared, because the conventions differ on them and none is known. */
    uncompared: returns === null ? invoices.filter(({ number }) => decisive.has(number)) : [],
    /** How a RETURN row's money counts; null while no convention is known. */
    signs: returns === null ? null : returnSigns(returns),
  };
}

export function standingOf({ returns, returns_basis, invoices_with_returns }: Returns): ReturnsStanding {
  return { returns, returns_basis, invoices_with_returns };
}

export type ReturnsStandingSentence = {
  id: 'returns-standing';
  convention: string | null;
  basis: ReturnsStanding['returns_basis'];
  invoices: number;
};

/** The convention in a sentence; null if no invoice has a RETURN order. */
export function sayReturns(standing: ReturnsStanding): ReturnsStandingSentence | null {
  const { returns: convention, returns_basis: basis, invoices_with_returns: invoices } = standing;
  return invoices === 0 ? null : { id: 'returns-standing', convention, basis, invoices };
}

/** Decides the convention once for all checks of a run. */
export function returnsOf({ db, settings, facts }: Pick<CheckContext, 'db' | 'settings' | 'facts'>): Promise<Returns> {
  return facts.once('returns', () => readReturns(db, settings.returns));
}

/** Makes the function that says how an order's money counts: null for a return while no convention is known. */
export function orderSigns(context: CheckContext): Promise<(order_id: string) => RowSigns | null> {
  return context.facts.once('order-signs', async () => {
    const { signs } = await returnsOf(context);
    const returns = await readReturnOrders(context.db);
    return (order_id: string) => (returns.has(order_id) ? signs : STANDARD_SIGNS);
  });
}

/** A fee counts unless `signs` says that it does not: while nobody knows (null), it counts. */
export function countsFee(signs: RowSigns | null): boolean {
  return signs?.delivery_fee !== 0;
}

/** The number of invoices that a convention must explain alone to be learnt. */
const ENOUGH = 3;

/** A convention, and how many of a courier's invoices it explains. */
export interface Candidate {
  /** The first of `among`, the conventions that give the same figures on every invoice. */
  readonly convention: ReturnsConvention;
  readonly among: readonly ReturnsConvention[];
  /** On how many decisive invoices (see {@link learnReturns}) it gives the three figures that the header states. */
  readonly tallies: number;
  /** On how many of these no other candidate gives them. */
  readonly alone: number;
}

/**
 * Learns how a courier's invoices show RETURN orders: by the headers that the conventions make of their rows. Only the
 * decisive invoices count, on which the conventions make different headers.
 *
 * @param invoices those of one courier that have RETURN rows with money
 * @param before what an earlier check adopted: it holds until the invoices speak for another
 */
function learnReturns(invoices: readonly InvoiceWithReturns[], before: AdoptedReturns | null) {
  const groups = alikeConventions(invoices);
  const isDecisive = (at: number) => new Set(groups.map(({ figures }) => figures[at])).size > 1;
  const decisiveAt = invoices.map((_, at) => at).filter(isDecisive);
  const candidates = groups.map((group): Candidate => {
    const rivals = groups.filter((other) => other !== group);
    const tallying = decisiveAt.filter((at) => group.isStated[at]);
    return {
      convention: group.among[0]!,
      among: group.among,
      tallies: tallying.length,
      alone: tallying.filter((at) => rivals.every((rival) => !rival.isStated[at])).length,
    };
  });
  const contradicted = candidates.filter(({ alone }) => alone >= ENOUGH).length > 1;
  return {
    /** The convention that is taken, and those that give the same figures; null while none is. */
    adopted: contradicted ? null : chooseCandidate(candidates, decisiveAt.length, before),
    contradicted,
    candidates,
    /** The numbers of the invoices on which the candidates differ. */
    decisive: new Set(decisiveAt.map((at) => invoices[at]!.number)),
  };
}

/** Conventions that give the same figures on every invoice. */
interface AlikeConventions {
  readonly among: ReturnsConvention[];
  /** For each invoice, in order: the figures that these conventions give its header, as text. */
  readonly figures: readonly string[];
  /** For each invoice, in order: whether its header states these figures. */
  readonly isStated: readonly boolean[];
}

function alikeConventions(invoices: readonly InvoiceWithReturns[]): AlikeConventions[] {
  const stated = invoices.map(({ lines }) => textOf(lines.map(({ header }) => header)));
  const groups = new Map<string, AlikeConventions>();
  for (const convention of RETURNS_CONVENTIONS) {
    const figures = invoices.map(({ lines }) =>
      textOf(lines.map(({ standard, returned }) => headerUnder(convention, standard, returned))),
    );
    const key = figures.join('\n');
    const group = groups.get(key) ?? { among: [], figures, isStated: figures.map((each, at) => each === stated[at]) };
    group.among.push(convention);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * The candidate to adopt; null if none of these rules names one. The first that does counts.
 * 1. `learnt`: the candidate that alone explains {@link ENOUGH} invoices.
 * 2. `learnt`: the candidate that an earlier check had learnt.
 * 3. `provisional`: the only candidate that explains every decisive invoice.
 * 4. `provisional`: the candidate that an earlier check adopted, while no other alone explains as many invoices.
 *
 * @param decisiveCount the number of decisive invoices
 */
function chooseCandidate(candidates: readonly Candidate[], decisiveCount: number, before: AdoptedReturns | null) {
  const wasAmong = (convention: ReturnsConvention) => before?.among.includes(convention) ?? false;
  // Conventions that earlier invoices ruled out stay ruled out, even if those invoices have gone or changed since.
  const adopt = ({ among }: Candidate, basis: AdoptedReturns['basis']): AdoptedReturns => {
    const narrowed = among.filter(wasAmong);
    const adopted = narrowed.length > 0 ? narrowed : among;
    return { convention: adopted[0]!, basis, among: adopted };
  };
  const strong = candidates.find(({ alone }) => alone >= ENOUGH);
  if (strong) return adopt(strong, 'learnt');
  const stillPossible = candidates.filter(({ among }) => among.some(wasAmong));
  // The candidate that an earlier check adopted; undefined if its conventions are in none now, or in several.
  const [kept] = stillPossible.length === 1 ? stillPossible : [];
  if (kept && before?.basis === 'learnt') return adopt(kept, 'learnt');
  const fitting = candidates.filter(({ tallies }) => decisiveCount > 0 && tallies === decisiveCount);
  if (fitting.length === 1) return adopt(fitting[0]!, 'provisional');
  const rivals = candidates.filter((candidate) => candidate !== kept && candidate.alone > 0);
  return kept && rivals.every(({ alone }) => alone < kept.alone) ? adopt(kept, 'provisional') : null;
}

function textOf(headers: readonly HeaderUnits[]): string {
  return headers
    .map(({ cod, delivery_fee, net_due_to_merchant }) => `${cod} ${delivery_fee} ${net_due_to_merchant}`)
    .join();
}

/**
 * Computes what the headers of these months' invoices that have RETURN rows with money should state (`expected`), by
 * the convention that is in force: one header for each currency of an invoice.
 */
export function headersWithReturns(context: CheckContext) {
  return context.facts.once('headers-with-returns', async () => {
    const { returns, candidates, invoices, uncompared } = await returnsOf(context);
    const ofMonths = [...invoices.values()].filter(({ period }) => context.periods.includes(period));
    const uncomparedNumbers = new Set(uncompared.map(({ number }) => number));
    // If no convention is known, the headers that are compared have the same figures under every candidate.
    const convention = returns ?? candidates[0]!.convention;
    const headers = ofMonths
      .filter(({ number }) => !uncomparedNumbers.has(number))
      .flatMap(({ number, period, vanished_at, lines }) =>
        lines.map(({ currency, header, standard, returned }) => {
          // By the header's COD and fee, so that a fault in these does not show twice.
          const net_due_to_merchant = netUnder(convention, header, returned);
          const expected = { ...headerUnder(convention, standard, returned), net_due_to_merchant };
          return { number, period, vanished_at, currency, header, expected };
        }),
      );
    const count = ofMonths.filter(({ number }) => uncomparedNumbers.has(number)).length;
    // Compared or not: the plain sums of these invoices' rows must not be compared with their headers.
    const invoiceNumbers = new Set(ofMonths.map(({ number }) => number));
    const notComparable: NotComparable[] = [{ why: { id: 'returns-convention-unknown' }, count }];
    return { headers, invoiceNumbers, notComparable };
  });
}
