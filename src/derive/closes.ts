import { ofCourier } from '../ledger/index.ts';
import { type ClosedSettings, type FrozenItem, readCouriersOfClose } from '../ledger/queries/closes/closes.ts';
import { type ClosingFigures, figureRows, type SettledAtClose, settledRows } from '../ledger/queries/closes/figures.ts';
import type { PeriodCloseDocumentTable, PeriodCloseFindingTable } from '../ledger/schema.ts';
import { writeClose, writeReopen } from '../ledger/write/closes.ts';
import type { Derivation, Derive } from './derivation.ts';

/** The body of a close's evidence, whose subject is the month and whose actor closed it: what it froze of each courier, by key. */
export interface CloseBody {
  readonly couriers: Readonly<Record<string, CloseRecord>>;
}

/** What a close froze of one courier. */
export interface CloseRecord {
  /** Whether the books begin with this month. */
  readonly first: boolean;
  /** Why it was closed though something spoke against it: which errors were open, and each reason; null where nothing did. */
  readonly with_open: {
    readonly reason: string;
    readonly findings: readonly Omit<PeriodCloseFindingTable, 'close_id'>[];
    /** `incomplete`, `not-checked` or `errors-open`, each in a sentence. */
    readonly reasons: readonly { readonly code: string; readonly why: string }[];
  } | null;
  readonly figures: ClosingFigures;
  /** SHA-256 of the canonical JSON of `figures`. */
  readonly figures_sha256: string;
  /** What was settled of each invoice that anything was settled of. */
  readonly settled: readonly SettledAtClose[];
  /** What said whose a receipt was, and what settled an invoice. */
  readonly settings: ClosedSettings;
  /** The items that were open at the month's end. */
  readonly open_items: readonly FrozenItem[];
  /** The documents behind the figures. */
  readonly documents: readonly Omit<PeriodCloseDocumentTable, 'close_id'>[];
  /** How many unresolved mismatches the month had, by severity. */
  readonly mismatches: Readonly<Record<string, { readonly open: number; readonly acknowledged: number }>>;
  /** The checks that could not run, and why. */
  readonly not_checked: readonly { readonly code: string; readonly why: string }[];
}

/** The `data` of a reopening's evidence, whose subject is the month. */
export interface ReopenRecord {
  /** The id of the close that it undoes. */
  readonly close: number;
  readonly reason: string;
}

/** A closed month, with its frozen figures. */
export const deriveClose: Derive = async ({ trx, evidence, body }) => {
  const { couriers } = JSON.parse((await body()).toString('utf8')) as CloseBody;
  for (const [courier, record] of Object.entries(couriers))
    await writeRecord(ofCourier(trx, courier), evidence, record);
};

async function writeRecord(trx: Derivation['trx'], evidence: Derivation['evidence'], record: CloseRecord) {
  await writeClose(trx, {
    close: {
      id: evidence.id,
      period: evidence.subject,
      at: evidence.at,
      actor: evidence.actor!,
      is_first: record.first ? 1 : 0,
      with_open: record.with_open?.reason ?? null,
      time_zone: record.settings.timeZone,
      figures_sha256: record.figures_sha256,
      chain: evidence.chain,
    },
    figures: [...figureRows(record.figures), ...settledRows(record.settled)],
    items: record.open_items,
    documents: record.documents,
    findings: record.with_open?.findings ?? [],
  });
}

export const deriveReopen: Derive = async ({ trx, evidence }) => {
  const { close, reason } = JSON.parse(evidence.data!) as ReopenRecord;
  const { id, at, subject, actor } = evidence;
  for (const courier of await readCouriersOfClose(trx, close)) {
    await writeReopen(ofCourier(trx, courier), { id, close_id: close, period: subject, at, actor: actor!, reason });
  }
};
