import { LedgerError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { needsFilesOf } from '../../checks/requirement.ts';
import type { UndoneData } from '../../derive/imports.ts';
import { type ImportedKind, type ImportedTable, type Ledger, ofCourier, usingTransaction } from '../../ledger/index.ts';
import { findMismatchesBy } from '../../ledger/queries/findings/mismatches.ts';
import { readImport } from '../../ledger/queries/imports.ts';
import { readMonthsRestingOn } from '../../ledger/queries/index.ts';
import { monthsHeld } from '../../ledger/queries/sync/coverage.ts';
import { because } from '../../words/errors/importing.ts';
import { type Books, booksOf, usingBooks } from '../books.ts';
import { checkLedger } from '../check.ts';
import { couriersOf, ledgerOf } from '../couriers.ts';
import { recordEvidence } from '../record.ts';

/** An import that was taken back. */
export interface Undone {
  readonly import: number;
  readonly kind: ImportedTable['kind'];
  readonly file: string;
  readonly rows: number;
  readonly reason: string;
  readonly by: string;
  /** How many mismatches rested on it alone and are resolved with it. */
  readonly resolved: number;
}

export interface UndoRequest {
  readonly id: number;
  readonly reason: string;
  /** Who takes it back. */
  readonly by: string;
}

/**
 * Takes an import back: the rows that no other import holds go, and the matches and mismatches that rest on them; the file and the event
 * stay.
 *
 * @throws UsageError where there is no such import in force, or no reason is given; LedgerError where a closed month rests on it
 */
export function undoImport(books: Books, { id, reason, by: actor }: UndoRequest): Promise<Undone> {
  const why = reason.trim();
  if (why === '') throw new UsageError(because({ id: 'undo-reason-empty' }));
  return usingBooks(books, { exclusive: 'import', allCouriers: true }, async (ledger) => {
    const undone = await usingTransaction(ledger, async (trx) => {
      const held = await readImport(trx, id);
      if (!held) throw new UsageError(because({ id: 'no-import', imported: id }));
      if (held.undone_at !== null) {
        throw new UsageError(because({ id: 'import-undone', imported: id, at: instantForPeople(held.undone_at) }));
      }
      const own = held.courier === null ? trx : ofCourier(trx, held.courier);
      const couriers = await couriersOf(trx, { ...books.config, courier: null });
      const touched = held.courier === null ? couriers.map(({ key }) => ofCourier(trx, key)) : [own];
      const resting: string[] = [];
      for (const db of touched) resting.push(...(await readMonthsRestingOn(db, id)));
      const months = [...new Set(resting)].sort();
      if (months.length > 0) {
        throw new LedgerError(because({ id: 'months-rest-on-import', imported: id, months }));
      }
      const data: UndoneData = { why };
      const isCouriers = held.courier !== null;
      const looked = await monthsHeld(own);
      const what = { at: books.now(), kind: 'import-undone', actor, subject: String(id), data, isCouriers };
      await recordEvidence(own, what);
      const { kind, courier, source: file, rows } = held;
      return { undone: { import: id, kind, file, rows, reason: why, by: actor }, courier, looked };
    });
    let resolved = 0;
    for (const courier of await couriersOf(ledger.db, { ...books.config, courier: null })) {
      if (undone.courier !== null && undone.courier !== courier.key) continue;
      const rested = { kind: undone.undone.kind, months: undone.courier === null ? null : undone.looked };
      resolved += await resolveWhatRested(ledgerOf(ledger, courier), booksOf(books, courier), rested);
    }
    return { ...undone.undone, resolved };
  });
}

/** Checks every month again where a check that needs such files ever found something. @returns how many mismatches that resolved */
async function resolveWhatRested(
  ledger: Ledger,
  books: Books,
  { kind, months }: { readonly kind: ImportedKind; readonly months: readonly string[] | null },
): Promise<number> {
  const codes = CHECKS.filter((check) => needsFilesOf(check, kind)).map(({ code }) => code);
  const standing = await findMismatchesBy(ledger.db, { codes, statuses: ['open', 'acknowledged'] });
  if (standing.length === 0) return 0;
  await checkLedger(ledger, books, { periods: months, undone: kind });
  const left = await findMismatchesBy(ledger.db, { codes, statuses: ['open', 'acknowledged'] });
  const ids = new Set(left.map(({ id }) => id));
  return standing.filter(({ id }) => !ids.has(id)).length;
}
