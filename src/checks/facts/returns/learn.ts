import { type AdoptedReturns, RETURNS_CONVENTIONS, type ReturnsConvention } from '../../../base/returns.ts';
import type { InvoiceWithReturns } from '../../../ledger/queries/invoices/returns.ts';
import { headerUnder } from '../../../money/returns.ts';

/** On how many invoices a convention must be the only one that tallies, to be learnt. */
const ENOUGH = 3;

/** How the conventions fare on a courier's invoices. */
export interface Candidate {
  /** The first of those that give the same figures on every invoice. */
  readonly convention: ReturnsConvention;
  readonly among: readonly ReturnsConvention[];
  /** On how many invoices all three header figures tally under it, and on how many under it alone. */
  readonly tallies: number;
  readonly alone: number;
}

/** What the invoices of one courier teach. */
export interface Learnt {
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
export function learnReturns(invoices: readonly InvoiceWithReturns[], before: AdoptedReturns | null): Learnt {
  const figures = RETURNS_CONVENTIONS.map((convention) => invoices.map((invoice) => figuresUnder(convention, invoice)));
  const stated = invoices.map(statedIn);
  const classes = new Map<string, ReturnsConvention[]>();
  for (const [at, convention] of RETURNS_CONVENTIONS.entries()) {
    const key = figures[at]!.join('\n');
    classes.set(key, [...(classes.get(key) ?? []), convention]);
  }
  const groups = [...classes.values()].map((among) => {
    const own = figures[RETURNS_CONVENTIONS.indexOf(among[0]!)]!;
    return { among, own, fits: own.map((each, nth) => each === stated[nth]) };
  });
  const decisive = invoices.map((_, nth) => new Set(groups.map(({ own }) => own[nth])).size > 1);
  const candidates = groups.map(({ among, fits }): Candidate => {
    const counts = (nth: number) => decisive[nth]! && fits[nth]!;
    const others = groups.filter((group) => group.among !== among);
    const nths = invoices.map((_, nth) => nth).filter(counts);
    return {
      convention: among[0]!,
      among,
      tallies: nths.length,
      alone: nths.filter((nth) => others.every((other) => !other.fits[nth])).length,
    };
  });
  const strong = candidates.filter(({ alone }) => alone >= ENOUGH);
  return {
    adopted: strong.length > 1 ? null : adoptedOf(candidates, decisive.filter(Boolean).length, before),
    contradicted: strong.length > 1,
    candidates,
    decisive: new Set(invoices.filter((_, nth) => decisive[nth]).map(({ number }) => number)),
  };
}

function adoptedOf(
  candidates: readonly Candidate[],
  decisive: number,
  before: AdoptedReturns | null,
): AdoptedReturns | null {
  // What was told apart on invoices that have gone or changed since is not mixed up again.
  const as = ({ among }: Candidate, basis: AdoptedReturns['basis']): AdoptedReturns => {
    const narrowed = among.filter((each) => before?.among.includes(each));
    const own = narrowed.length > 0 ? narrowed : among;
    return { convention: own[0]!, basis, among: own };
  };
  const strong = candidates.find(({ alone }) => alone >= ENOUGH);
  if (strong) return as(strong, 'learnt');
  const kept =
    before === null ? [] : candidates.filter(({ among }) => among.some((each) => before.among.includes(each)));
  const [held] = kept.length === 1 ? kept : [];
  if (held && before?.basis === 'learnt') return as(held, 'learnt');
  const [whole, ...others] = candidates.filter(({ tallies }) => decisive > 0 && tallies === decisive);
  if (whole && others.length === 0) return as(whole, 'provisional');
  // Adopted on few invoices, it holds while no other is alone on as many: those that speak against it are in error.
  const rivals = candidates.filter((one) => one !== held && one.alone > 0);
  return held && rivals.every(({ alone }) => alone < held.alone) ? as(held, 'provisional') : null;
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
