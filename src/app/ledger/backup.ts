import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { FileError, UsageError } from '../../base/errors.ts';
import { describePlace, type Place } from '../../base/place.ts';
import { backupLedger, copyLedger } from '../../ledger/copy.ts';
import { grantsOf } from '../../ledger/index.ts';
import { booksError } from '../../words/errors/books.ts';
import { type Books, refuseOwnFiles, upgradingOf } from '../books.ts';

/** A finished copy of the ledger in one file. */
export interface Backup {
  readonly ledger: string;
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes a complete, checked copy of the books' ledger, also while a sync is at work.
 *
 * @param file the copy, absolute
 * @param options `force` replaces a file of that name
 * @throws FileError when the copy cannot be written or is there already; LedgerError when the ledger cannot be read
 */
export async function backupBooks(books: Books, file: string, options: { force: boolean }): Promise<Backup> {
  refuseOwnFiles(books, file);
  const folder = path.dirname(file);
  if (!existsSync(folder)) throw new FileError(booksError({ id: 'no-folder-for-copy', folder }));
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FileError(booksError({ id: 'copy-is-folder', file }));
  }
  if (existsSync(file) && !options.force) throw new FileError(booksError({ id: 'copy-there', file }));
  const place = books.config.ledger;
  // A ledger of an earlier remit is brought up to date first.
  await backupLedger(place, file, upgradingOf(books));
  return { ledger: describePlace(place), file, bytes: statSync(file).size };
}

/** The SQL that gives each role its rights on the ledger. @throws UsageError for a ledger in a file: it has no roles */
export async function ledgerGrants({ config }: Books): Promise<string> {
  const place = config.ledger;
  const sql = await grantsOf(place);
  if (sql !== null) return sql;
  throw new UsageError(booksError({ id: 'file-without-roles', ledger: describePlace(place) }));
}

/** A finished copy in another place, compared with the original. */
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
 * @throws UsageError when `to` is the ledger's own place; LedgerError when a ledger is there already, or cannot be
 *   read or written
 */
export async function copyBooks(books: Books, to: Place): Promise<BooksCopy> {
  const from = books.config.ledger;
  const names = { from: describePlace(from), to: describePlace(to) };
  if (names.from === names.to) throw new UsageError(booksError({ id: 'copy-is-ledger', ledger: names.to }));
  const { rows, head, hash } = await copyLedger(from, to, upgradingOf(books));
  return { ...names, rows, head, hash };
}
