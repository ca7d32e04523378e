import { matchReceipts } from '../../books/matching/index.ts';
import { readMatchBooks } from '../../checks/receipts/match-books.ts';
import type { Ledger } from '../../ledger/index.ts';
import { usingSnapshot } from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { type MatchReport, reportOf } from './report.ts';
import { matchLedger, type RunRequest } from './run.ts';

export type { MatchReport } from './report.ts';

/** What a run of the rules gives: the report, and how many matches were new. */
export interface MatchRun {
  readonly report: MatchReport;
  readonly booked: number;
}

/** Matches receipts to invoices. A second run changes nothing. */
export function matchBooks(books: Books, request: RunRequest): Promise<MatchRun> {
  return usingBooks(books, { readOnly: request.dryRun }, async (ledger) => {
    const { books: before, outcome, booked } = await matchLedger(ledger, books, request);
    const pending = outcome.matches.filter((match) => !booked.includes(match));
    if (request.dryRun)
      return { report: reportOf(before, outcome, request.periods, booked, pending), booked: booked.length };
    const after = await usingSnapshot(ledger, (db) => readMatchBooks(db, books.config));
    return { report: reportOf(after, outcome, request.periods, [], pending), booked: booked.length };
  });
}

/** What is matched and what is not, as it stands. */
export function listMatches(books: Books): Promise<MatchReport> {
  return usingBooks(books, { readOnly: true }, (ledger) => matchesOf(ledger, books));
}

/** The same of a ledger that is open. */
export function matchesOf(ledger: Ledger, { config }: Pick<Books, 'config'>): Promise<MatchReport> {
  return usingSnapshot(ledger, async (db) => {
    const held = await readMatchBooks(db, config);
    const outcome = matchReceipts(held.input);
    return reportOf(held, outcome, null, [], outcome.matches);
  });
}
