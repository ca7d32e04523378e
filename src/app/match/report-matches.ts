import { type NumberTexts, numberText, textInNumberTexts } from '../../base/number-texts.ts';
import { type MatchBooks, outcomeOf, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { HeldMatch } from '../../ledger/queries/receipts/matches.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import type { SuggestedPayer } from '../../matching/courier-lines.ts';
import type { Ambiguity, Match, MatchOutcome } from '../../matching/model.ts';
import { formatUnits } from '../../money/units.ts';
import type { Books } from '../books.ts';
import { eachCourier } from '../each-courier.ts';
import { matchLedger, type RunRequest } from './run.ts';
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
export interface ReportedMatch {
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

/**
 * Runs the rules and books what they match, unless it is a dry run. A second run changes nothing.
 *
 * @returns `booked`: how many matches were booked, or would be
 */
export async function runMatching(books: Books, request: RunRequest) {
  const runs = await eachCourier(books, { readOnly: request.dryRun }, async (ledger, { config }) => {
    const { books: before, outcome, booked } = await matchLedger(ledger, { config, now: books.now }, request);
    const { periods, dryRun } = request;
    // The matches of other months than those that were asked for are not booked.
    const pending = outcome.matches.filter((match) => !booked.includes(match));
    const after = dryRun ? before : await usingSnapshot(ledger, (db) => readMatchBooks(db, config));
    const report = reportOf(after, outcome, pending, periods, dryRun ? booked : []);
    return { report, booked: booked.length };
  });
  return {
    report: joined(runs.map(({ courier, value }) => ({ courier, value: value.report }))),
    booked: runs.reduce((sum, { value }) => sum + value.booked, 0),
  };
}

/** What is matched and what is not, at every courier that the command is about. Nothing is booked. */
export async function listMatches(books: Books): Promise<MatchReport> {
  return joined(await eachCourier(books, { readOnly: true }, matchesOf));
}

/** Each number once, the smallest first. */
const inOrder = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** Joins the couriers' reports into one. */
function joined(parts: readonly { readonly courier: string; readonly value: MatchReport }[]): MatchReport {
  const unpaid = parts.flatMap(({ value: { unmatched } }) =>
    unmatched.invoices.map((number, at) => [number, unmatched.invoices_text[at]!] as const),
  );
  // Two couriers may have one integer for payouts of different texts, and one text for different integers.
  const invoices = [...new Map(unpaid.map((invoice) => [invoice.join(' '), invoice])).values()].sort(
    ([a], [b]) => a - b,
  );
  return {
    matches: parts.flatMap(({ courier, value }) => value.matches.map((match) => ({ courier, ...match }))),
    ambiguous: parts.flatMap(({ courier, value }) => value.ambiguous.map((one) => ({ courier, ...one }))),
    unmatched: {
      receipts: inOrder(parts.flatMap(({ value }) => value.unmatched.receipts)),
      invoices: invoices.map(([number]) => number),
      invoices_text: invoices.map(([, text]) => text),
      ...(parts.length > 1 && { couriers: parts.map(({ courier, value }) => ({ courier, ...value.unmatched })) }),
    },
    suggested_payers: parts.flatMap(({ courier, value }) => value.suggested_payers.map((one) => ({ courier, ...one }))),
  };
}

/** What is matched and what is not at one courier, from its open ledger. Nothing is booked. */
export function matchesOf(ledger: Ledger, { config }: Pick<Books, 'config'>): Promise<MatchReport> {
  return usingSnapshot(ledger, async (db) => {
    const current = await readMatchBooks(db, config);
    const outcome = outcomeOf(current);
    return reportOf(current, outcome, outcome.matches);
  });
}

/**
 * Puts together what is matched and what is not.
 *
 * @param books with what was booked; a dry run booked nothing, and gives it as `planned` instead
 * @param pending matches that the rules found and that are not to be booked: their receipts and invoices are reported
 *   as unmatched
 * @param periods leaves out matches and invoices of other months; null for none. Receipts have no month: all are there
 */
function reportOf(
  books: MatchBooks,
  outcome: MatchOutcome,
  pending: readonly Match[],
  periods: RunRequest['periods'] = null,
  planned: readonly Match[] = [],
) {
  const inPeriods = new Set(
    books.invoices.filter(({ period }) => periods === null || periods.includes(period)).map(({ number }) => number),
  );
  const { texts } = books;
  const isShown = (numbers: readonly number[]) => periods === null || numbers.some((number) => inPeriods.has(number));
  const matches = [
    // A settlement, which takes something off an invoice without a receipt, is no match to report.
    ...books.held.filter(({ rule }) => rule !== 'settled').map((match) => reported(match, texts)),
    ...planned.map((match) => reported(asHeld(match), texts)),
  ].filter(({ invoices }) => isShown(invoices));
  const pendingReceipts = pending.flatMap((match) => match.receipts.map(({ id }) => Number(id)));
  // The rules do not try these receipts.
  const leftToPeople = [...books.leftToPeople].filter((id) => books.receipts.get(id)!.left !== 0n);
  const receipts = inOrder([...outcome.unmatched.receipts.map(Number), ...pendingReceipts, ...leftToPeople]);
  const unpaid = [...outcome.unmatched.invoices, ...pending.flatMap((match) => match.invoices)];
  const invoices = inOrder(unpaid.map(({ number }) => number)).filter((number) => inPeriods.has(number));
  return {
    matches,
    ambiguous: outcome.ambiguous.map((one) => ambiguityOf(one, texts)),
    unmatched: {
      receipts,
      invoices,
      invoices_text: invoices.map((number) => numberText(number, texts)),
    },
    suggested_payers: suggestedPayers(books),
  };
}

type Held = Pick<HeldMatch, 'rule' | 'receipts' | 'currency' | 'due' | 'difference' | 'why'> &
  Pick<HeldMatch, 'difference_kind' | 'rate' | 'paid_currency'> &
  Pick<Match, 'invoices'> & { readonly id: number | null };

function reported(
  { id, rule, receipts, invoices, currency, due, difference, difference_kind, rate, paid_currency, why }: Held,
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

/** A match that a dry run found, as it would be held. */
function asHeld(match: Match): Held {
  const receipts = match.receipts.map(({ id, amount }) => ({ id: Number(id), amount }));
  return { ...match, id: null, receipts, difference_kind: null, rate: null, paid_currency: null, why: match.evidence };
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
