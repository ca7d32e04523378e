import { ImportFileError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { instantForPeople } from '../../base/instant.ts';
import { cleanText } from '../../base/text.ts';
import { plainCellText } from '../../base/workbook-mark.ts';
import type { Config } from '../../config/index.ts';
import type { ResolutionRow, ResolutionsFile } from '../../imports/formats/resolutions.ts';
import type { MismatchEventTable, MismatchStatus } from '../../ledger/index.ts';
import { readChainAt } from '../../ledger/queries/evidence/chain.ts';
import { type FormerState, readFormerStates, readLastEvents } from '../../ledger/queries/findings/history.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { REMIT } from '../../ledger/schema/findings.ts';
import type { MismatchDecision } from '../../ledger/write/mismatches.ts';
import { workbookText } from '../../render/workbook/values.ts';
import { because } from '../../words/errors/importing.ts';
import { reasonInWords } from '../mismatches/in-number-texts.ts';
import { outdatedOf } from '../settle/give-up.ts';

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

export interface ResolutionsPlan {
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
  const evidence = await writtenAt(db, file, name);
  const ids = file.rows.map(({ id }) => id);
  const now = await readMismatchesById(db, ids);
  const whenWritten = await readFormerStates(db, ids, evidence);
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
async function writtenAt(db: LedgerReader, { mark }: ResolutionsFile, name: string): Promise<number> {
  const file = cleanText(name, 200);
  if (mark === null) throw new ImportFileError(because({ id: 'mark-gone', file }), { file });
  // Nothing was in the ledger yet.
  if (mark.evidence === 0) return 0;
  const chain = await readChainAt(db, mark.evidence);
  if (chain?.startsWith(mark.chain)) return mark.evidence;
  throw new ImportFileError(because({ id: 'of-another-ledger', file }), { file });
}

/** Makes one decision of all rows with the same status and note. */
export function decisionsOf(taken: readonly Taken[]): MismatchDecision[] {
  const alike = groupBy(taken, ({ status, note }) => JSON.stringify([status, note]));
  return [...alike.values()].map((rows) => {
    const { status, note } = rows[0]!;
    return { ids: rows.map(({ id }) => id), to_status: status, note };
  });
}
