import { type NumberTexts, numberText, textInNumberTexts } from '../../base/number-texts.ts';
import type { MatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { HeldMatch } from '../../ledger/queries/receipts/matches.ts';
import type { Ambiguity, Match, MatchOutcome } from '../../matching/model.ts';
import type { SuggestedPayer } from '../../matching/suggested-payers.ts';
import { formatUnits } from '../../money/units.ts';
import { suggestedPayers } from './suggested-payers.ts';

/** What `match --json` and `match list --json` print. */
export interface MatchReport {
  readonly matches: readonly ReportedMatch[];
  readonly ambiguous: readonly ReportedAmbiguity[];
  readonly unmatched: Unmatched & {
    /** What is unmatched of each courier, if there are several. */
    readonly couriers?: readonly (Unmatched & { readonly courier: string })[];
  };
  /** Payers that may be the courier: their bank lines match invoices, and [receipts] does not name them. */
  readonly suggested_payers: readonly (SuggestedPayer & { readonly courier?: string })[];
}

interface Unmatched {
  readonly receipts: readonly number[];
  readonly invoices: readonly number[];
  readonly invoices_text: readonly string[];
}

/** A match in force; its id is null if a dry run found it without booking it. */
interface ReportedMatch {
  readonly courier?: string;
  readonly id: number | null;
  readonly rule: string;
  readonly receipts: readonly number[];
  readonly invoices: readonly number[];
  readonly invoices_text: readonly string[];
  readonly currency: string;
  /** What the receipts pay, in `currency`. */
  readonly receipts_amount: string;
  /** What the invoices asked for. */
  readonly invoices_amount: string;
  readonly difference: string;
  readonly difference_kind: string | null;
  /** For a receipt in another currency: its units for one of `currency`, its currency, and how much of it was used. */
  readonly rate: string | null;
  readonly paid_currency: string | null;
  readonly paid_amount: string | null;
  readonly evidence: string;
}

interface ReportedAmbiguity {
  readonly courier?: string;
  readonly receipt: number;
  readonly currency: string;
  readonly amount: string;
  /** The sets of invoices that it could pay, at most 20. */
  readonly ways: readonly (readonly number[])[];
  readonly ways_text: readonly (readonly string[])[];
  /** There are more, or the search was stopped at its bound. */
  readonly too_many: boolean;
  /** The couriers whose receipt it may be, if there are several; then there are no ways. */
  readonly couriers?: readonly string[];
}

interface MatchesShown {
  /** Only what touches invoices of these months, and every receipt; null for all. */
  readonly periods: readonly string[] | null;
  /** What a dry run would book; none if what is booked is in the books already. */
  readonly planned?: readonly Match[];
  /** Matches of the outcome that are not booked: their receipts and invoices are reported as unmatched. */
  readonly pending: readonly Match[];
}

/**
 * Puts together what is matched and what is not.
 *
 * @param books as they are after the outcome was booked; for a dry run, as they are before
 */
export function reportOf(
  books: MatchBooks,
  outcome: MatchOutcome,
  { periods, planned = [], pending }: MatchesShown,
): MatchReport {
  const inPeriods = new Set(
    books.invoices.filter(({ period }) => periods === null || periods.includes(period)).map(({ number }) => number),
  );
  const { texts } = books;
  const isShown = (numbers: readonly number[]) => periods === null || numbers.some((number) => inPeriods.has(number));
  const matches = [
    ...books.held.filter(({ rule }) => rule !== 'settled').map((match) => heldMatch(match, texts)),
    ...planned.map((match) => plannedMatch(match, texts)),
  ].filter(({ invoices }) => isShown(invoices));
  const leftToPeople = [...books.leftToPeople].filter((id) => books.receipts.get(id)!.left !== 0n);
  const ofPending = pending.flatMap((match) => match.receipts.map(({ id }) => Number(id)));
  const receipts = [...new Set([...outcome.unmatched.receipts.map(Number), ...ofPending, ...leftToPeople])];
  const unpaid = [outcome.unmatched.invoices, ...pending.map((match) => match.invoices)].flat();
  const invoices = [...new Set(unpaid.map(({ number }) => number))]
    .filter((number) => inPeriods.has(number))
    .sort((a, b) => a - b);
  return {
    matches,
    ambiguous: outcome.ambiguous.map((one) => ambiguityOf(one, texts)),
    unmatched: {
      receipts: receipts.sort((a, b) => a - b),
      invoices,
      invoices_text: invoices.map((number) => numberText(number, texts)),
    },
    suggested_payers: suggestedPayers(books),
  };
}

function heldMatch(
  { id, rule, receipts, invoices, currency, due, difference, difference_kind, rate, paid_currency, why }: HeldMatch,
  texts: NumberTexts,
): ReportedMatch {
  return {
    id,
    rule,
    receipts: receipts.map((share) => share.id),
    invoices: invoices.map(({ number }) => number),
    invoices_text: invoices.map(({ number }) => numberText(number, texts)),
    currency,
    receipts_amount: formatUnits(due + difference),
    invoices_amount: formatUnits(due),
    difference: formatUnits(difference),
    difference_kind,
    rate,
    paid_currency,
    paid_amount: paid_currency === null ? null : formatUnits(receipts.reduce((sum, share) => sum + share.amount, 0n)),
    evidence: textInNumberTexts(why, texts),
  };
}

function plannedMatch(
  { rule, receipts, invoices, currency, due, difference, evidence }: Match,
  texts: NumberTexts,
): ReportedMatch {
  return {
    id: null,
    rule,
    receipts: receipts.map(({ id }) => Number(id)),
    invoices: invoices.map(({ number }) => number),
    invoices_text: invoices.map(({ number }) => numberText(number, texts)),
    currency,
    receipts_amount: formatUnits(due + difference),
    invoices_amount: formatUnits(due),
    difference: formatUnits(difference),
    difference_kind: null,
    rate: null,
    paid_currency: null,
    paid_amount: null,
    evidence: textInNumberTexts(evidence, texts),
  };
}

function ambiguityOf(
  { receipt, currency, amount, ways, tooMany, couriers }: Ambiguity,
  texts: NumberTexts,
): ReportedAmbiguity {
  return {
    receipt: Number(receipt),
    currency,
    amount: formatUnits(amount),
    ways: ways.map(({ invoices }) => invoices),
    ways_text: ways.map(({ invoices }) => invoices.map((number) => numberText(number, texts))),
    too_many: tooMany,
    ...(couriers && { couriers }),
  };
}
