import path from 'node:path';
import { applyResolutions } from '../../derive/decisions.ts';
import type { FileSource } from '../../imports/formats/read-safely.ts';
import type { ResolutionsFile } from '../../imports/formats/resolutions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  appendEvidence,
  type Ledger,
  type LedgerTransaction,
  sealBody,
  sha256,
  usingTransaction,
} from '../../ledger/index.ts';
import { findDocument } from '../../ledger/queries/evidence/bodies.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { isAboveLimit, type TakenOff } from '../approvals/limit.ts';
import { propose, type Waiting } from '../approvals/propose.ts';
import { type Books, usingBooks } from '../books.ts';
import { booksHaving } from '../each-courier.ts';
import { resolveIn } from '../mismatches/decide.ts';
import { planGiveUp } from '../settle/give-up.ts';
import { decisionsOf, planResolutions, type ResolutionsPlan, type Taken } from './resolutions-plan.ts';

const KIND = 'resolutions';

export interface ResolutionsImport {
  readonly by: string;
  /** Report what would be taken, and write nothing. */
  readonly dryRun: boolean;
}

/** The result of importing what people wrote into a workbook. */
export interface ImportedResolutions extends ResolutionsPlan {
  /** The evidence that holds the workbook; null for a dry run, and where nothing was to be recorded. */
  readonly id: number | null;
  /** Whether it was imported before: then nothing changes. */
  readonly isKnown: boolean;
  readonly file: string;
  readonly sha256: string;
  readonly rows: number;
  /** Rows that wait for a second person, each as one decision. */
  readonly waiting: readonly WaitingRow[];
}

/** A row that gives up more than one person may. */
export interface WaitingRow extends Pick<Taken, 'line'> {
  readonly mismatch: string;
  readonly decision: Waiting;
}

export interface ReadWorkbook {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly file: ResolutionsFile;
}

/**
 * Imports what people wrote into a statement's Mismatches sheet: statuses and notes, by id. All or nothing; the
 * workbook is kept as evidence.
 *
 * @throws ImportFileError when it is no such workbook; FileError when it cannot be read
 */
export async function importWorkbook(books: Books, workbook: ReadWorkbook, request: ResolutionsImport) {
  const use = { readOnly: request.dryRun };
  return usingBooks(await booksOfWorkbook(books, workbook), use, (ledger, courierBooks) =>
    takeBack(ledger, courierBooks, workbook, request),
  );
}

/**
 * The books narrowed to the courier whose statement it is, by its mismatches.
 *
 * @throws UsageError where several couriers have them
 */
function booksOfWorkbook(books: Books, { file }: ReadWorkbook): Promise<Books> {
  const ids = file.rows.map(({ id }) => id.trim()).filter((id) => id !== '');
  const wanted = { kind: 'mismatch', name: ids.length === 1 ? ids[0]! : `${ids[0]} ...` } as const;
  return booksHaving(books, wanted, async (db) => (await readMismatchesById(db, ids)).size > 0);
}

/** Reads a workbook in a process of its own, because it comes from outside. */
export async function readWorkbook(source: FileSource, signal: AbortSignal): Promise<ReadWorkbook> {
  // Loaded late: the readers take longer to load than a small statement takes to write.
  const [{ readAtMost, readSafely }, { WORKBOOK_WORDS }] = await Promise.all([
    import('../../imports/formats/read-safely.ts'),
    import('../../words/terms.ts'),
  ]);
  const { bytes, name } = typeof source === 'string' ? { bytes: await readAtMost(source), name: source } : source;
  const file = await readSafely(KIND, { bytes, name }, { signal, words: Object.values(WORKBOOK_WORDS) });
  return { name, bytes, file, sha256: sha256(bytes) };
}

/** Imports a workbook that was read, into an open ledger of one courier. */
export async function takeBack(
  ledger: Ledger,
  books: Pick<Books, 'config' | 'now' | 'isTeams'>,
  { name, bytes, file, sha256: hash }: ReadWorkbook,
  { by, dryRun }: ResolutionsImport,
): Promise<ImportedResolutions> {
  const about = { file: path.basename(name), sha256: hash, rows: file.rows.length, waiting: [] };
  if (dryRun) {
    return usingSnapshot(ledger, async (db) => ({
      ...about,
      ...(await planResolutions(db, books.config, file, name)),
      id: null,
      isKnown: (await findDocument(db, KIND, hash)) !== null,
    }));
  }
  const body = await sealBody(Buffer.from(bytes));
  return usingTransaction(ledger, async (trx) => {
    await holdHead(trx);
    const known = await findDocument(trx, KIND, hash);
    const plan = await planResolutions(trx, books.config, file, name);
    if (known !== null) return { ...about, ...plan, taken: [], unchanged: file.rows.length, id: known, isKnown: true };
    const isNothing = plan.taken.length + plan.conflicts.length + plan.skipped.length === 0;
    if (isNothing) return { ...about, ...plan, id: null, isKnown: false };
    const { taken, waiting } = await underLimit(trx, books, plan.taken, by);
    const data = { decisions: decisionsOf(taken) };
    const document = { at: books.now(), kind: KIND, actor: by, subject: KIND, source: about.file, body, data } as const;
    const evidence = await appendEvidence(trx, document);
    await applyResolutions(trx, evidence, data);
    return { ...about, ...plan, taken, waiting, id: evidence.id, isKnown: false };
  });
}

/**
 * Returns the rows that one person may decide, and proposes the others to a second person. The rows before a row count
 * for its limit too.
 */
async function underLimit(
  trx: LedgerTransaction,
  books: Pick<Books, 'config' | 'now' | 'isTeams'>,
  rows: readonly Taken[],
  by: string,
): Promise<{ readonly taken: readonly Taken[]; readonly waiting: readonly WaitingRow[] }> {
  const ids = rows.map(({ id }) => id);
  const found = await readMismatchesById(trx, ids);
  const givenUp: TakenOff[] = [];
  const taken: Taken[] = [];
  const waiting: WaitingRow[] = [];
  for (const row of rows) {
    const mismatches = row.status === 'resolved' ? [found.get(row.id)!] : [];
    const { givenUp: givenUpByRow } = await planGiveUp(trx, books.config, mismatches, { settle: false });
    if (await isAboveLimit(trx, books.config, [...givenUp, ...givenUpByRow])) {
      const request = { ids: [row.id], by, note: row.note, settle: false };
      const what = { what: 'resolve', request } as const;
      // `propose` only tries to resolve it, so that the proposal can say what that would do.
      const decision = await propose(trx, books, what, () => resolveIn(trx, books, request));
      waiting.push({ line: row.line, mismatch: row.id, decision });
    } else {
      taken.push(row);
      givenUp.push(...givenUpByRow);
    }
  }
  return { taken, waiting };
}
