import { LedgerError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { BalanceBook } from '../../checks/facts/balances/book.ts';
import { needsFilesOf } from '../../checks/requirement.ts';
import type { Config } from '../../config/index.ts';
import type { UndoneData } from '../../derive/imports.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import {
  type ImportedKind,
  type ImportedTable,
  type Ledger,
  type LedgerTransaction,
  ofCourier,
  usingTransaction,
} from '../../ledger/index.ts';
import { readMonthsRestingOn } from '../../ledger/queries/closes/closes.ts';
import { readCouriers } from '../../ledger/queries/couriers.ts';
import { readWaiting } from '../../ledger/queries/evidence/decided.ts';
import { findMismatchesBy } from '../../ledger/queries/findings/mismatches.ts';
import { readImport, readImports } from '../../ledger/queries/imports.ts';
import { readDocumentedMonths } from '../../ledger/queries/months.ts';
import { importingError } from '../../words/errors/importing.ts';
import { readApprovals, refuseIn } from '../approvals/list.ts';
import { type Books, booksOf, readBooks, usingBooks } from '../books.ts';
import { checkLedger } from '../check.ts';
import { type Courier, couriersOf, ledgerOf } from '../couriers.ts';
import { matchCouriers } from '../match/run.ts';
import { recordEvidence } from '../record.ts';
import type { ImportProposal } from './waiting.ts';

/** An import as `import list --json` prints it. */
export type ListedImport = Omit<ImportedTable, 'column_map' | 'last_receipt' | 'run_id' | 'allow_gap' | 'ids'> & {
  readonly allow_gap: boolean;
  /** Present where it waits for a second person, and pays nothing until then. */
  readonly waiting?: true;
};

/** Every import, with those that were undone or wait for a second person, in the order in which they came. */
export function listImports(books: Books): Promise<ListedImport[]> {
  return readBooks(books, { allCouriers: true }, async (db) => {
    const names = new Map((await readCouriers(db)).map(({ key, name }) => [key, name]));
    const imports = (await readImports(db)).map(
      ({ column_map: _, last_receipt: __, run_id: ___, ids: ____, allow_gap, ...row }) => ({
        ...row,
        courier: row.courier === null ? null : (names.get(row.courier) ?? row.courier),
        allow_gap: allow_gap === 1,
      }),
    );
    const waiting = (await readWaiting(db, 'import')).map(waitingImport);
    return [...imports, ...waiting].sort((a, b) => a.id - b.id);
  });
}

function waitingImport({ id, at, data }: EvidenceRow): ListedImport {
  const { request } = JSON.parse(data!) as { readonly request: ImportProposal };
  // `row` is without what only its approval needs.
  const { file, by, from: _, to: __, totals: ___, column_map: ____, replace: _____, table: ______, ...row } = request;
  const undone = { undone_at: null, undone_by: null, undone_why: null };
  const counts = { changed: 0, unchanged: row.rows - row.new };
  return { id, at, actor: by, source: file, courier: null, ...row, ...counts, ...undone, waiting: true };
}

/** An import that was taken back, or a file that waited and was refused. */
export interface Undone extends Omit<UndoImportRequest, 'id'> {
  readonly import: number;
  readonly kind: ImportedKind;
  readonly file: string;
  readonly rows: number;
  /** How many mismatches were resolved because only this import showed them. */
  readonly resolved: number;
}

interface UndoImportRequest {
  readonly id: number;
  readonly reason: string;
  readonly by: string;
}

/**
 * Takes an import back: rows that no other import has are removed, and matches and mismatches that rest on them; the
 * file and the event stay.
 *
 * @throws UsageError where there is no such import in force; LedgerError where a closed month rests on it
 */
export function undoImport(books: Books, request: UndoImportRequest): Promise<Undone> {
  return usingBooks(books, { exclusive: 'import', allCouriers: true }, (ledger) =>
    usingTransaction(ledger, (trx) => undoIn({ ...ledger, db: trx }, books, request)),
  );
}

/** Takes an import back, matches what is left, and checks it, in the ledger's transaction. */
async function undoIn(ledger: Ledger, books: Books, request: UndoImportRequest): Promise<Undone> {
  const { id, reason: why, by: actor } = request;
  const trx = ledger.db;
  // First, so that nobody else matches or decides anything that rests on the import meanwhile.
  await holdHead(trx);
  const importRow = await readImport(trx, id);
  // It may be the id of a proposal: a file that waits for a second person.
  if (!importRow) return refuseWaiting(trx, books, request);
  if (importRow.undone_at !== null) {
    const at = instantForPeople(importRow.undone_at);
    throw new UsageError(importingError({ id: 'import-undone', imported: id, at }));
  }
  const { kind, courier, source: file, rows } = importRow;
  const couriers = await couriersOf(trx, { ...books.config, courier: null });
  // A settlement sheet is one courier's; any other file is about all of them, and its `courier` is null.
  const concerned = couriers.filter(({ key }) => courier === null || key === courier);
  const resting = await Promise.all(concerned.map(({ key }) => readMonthsRestingOn(ofCourier(trx, key), id)));
  refuseResting(id, resting.flat());
  // The courier's months, read before the sheet is taken back: months that it alone brought are checked too. Null: all.
  const courierRows = courier === null ? trx : ofCourier(trx, courier);
  const months = courier === null ? null : await readDocumentedMonths(courierRows);
  const data: UndoneData = { why };
  // The closing balance of a closed month may differ from the books for another reason. Undoing is refused only if it
  // adds such a month.
  const before = await monthsNotFollowing(trx, concerned, id);
  const what = { at: books.now(), kind: 'import-undone', actor, subject: String(id), data };
  await recordEvidence(courierRows, { ...what, isOfBooks: courier === null });
  await matchCouriers(ledger, books);
  const after = await monthsNotFollowing(trx, concerned, id);
  const added = after.filter((month) => !before.includes(month));
  refuseResting(id, added);
  let resolved = 0;
  for (const each of concerned) {
    resolved += await resolveWhatRested(ledgerOf(ledger, each), booksOf(books, each), { kind, months });
  }
  return { import: id, kind, file, rows, reason: why, by: actor, resolved };
}

/** The months closed after the import whose frozen closing balance does not follow from the books as they are. */
async function monthsNotFollowing(trx: LedgerTransaction, couriers: readonly Courier<Config>[], id: number) {
  const months: string[] = [];
  for (const { key, config } of couriers) {
    const balances = await BalanceBook.read(ofCourier(trx, key), config);
    months.push(...(await balances.closesNotFollowing(id)));
  }
  return months;
}

function refuseResting(imported: number, resting: readonly string[]): void {
  const months = [...new Set(resting)].sort();
  if (months.length > 0) throw new LedgerError(importingError({ id: 'months-rest-on-import', imported, months }));
}

/** Refuses a file that waits for a second person. @throws UsageError where none waits under that id */
async function refuseWaiting(trx: LedgerTransaction, books: Books, { id, reason, by }: UndoImportRequest) {
  const waits = (await readApprovals(trx)).find((approval) => approval.id === id && approval.status === 'waiting');
  if (waits?.what !== 'import') throw new UsageError(importingError({ id: 'no-import', imported: id }));
  await refuseIn(trx, books, { id, by, note: reason });
  const { kind, file, rows } = waits.request;
  return { import: id, kind, file, rows, reason, by, resolved: 0 };
}

/** Checks the months again. @returns how many mismatches are resolved because they rested on files of that kind */
async function resolveWhatRested(
  ledger: Ledger,
  books: Books,
  { kind, months }: { readonly kind: ImportedKind; readonly months: readonly string[] | null },
): Promise<number> {
  const codes = CHECKS.filter((check) => needsFilesOf(check, kind)).map(({ code }) => code);
  const found = await findMismatchesBy(ledger.db, { statuses: ['open', 'acknowledged'] });
  if (found.length === 0) return 0;
  await checkLedger(ledger, books, { periods: months, undone: kind });
  const stillFound = await findMismatchesBy(ledger.db, { codes, statuses: ['open', 'acknowledged'] });
  const ids = new Set(stillFound.map(({ id }) => id));
  return found.filter(({ id, code }) => codes.includes(code) && !ids.has(id)).length;
}
