import { type ClosingFigures, figureRows, type SettledAtClose, settledRows } from '../ledger/read/closing-figures.ts';
import type { PeriodCloseDocumentTable, PeriodCloseFindingTable } from '../ledger/schema.ts';
import { writeClose, writeReopen } from '../ledger/write/closes.ts';
import type { Derive } from './deriver.ts';

/** A close as its evidence keeps it; the evidence's subject is the month, its actor who closed it. */
export interface CloseRecord {
  /** The books begin with this month. */
  readonly first: boolean;
  /** Why it was closed while errors were open, and which these were; null where none was. */
  readonly with_open: {
    readonly reason: string;
    readonly findings: readonly Omit<PeriodCloseFindingTable, 'close_id'>[];
  } | null;
  readonly figures: ClosingFigures;
  /** SHA-256 of the canonical JSON of `figures`. */
  readonly figures_sha256: string;
  /** What of each invoice was settled, where anything was. */
  readonly settled: readonly SettledAtClose[];
  /** The documents behind the figures. */
  readonly documents: readonly Omit<PeriodCloseDocumentTable, 'close_id'>[];
  /** How many mismatches the month had, by severity, that were not resolved. */
  readonly mismatches: Readonly<Record<string, { readonly open: number; readonly acknowledged: number }>>;
  /** The checks that the month was closed without, and why. */
  readonly not_checked: readonly { readonly code: string; readonly why: string }[];
}

/** What is known when a month is opened again; the evidence's subject is the month. */
export interface ReopenRecord {
  /** The id of the close. */
  readonly close: number;
  readonly reason: string;
}

/** A month that was closed, with what was frozen. */
export const deriveClose: Derive = async ({ trx, evidence, body }) => {
  const record = JSON.parse((await body()).toString('utf8')) as CloseRecord;
  await writeClose(trx, {
    close: {
      id: evidence.id,
      period: evidence.subject,
      at: evidence.at,
      actor: evidence.actor!,
      is_first: record.first ? 1 : 0,
      with_open: record.with_open?.reason ?? null,
      figures_sha256: record.figures_sha256,
      chain: evidence.chain,
    },
    figures: [...figureRows(record.figures), ...settledRows(record.settled)],
    documents: record.documents,
    findings: record.with_open?.findings ?? [],
  });
};

/** A closed month that was opened again. */
export const deriveReopen: Derive = async ({ trx, evidence }) => {
  const { close, reason } = JSON.parse(evidence.data!) as ReopenRecord;
  const { id, at, subject, actor } = evidence;
  await writeReopen(trx, { id, close_id: close, period: subject, at, actor: actor!, reason });
};
