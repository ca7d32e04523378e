import { outcomeOf, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { Ledger } from '../../ledger/index.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import type { Books } from '../books.ts';
import { eachCourier } from '../each-courier.ts';
import { type MatchReport, reportOf } from './report.ts';
import { matchLedger, type RunRequest } from './run.ts';

/** The result of a run of the rules: the report, and how many new matches were booked. */
export interface MatchRun {
  readonly report: MatchReport;
  readonly booked: number;
}

/** Runs the rules and books what they match, unless it is a dry run. A second run changes nothing. */
export async function matchBooks(books: Books, request: RunRequest): Promise<MatchRun> {
  const runs = await eachCourier(books, { readOnly: request.dryRun }, async (ledger, { config }) => {
    const { books: before, outcome, booked } = await matchLedger(ledger, { config, now: books.now }, request);
    const { periods, dryRun } = request;
    // Matches of other months than those that were asked for.
    const pending = outcome.matches.filter((match) => !booked.includes(match));
    if (dryRun) {
      return { report: reportOf(before, outcome, { periods, planned: booked, pending }), booked: booked.length };
    }
    const after = await usingSnapshot(ledger, (db) => readMatchBooks(db, config));
    return { report: reportOf(after, outcome, { periods, pending }), booked: booked.length };
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

/** Joins the couriers' reports into one. */
function joined(parts: readonly { readonly courier: string; readonly value: MatchReport }[]): MatchReport {
  const unique = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);
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
      receipts: unique(parts.flatMap(({ value }) => value.unmatched.receipts)),
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
    return reportOf(current, outcome, { periods: null, pending: outcome.matches });
  });
}
