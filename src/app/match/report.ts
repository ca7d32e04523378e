import type { Ambiguity, Match, MatchOutcome } from '../../books/matching/index.ts';
import type { MatchBooks } from '../../checks/receipts/match-books.ts';
import type { HeldMatch } from '../../ledger/read/matches.ts';
import { textOf } from './run.ts';

/** What `match --json` and `match list --json` print. */
export interface MatchReport {
  readonly matches: readonly ReportedMatch[];
  readonly ambiguous: readonly ReportedAmbiguity[];
  readonly unmatched: { readonly receipts: readonly number[]; readonly invoices: readonly number[] };
}

/** A match in force; its id is null where a dry run only found it. */
interface ReportedMatch {
  readonly id: number | null;
  readonly rule: string;
  readonly receipts: readonly number[];
  readonly invoices: readonly number[];
  readonly currency: string;
  readonly receipts_amount: string;
  /** What the invoices asked for. */
  readonly invoices_amount: string;
  readonly difference: string;
  readonly difference_kind: string | null;
  readonly evidence: string;
}

interface ReportedAmbiguity {
  readonly receipt: number;
  readonly currency: string;
  readonly amount: string;
  /** The sets of invoices that explain it, at most 20. */
  readonly ways: readonly (readonly number[])[];
  /** There are more, or the search was stopped at its bound. */
  readonly too_many: boolean;
}

/**
 * Puts together what is matched and what is not.
 *
 * @param books as they are once the outcome is booked, or with `planned` what would be
 * @param pending matches of the outcome that are not booked: what they would take is unmatched as it stands
 * @param periods only what touches invoices of these months, and every receipt; null for all
 */
export function reportOf(
  books: MatchBooks,
  outcome: MatchOutcome,
  periods: readonly string[] | null,
  planned: readonly Match[] = [],
  pending: readonly Match[] = [],
): MatchReport {
  const inPeriods = new Set(
    books.invoices.filter(({ period }) => periods === null || periods.includes(period)).map(({ number }) => number),
  );
  const shows = (numbers: readonly number[]) => periods === null || numbers.some((number) => inPeriods.has(number));
  const matches = [...books.held.map(heldMatch), ...planned.map(plannedMatch)].filter(({ invoices }) =>
    shows(invoices),
  );
  const byHand = [...books.byHand].filter((id) => books.receipts.get(id)!.left !== 0n);
  const untaken = pending.flatMap((match) => match.receipts.map(({ id }) => Number(id)));
  const receipts = [...new Set([...outcome.unmatched.receipts.map(Number), ...untaken, ...byHand])];
  const unpaid = [outcome.unmatched.invoices, ...pending.map((match) => match.invoices)].flat();
  const invoices = [...new Set(unpaid.map(({ number }) => number))].filter((number) => inPeriods.has(number));
  return {
    matches,
    ambiguous: outcome.ambiguous.map(ambiguityOf),
    unmatched: { receipts: receipts.sort((a, b) => a - b), invoices: invoices.sort((a, b) => a - b) },
  };
}

function heldMatch({
  id,
  rule,
  receipts,
  invoices,
  currency,
  due,
  difference,
  difference_kind,
  why,
}: HeldMatch): ReportedMatch {
  return {
    id,
    rule,
    receipts: receipts.map((share) => share.id),
    invoices: invoices.map(({ number }) => number),
    currency,
    receipts_amount: textOf(due + difference),
    invoices_amount: textOf(due),
    difference: textOf(difference),
    difference_kind,
    evidence: why,
  };
}

function plannedMatch({ rule, receipts, invoices, currency, due, difference, evidence }: Match): ReportedMatch {
  return {
    id: null,
    rule,
    receipts: receipts.map(({ id }) => Number(id)),
    invoices: invoices.map(({ number }) => number),
    currency,
    receipts_amount: textOf(due + difference),
    invoices_amount: textOf(due),
    difference: textOf(difference),
    difference_kind: null,
    evidence,
  };
}

function ambiguityOf({ receipt, currency, amount, ways, tooMany }: Ambiguity): ReportedAmbiguity {
  return {
    receipt: Number(receipt),
    currency,
    amount: textOf(amount),
    ways: ways.map(({ invoices }) => invoices),
    too_many: tooMany,
  };
}
