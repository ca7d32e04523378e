import path from 'node:path';
import { ImportFileError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { instantForPeople } from '../../base/instant.ts';
import { cleanText } from '../../base/text.ts';
import { plainCellText } from '../../base/workbook-mark.ts';
import type { Config } from '../../config/index.ts';
import type { FileSource } from '../../imports/formats/read-safely.ts';
import type { ResolutionRow, ResolutionsFile } from '../../imports/formats/resolutions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  type Ledger,
  type LedgerTransaction,
  type MismatchEventTable,
  type MismatchStatus,
  sealBody,
  sha256,
  usingTransaction,
} from '../../ledger/index.ts';
import { findDocument } from '../../ledger/queries/evidence/bodies.ts';
import { readChainAt } from '../../ledger/queries/evidence/chain.ts';
import { type FormerState, readFormerStates, readLastEvents } from '../../ledger/queries/findings/history.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { REMIT } from '../../ledger/schema/findings.ts';
import type { MismatchDecision } from '../../ledger/write/mismatches.ts';
import { workbookText } from '../../render/workbook/values.ts';
import { importingError } from '../../words/errors/importing.ts';
import { isAboveLimit, type TakenOff } from '../approvals/limit.ts';
import { propose, type Waiting } from '../approvals/propose.ts';
import { type Books, usingBooks } from '../books.ts';
import { booksHaving } from '../each-courier.ts';
import { resolveIn } from '../mismatches/decide.ts';
import { reasonInWords } from '../mismatches/in-number-texts.ts';
import { recordEvidence } from '../record.ts';
import { outdatedOf, planGiveUp } from '../settle/give-up.ts';

const KIND = 'resolutions';

interface ResolutionsImport {
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
interface WaitingRow extends Pick<Taken, 'line'> {
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
 * @throws ImportFileError when it is no such workbook; UsageError where several couriers have its mismatches
 */
export async function importWorkbook(books: Books, workbook: ReadWorkbook, request: ResolutionsImport) {
  const ids = workbook.file.rows.map(({ id }) => id);
  const [first, ...others] = ids;
  const use = { readOnly: request.dryRun, allCouriers: first === undefined };
  let courierBooks = books;
  // The mismatches say which courier's statement it is; a statement without mismatches needs no courier.
  if (first !== undefined) {
    const wanted = { kind: 'mismatch', name: others.length === 0 ? first : `${first} ...` } as const;
    courierBooks = await booksHaving(books, wanted, async (db) => (await readMismatchesById(db, ids)).size > 0);
  }
  return usingBooks(courierBooks, use, (ledger, lent) => takeResolutions(ledger, lent, workbook, request));
}

/** Reads a workbook in a process of its own, because it comes from outside. */
export async function readWorkbook(source: FileSource, signal: AbortSignal): Promise<ReadWorkbook> {
  // Loaded late: the readers take longer to load than a small statement takes to write.
  const [{ readSafely, readSource }, { WORKBOOK_WORDS }] = await Promise.all([
    import('../../imports/formats/read-safely.ts'),
    import('../../words/terms.ts'),
  ]);
  const { bytes, name } = await readSource(source);
  const file = await readSafely(KIND, { bytes, name }, { signal, words: Object.values(WORKBOOK_WORDS) });
  return { name, bytes, file, sha256: sha256(bytes) };
}

/** Imports a workbook that was read, into an open ledger of one courier. */
export async function takeResolutions(
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
    const evidence = await recordEvidence(trx, document);
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
) {
  const givenUp: TakenOff[] = [];
  const taken: Taken[] = [];
  const waiting: WaitingRow[] = [];
  for (const row of rows) {
    const resolved = row.status === 'resolved' ? [row.id] : [];
    const { givenUp: givenUpByRow } = await planGiveUp(trx, books.config, resolved, { settle: false });
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

/** A row of the workbook that becomes a decision in the ledger. */
export interface Taken {
  readonly line: number;
  readonly id: string;
  readonly status: MismatchStatus;
  /** Null leaves the note as it is; an empty text removes it. */
  readonly note: string | null;
}

/** A row that a person changed in the workbook, and that does not become a decision. */
export interface NotTaken {
  readonly line: number;
  readonly id: string;
  readonly why: string;
}

interface ResolutionsPlan {
  readonly taken: readonly Taken[];
  /** Rows about which somebody decided after the workbook was written. */
  readonly conflicts: readonly NotTaken[];
  readonly skipped: readonly NotTaken[];
  /** Rows in which nothing was changed, or that say what the ledger has already. */
  readonly unchanged: number;
}

/**
 * Compares a workbook with the ledger when the workbook was written, and with the ledger now. Taken are only rows that
 * a person changed in the workbook, and about which nobody has decided since.
 *
 * @throws ImportFileError when the workbook does not say when it was written, or was written from another ledger
 */
export async function planResolutions(db: LedgerReader, config: Config, file: ResolutionsFile, name: string) {
  const evidenceWhenWritten = await lastEvidenceWhenWritten(db, file, name);
  const ids = file.rows.map(({ id }) => id);
  const now = await readMismatchesById(db, ids);
  const whenWritten = await readFormerStates(db, ids, evidenceWhenWritten);
  const last = await readLastEvents(db, ids);
  const taken: Taken[] = [];
  const conflicts: NotTaken[] = [];
  const skipped: NotTaken[] = [];
  let unchanged = 0;
  for (const row of file.rows) {
    const { line, id } = row;
    const mismatch = now.get(id);
    if (!mismatch) {
      skipped.push({ line, id, why: `the ledger knows no mismatch ${id}` });
      continue;
    }
    if (row.fault !== null) {
      skipped.push({ line, id, why: row.fault });
      continue;
    }
    const judgement = judge(row, mismatch, whenWritten.get(id)!, last.get(id)!);
    if (judgement === 'unchanged') unchanged += 1;
    else if ('conflict' in judgement) conflicts.push({ line, id, why: judgement.conflict });
    else if ('skip' in judgement) skipped.push({ line, id, why: judgement.skip });
    else taken.push({ line, id, ...judgement });
  }
  const resolved = taken.flatMap(({ id, status }) => (status === 'resolved' ? [now.get(id)!] : []));
  const outdated = await outdatedOf(db, config, resolved);
  for (const { line, id } of taken) if (outdated.has(id)) skipped.push({ line, id, why: outdated.get(id)!.message });
  return { taken: taken.filter(({ id }) => !outdated.has(id)), conflicts, skipped, unchanged };
}

/** Why a row is not taken, or the status and note that it gives the mismatch. */
type Judgement =
  | 'unchanged'
  | { readonly conflict: string }
  | { readonly skip: string }
  | { readonly status: MismatchStatus; readonly note: string | null };

/** @param former the mismatch when the workbook was written. @param last the last entry in its history */
function judge(row: ResolutionRow, now: Mismatch, former: FormerState, last: MismatchEventTable): Judgement {
  const before = { status: former.status ?? 'open', note: asTyped(former.note) };
  const typed = asTyped(row.note);
  // Null where the person left it as it was.
  const note = typed === before.note ? null : typed;
  const status = row.status === null || row.status === before.status ? null : row.status;
  const isInLedger = (status ?? now.status) === now.status && (note ?? asTyped(now.note)) === asTyped(now.note);
  if ((status === null && note === null) || isInLedger) return 'unchanged';
  const laterDecision = former.later.findLast(({ actor }) => actor !== REMIT);
  if (laterDecision) return { conflict: `${decisionText(laterDecision)}, after the statement was written` };
  if (status !== null && now.status !== before.status) {
    return { conflict: `${decisionText(last)}, after the statement was written` };
  }
  if (status !== null && now.status === 'resolved' && last.actor === REMIT) {
    return { skip: 'the data no longer shows it; it opens by itself when it shows again' };
  }
  const reason = note ?? asTyped(now.note);
  if (status === 'resolved' && reason === '') return { skip: 'a resolution needs a reason, and its note is empty' };
  return { status: status ?? now.status, note };
}

function decisionText(entry: MismatchEventTable): string {
  const { actor, at, to_status, note } = reasonInWords(entry);
  const why = note === null || note === '' ? '' : ` (${cleanText(note, 200)})`;
  return `${cleanText(actor)} left it ${to_status} at ${instantForPeople(at)}${why}`;
}

/** A note as it comes back from a cell of a workbook, for comparison. */
function asTyped(note: string | null): string {
  return plainCellText(workbookText(note ?? ''));
}

/** The last evidence in the ledger when the workbook was written. */
async function lastEvidenceWhenWritten(db: LedgerReader, { mark }: ResolutionsFile, name: string): Promise<number> {
  const file = cleanText(name, 200);
  if (mark === null) throw new ImportFileError(importingError({ id: 'mark-gone', file }), { file });
  // Nothing was in the ledger yet.
  if (mark.evidence === 0) return 0;
  const chain = await readChainAt(db, mark.evidence);
  if (chain?.startsWith(mark.chain)) return mark.evidence;
  throw new ImportFileError(importingError({ id: 'of-another-ledger', file }), { file });
}

/** Makes one decision of all rows with the same status and note. */
function decisionsOf(taken: readonly Taken[]): MismatchDecision[] {
  const alike = groupBy(taken, ({ status, note }) => JSON.stringify([status, note]));
  return [...alike.values()].map((rows) => {
    const { status, note } = rows[0]!;
    return { ids: rows.map(({ id }) => id), to_status: status, note };
  });
}
