import { UsageError } from '../../base/errors.ts';
import { describePlace, type Place } from '../../base/place.ts';
import { copyLedger } from '../../ledger/copy.ts';
import { because } from '../../words/errors/books.ts';
import { type Books, upgradingOf } from '../books.ts';

/** A finished copy, proven equal. */
export interface BooksCopy {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  /** The head of the chain of both; null for an empty ledger. */
  readonly head: string | null;
  /** SHA-256 of the canonical dump of both. */
  readonly hash: string;
}

/**
 * Copies the books' ledger to another place, whole or not at all, also while a sync is at work.
 *
 * @throws UsageError where it is the ledger's own place; LedgerError where it holds a ledger already, or cannot be read or written
 */
export async function copyBooks(books: Books, to: Place): Promise<BooksCopy> {
  const from = books.config.ledger;
  const names = { from: describePlace(from), to: describePlace(to) };
  if (names.from === names.to) throw new UsageError(because({ id: 'copy-is-ledger', ledger: names.to }));
  const { rows, head, hash } = await copyLedger(from, to, upgradingOf(books));
  return { ...names, rows, head, hash };
}
