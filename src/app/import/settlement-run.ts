import { VERSION } from '../../base/version.ts';
import type { Applied } from '../../derive/imports.ts';
import type { Concluded } from '../../derive/listing.ts';
import type { RunBegun, RunEnded } from '../../derive/run.ts';
import { monthsOfSheet } from '../../derive/settlements.ts';
import type { SettlementFile } from '../../imports/formats/settlement-file.ts';
import type { EvidenceRow, LedgerTransaction } from '../../ledger/index.ts';
import { readRunning } from '../../ledger/queries/sync/held.ts';
import { recordEvidence } from '../record.ts';

interface Import {
  readonly evidence: EvidenceRow;
  readonly applied: Applied;
}

/**
 * Imports a settlement sheet as a run of its own: it brings what a sync does of an API, invoices and how far each month is known. Call it
 * inside a transaction.
 *
 * @param apply appends the sheet as evidence of the run and writes its rows
 */
export async function asRun(
  trx: LedgerTransaction,
  { at, file }: { readonly at: Date; readonly file: SettlementFile },
  apply: (run: number) => Promise<Import>,
): Promise<Import> {
  const { next: runId } = await readRunning(trx);
  const months = monthsOfSheet(file);
  const begun: RunBegun = { command: 'import settlement', version: VERSION, period: months.join(', ') };
  await recordEvidence(trx, { at, runId, kind: 'run-begun', subject: String(runId), data: begun });
  const imported = await apply(runId);
  for (const period of months) {
    const count = file.settlements.filter(({ issued_on }) => issued_on.startsWith(period)).length;
    const concluded: Concluded = {
      kind: 'invoices',
      period,
      complete: true,
      stated_count: null,
      seen_count: count,
      walks: 1,
      unreadable: [],
      anonymous: 0,
      why: null,
      of_sheet: true,
    };
    await recordEvidence(trx, { at, runId, kind: 'listing', subject: `invoices ${period}`, data: concluded });
  }
  const { new: added, changed, unchanged } = imported.applied;
  const ended: RunEnded = {
    status: 'complete',
    finished: true,
    summary: { orders: { new: added, changed, unchanged } },
  };
  await recordEvidence(trx, { at, runId, kind: 'run-ended', subject: String(runId), data: ended });
  return imported;
}
