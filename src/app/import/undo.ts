import type { UndoneData } from '../../derive/import-undone.ts';
import { LedgerError, UsageError } from '../../errors.ts';
import { type ImportedTable, usingTransaction } from '../../ledger/index.ts';
import { readImport } from '../../ledger/read/imported.ts';
import { readMonthsRestingOn } from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { keep } from '../keep.ts';

/** An import that was taken back. */
export interface Undone {
  readonly import: number;
  readonly kind: ImportedTable['kind'];
  readonly file: string;
  readonly rows: number;
  readonly reason: string;
  readonly by: string;
}

export interface UndoRequest {
  readonly id: number;
  readonly reason: string;
  /** Who takes it back. */
  readonly by: string;
}

/**
 * Takes an import back: the rows that no other import holds go, and the matches that rest on them; the file and the event stay.
 *
 * @throws UsageError where there is no such import in force, or no reason is given; LedgerError where a closed month rests on it
 */
export function undoImport(books: Books, { id, reason, by: actor }: UndoRequest): Promise<Undone> {
  const why = reason.trim();
  if (why === '') throw new UsageError('--reason is empty', 'Say why the import is taken back: it stays on record.');
  return usingBooks(books, { exclusive: true }, (ledger) =>
    usingTransaction(ledger, async (trx) => {
      const held = await readImport(trx, id);
      if (!held) throw new UsageError(`there is no import ${id}`, '`remit import list` shows them all.');
      if (held.undone_at !== null) {
        throw new UsageError(
          `import ${id} was undone already, at ${held.undone_at}`,
          'There is nothing left to take back.',
        );
      }
      const months = await readMonthsRestingOn(trx, id);
      if (months.length > 0) {
        throw new LedgerError(
          `import ${id} cannot be undone: ${months.join(', ')} ${months.length === 1 ? 'is' : 'are'} closed and ${months.length === 1 ? 'rests' : 'rest'} on it`,
          `Open ${months.length === 1 ? 'it' : 'them'} again first, the last month first: \`remit reopen ${months.at(-1)} --by NAME --reason TEXT\`.`,
        );
      }
      const data: UndoneData = { why };
      await keep(trx, { at: books.now(), kind: 'import-undone', actor, subject: String(id), data });
      return { import: id, kind: held.kind, file: held.source, rows: held.rows, reason: why, by: actor };
    }),
  );
}
