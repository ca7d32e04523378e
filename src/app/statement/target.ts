import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { FileError, ImportFileError, UsageError } from '../../base/errors.ts';
import { sha256OfFile } from '../../base/files/read.ts';
import { appendEvidence, type Ledger, usingTransaction } from '../../ledger/index.ts';
import { findDocument } from '../../ledger/queries/evidence/bodies.ts';
import { isWrittenByRemit, type StatedFigures, type StatementData } from '../../ledger/queries/evidence/statements.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type NotOverwritten, statingError } from '../../words/errors/stating.ts';
import type { Books } from '../books.ts';
import {
  type ImportedResolutions,
  planResolutions,
  type ReadWorkbook,
  readWorkbook,
  takeResolutions,
} from '../import/resolutions.ts';

/** What to do with what people wrote into a workbook that a statement would replace. */
export interface Keep {
  /** Take statuses and notes back first. */
  readonly takeNotes: boolean;
  /** Write beside it, as `2026-10 (2).xlsx`. */
  readonly beside: boolean;
  /** Who takes them back; null if nothing is to be taken back. */
  readonly by: string | null;
}

/** The books whose statement it is, with their ledger open. */
interface OpenBooks {
  readonly ledger: Ledger;
  readonly books: Pick<Books, 'config' | 'now' | 'signal' | 'isTeams'>;
  /** Whether the ledger is a past one, into which nothing can be taken. */
  readonly isPast: boolean;
}

/**
 * Decides where a statement's workbook is written: never over what somebody typed into the earlier one, unless it was
 * statuses and notes that were taken back.
 *
 * @returns the file, and what was taken back on the way; null if nothing was
 * @throws FileError when something was typed there, saying what and how to go on; ImportFileError when notes are to be
 * taken back from a workbook of another ledger
 */
export async function chooseWorkbookTarget(
  file: string,
  keep: Keep,
  openBooks: OpenBooks,
): Promise<{ readonly file: string; readonly taken: ImportedResolutions | null }> {
  const { ledger, books, isPast } = openBooks;
  if (keep.takeNotes && isPast) throw new UsageError(statingError({ id: 'no-notes-into-past' }));
  if (await mayReplace(file, ledger)) return { file, taken: null };
  const workbook = await readIfStatement(file, books.signal);
  const taken = workbook && keep.takeNotes ? await takeBack(workbook, keep.by ?? 'unknown', openBooks) : null;
  const left = workbook ? await whyLeft(workbook, taken !== null, openBooks) : ({ why: 'not-remits' } as const);
  if (left === null) return { file, taken };
  if (keep.beside) return { file: freeNameBeside(file), taken };
  throw new FileError(statingError({ id: 'left-as-it-is', file, left }));
}

/**
 * Decides where a file is written that is no workbook to type into, such as a PDF or the index of several statements:
 * never over one that was changed since, such as a PDF that somebody signed, or over any other file.
 *
 * @throws FileError when there is such a file, saying how to go on
 */
export async function chooseOtherTarget(file: string, { beside }: Keep, ledger: Ledger): Promise<string> {
  if (await mayReplace(file, ledger)) return file;
  if (beside) return freeNameBeside(file);
  throw new FileError(statingError({ id: 'not-as-written', file }));
}

/**
 * Records a statement that was written, so that the next one knows whether anybody has changed the file, and what
 * changed since.
 *
 * @param month for an index of several, the range: `2026-09..2026-10`
 */
export async function rememberWritten(
  ledger: Ledger,
  { month, file, figures, now }: { month: string; file: string; figures: readonly StatedFigures[]; now: Date },
): Promise<void> {
  const hash = await hashOf(file);
  const stated = figures.map(({ currency, net_due_to_merchant, outstanding, short }) => {
    return { currency, net_due_to_merchant, outstanding, short };
  });
  const data: StatementData = { file_sha256: hash, figures: stated };
  await usingTransaction(ledger, async (trx) => {
    if (await isWrittenByRemit(trx, hash)) return;
    await appendEvidence(trx, { at: now, kind: 'statement', subject: month, source: path.basename(file), data });
  });
}

/** Whether nothing is there to be lost: no file, or one that is as remit wrote it. */
async function mayReplace(file: string, { db }: Ledger): Promise<boolean> {
  // What is there but no file is refused when it is written.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return true;
  return isWrittenByRemit(db, await hashOf(file));
}

/** Takes back a workbook's statuses and notes; null if none are left to take. */
async function takeBack(workbook: ReadWorkbook, by: string, openBooks: OpenBooks): Promise<ImportedResolutions | null> {
  if ((await notTakenBack(workbook, openBooks)) === null) return null;
  return takeResolutions(openBooks.ledger, openBooks.books, workbook, { by, dryRun: false });
}

/**
 * Why a workbook is left as it is; null if nothing in it would be lost.
 *
 * @param isTaken whether its statuses and notes were just taken back
 */
async function whyLeft(workbook: ReadWorkbook, isTaken: boolean, openBooks: OpenBooks): Promise<NotOverwritten | null> {
  if (isTaken) return isEdited(workbook) ? { why: 'typed-into-too' } : null;
  const left = await notTakenBack(workbook, openBooks).catch((error: unknown) => {
    if (error instanceof ImportFileError) return { why: 'of-other-ledger' } as const;
    throw error;
  });
  if (left !== null) return left;
  return isEdited(workbook) ? { why: 'typed-into' } : null;
}

/**
 * Statuses and notes that were not taken back; null if there are none.
 *
 * @throws ImportFileError for a workbook of another ledger
 */
function notTakenBack({ name, file, sha256: hash }: ReadWorkbook, { ledger, books }: OpenBooks) {
  return usingSnapshot(ledger, async (db): Promise<NotOverwritten | null> => {
    // If the workbook was imported, the import has reported what it did not take.
    if ((await findDocument(db, 'resolutions', hash)) !== null) return null;
    const { taken, conflicts, skipped } = await planResolutions(db, books.config, file, name);
    const count = taken.length + conflicts.length + skipped.length;
    return count === 0 ? null : { why: 'not-taken-back', count };
  });
}

/** Whether cells other than statuses and notes differ from those whose digest is in remit's mark. */
function isEdited({ file }: ReadWorkbook): boolean {
  return file.mark?.cells !== file.cells;
}

/** The workbook, read; null for a file that is no statement. */
async function readIfStatement(file: string, signal: AbortSignal): Promise<ReadWorkbook | null> {
  try {
    const workbook = await readWorkbook(file, signal);
    return workbook.file.mark === null ? null : workbook;
  } catch (error) {
    if (error instanceof ImportFileError) return null;
    throw error;
  }
}

/** `2026-10 (2).xlsx`, or the first number that is free. */
function freeNameBeside(file: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let number = 2; ; number += 1) {
    const numbered = path.join(dir, `${name} (${number})${ext}`);
    if (!existsSync(numbered)) return numbered;
  }
}

async function hashOf(file: string): Promise<string> {
  try {
    return await sha256OfFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FileError(statingError({ id: 'cannot-be-read', file, code: code ?? null }), { cause: error });
  }
}
