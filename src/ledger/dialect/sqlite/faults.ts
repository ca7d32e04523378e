import { statSync } from 'node:fs';
import { LedgerError, RemitError } from '../../../base/errors.ts';
import { SumRangeError } from '../../../money/index.ts';
import { because } from '../../../words/errors/disks.ts';

/** What an error's code says, by its beginning. */
const IDS = {
  SQLITE_NOTADB: 'no-ledger-file',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_FULL: 'disk-full',
  SQLITE_CANTOPEN: 'cannot-be-opened',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'not-accessible',
  SQLITE_BUSY: 'busy',
  SQLITE_IOERR: 'disk-failed',
} as const;

/** Turns a failure of SQLite into an error that names the file and the remedy; anything else is returned as it came. */
export function explainLedgerFault(error: unknown, file: string): unknown {
  if (error instanceof RemitError || !(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return error;
  // SQLite cannot make its journal beside a ledger that is there: the folder, or the whole disk, is read-only.
  const known =
    code.startsWith('SQLITE_CANTOPEN') && statSync(file, { throwIfNoEntry: false })?.isFile()
      ? 'SQLITE_READONLY'
      : code;
  const beginning = (Object.keys(IDS) as (keyof typeof IDS)[]).find((prefix) => known.startsWith(prefix));
  if (beginning) return new LedgerError(because({ id: IDS[beginning], file }), { cause: error });
  if (error.message === 'integer overflow') {
    return new SumRangeError({ ledger: file }, undefined, { cause: error });
  }
  if (code.startsWith('SQLITE_')) {
    return new LedgerError(because({ id: 'sqlite-says', file, message: error.message }), { cause: error });
  }
  return error;
}
