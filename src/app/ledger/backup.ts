import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../base/errors.ts';
import { describePlace } from '../../base/place.ts';
import { backupLedger } from '../../ledger/copy.ts';
import { because } from '../../words/errors/books.ts';
import { type Books, refuseOwnFiles, upgradingOf } from '../books.ts';

/** A finished copy. */
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
  if (!existsSync(path.dirname(file))) {
    throw new FileError(because({ id: 'no-folder-for-copy', folder: path.dirname(file) }));
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FileError(because({ id: 'copy-is-folder', file }));
  }
  if (existsSync(file) && !options.force) {
    throw new FileError(because({ id: 'copy-there', file }));
  }
  const place = books.config.ledger;
  await backupLedger(place, file, upgradingOf(books));
  return { ledger: describePlace(place), file, bytes: statSync(file).size };
}
