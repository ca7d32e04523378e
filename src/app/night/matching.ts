import { hasReceipts } from '../../ledger/read/receipts.ts';
import { type Books, usingBooks } from '../books.ts';
import { listMatches, matchBooks } from '../match/index.ts';
import type { NightMatching } from './model.ts';

/** The last match that there was before the night; 0 where none was ever made, or there is no ledger yet. */
export async function lastMatch(books: Books): Promise<number> {
  const { matches } = await listMatches(books);
  return Math.max(0, ...matches.map(({ id }) => id ?? 0));
}

/**
 * Matches receipts to what the night brought.
 *
 * @param before the last match before the night: the sync matches what it brings by itself, and that is the night's too
 * @returns null where nothing was ever received
 */
export async function matchNight(books: Books, before: number): Promise<NightMatching | null> {
  if (!(await usingBooks(books, { readOnly: true }, ({ db }) => hasReceipts(db)))) return null;
  const { report } = await matchBooks(books, { periods: null, dryRun: false });
  const matched = new Set(report.matches.flatMap(({ receipts }) => receipts));
  return {
    new: report.matches.filter(({ id }) => id !== null && id > before).length,
    matched: matched.size,
    unmatched: report.unmatched.receipts.length,
    ambiguous: report.ambiguous.length,
  };
}
