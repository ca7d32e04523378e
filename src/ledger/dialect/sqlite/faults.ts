import { statSync } from 'node:fs';
import { LedgerError, RemitError } from '../../../base/errors.ts';
import { SumRangeError } from '../../../money/index.ts';

const REMEDIES: Record<string, (file: string) => [message: string, hint: string]> = {
  SQLITE_NOTADB: (file) => [
    `${file} is not a remit ledger, or it is damaged`,
    'Point REMIT_LEDGER (or `ledger` in remit.toml) at a ledger, restore a backup, or move the file away to start a new one.',
  ],
  SQLITE_CORRUPT: (file) => [
    `${file} is damaged`,
    'Restore a backup, or move the file away and sync again: the API still has the documents.',
  ],
  SQLITE_FULL: (file) => [
    `the disk that holds ${file} is full`,
    'Free some space and run the command again; the ledger keeps everything that was written before.',
  ],
  SQLITE_CANTOPEN: (file) => [
    `${file} cannot be opened or made`,
    'Check that its folder exists and that you may write there.',
  ],
  SQLITE_READONLY: (file) => [
    `${file} or its folder is read-only`,
    'Give yourself write permission on the folder (SQLite keeps its journal there), or use another ledger with REMIT_LEDGER.',
  ],
  SQLITE_PERM: (file) => [`${file} may not be accessed`, 'Check the permissions of the file and its folder.'],
  SQLITE_BUSY: (file) => [
    `${file} is busy: another program is writing to it`,
    'Close other programs that have it open, then run the command again.',
  ],
  SQLITE_IOERR: (file) => [
    `the disk failed while reading or writing ${file}`,
    'Check the disk (is it full, unplugged, or a network folder?) and run the command again.',
  ],
};

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
  const remedy = Object.keys(REMEDIES).find((prefix) => known.startsWith(prefix));
  if (remedy) {
    const [message, hint] = REMEDIES[remedy]!(file);
    return new LedgerError(message, hint, { cause: error });
  }
  if (error.message === 'integer overflow') {
    return new SumRangeError(`amounts in ${file}`, undefined, { cause: error });
  }
  if (code.startsWith('SQLITE_')) {
    return new LedgerError(`${file}: ${error.message}`, 'Run `remit doctor`; if it finds nothing, restore a backup.', {
      cause: error,
    });
  }
  return error;
}
