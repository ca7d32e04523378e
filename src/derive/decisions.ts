import type { AdoptedReturns } from '../base/returns.ts';
import { ofCourier } from '../ledger/index.ts';
import { type ClosedSettings, type FrozenItem, readCouriersOfClose } from '../ledger/queries/closes/closes.ts';
import { type ClosingFigures, figureRows, type SettledAtClose, settledRows } from '../ledger/queries/closes/figures.ts';
import { REMIT } from '../ledger/schema/findings.ts';
import type { ClaimAnswer, PeriodCloseDocumentTable, PeriodCloseFindingTable } from '../ledger/schema.ts';
import {
  moveClaims,
  moveClaimsByDecision,
  moveClaimsByFindings,
  type SentLine,
  writeClaims,
} from '../ledger/write/claims.ts';
import { insertRows, type Row } from '../ledger/write/insert.ts';
import { type MatchRows, removeMatches, withReversals, writeMatches } from '../ledger/write/matches.ts';
import {
  type Change,
  type FindingsDelta,
  type MismatchDecision,
  writeDecision,
  writeFindings,
} from '../ledger/write/mismatches.ts';
import { parseUnits } from '../money/units.ts';
import type { Derivation, Derive } from './derivation.ts';

/** Writes what checks found, as the body says: mismatches, their months and history, and what that does to claims. */
export const deriveFindings: Derive = async ({ trx, evidence, body }) => {
  const delta = JSON.parse((await body()).toString('utf8')) as FindingsDelta;
  const change = { evidence_id: evidence.id, at: evidence.at, actor: REMIT };
  await writeFindings(trx, delta, change);
  await moveClaimsByFindings(trx, delta, change);
};

/** What the rows of a person's decision name as its evidence, time and person. */
function changeBy({ id, at, actor }: Derivation['evidence']): Change {
  return { evidence_id: id, at, actor: actor ?? 'unknown' };
}

/** Writes a decision about mismatches. */
export const deriveDecision: Derive = async ({ trx, evidence }) =>
  decide(trx, JSON.parse(evidence.data!) as MismatchDecision, changeBy(evidence));

/** Writes a person's decisions from a workbook, which is not read again: they are in the `data` of the evidence. */
export const deriveResolutions: Derive = async ({ trx, evidence }) => {
  const { decisions } = JSON.parse(evidence.data!) as { readonly decisions: readonly MismatchDecision[] };
  for (const decision of decisions) await decide(trx, decision, changeBy(evidence));
};

/** Writes a decision about mismatches, and what it does to the claims about them. */
async function decide(trx: Derivation['trx'], decision: MismatchDecision, change: Change): Promise<void> {
  await writeDecision(trx, decision, change);
  await moveClaimsByDecision(trx, decision, change);
}

/** Writes the convention by which the courier's invoices show RETURN orders, as a check learnt it. */
export const deriveReturnsAdopted: Derive = async ({ trx, evidence: { id, at, data } }) => {
  const { convention, basis, among } = JSON.parse(data!) as AdoptedReturns;
  await insertRows(trx, 'returns_adopted', [{ id, at, convention, basis, among: among.join(',') }]);
};

/** Writes a claim that was sent: its findings become acknowledged and claimed, and keep their notes. */
export const deriveClaim: Derive = async ({ trx, evidence, body }) => {
  const lines = JSON.parse((await body()).toString('utf8')) as SentLine[];
  const change = changeBy(evidence);
  const ids = lines.map(({ id }) => id);
  await writeDecision(trx, { ids, to_status: 'acknowledged', note: null }, change);
  await writeClaims(trx, lines, change);
};

/** The `data` of evidence that claims were answered, written off or withdrawn; the note says the answer, or why. */
type ClaimsMoved = Pick<MismatchDecision, 'ids'> & { readonly note: string };

/** Writes what the courier answered to claims; `answer` is null if it neither accepted nor refused them. */
export const deriveAnswer: Derive = async ({ trx, evidence }) => {
  const { ids, answer, note } = JSON.parse(evidence.data!) as ClaimsMoved & { readonly answer: ClaimAnswer | null };
  await moveClaims(trx, ids, { state: 'answered', answer, note }, changeBy(evidence));
};

/** Writes off claims: their findings become resolved, with the reason. */
export const deriveWrittenOff: Derive = async ({ trx, evidence }) => {
  const { ids, note } = JSON.parse(evidence.data!) as ClaimsMoved;
  await writeDecision(trx, { ids, to_status: 'resolved', note }, changeBy(evidence));
  await moveClaims(trx, ids, { state: 'written-off', note }, changeBy(evidence));
};

/** Withdraws claims: their findings are open again, and keep their notes. */
export const deriveWithdrawn: Derive = async ({ trx, evidence }) => {
  const { ids, note } = JSON.parse(evidence.data!) as ClaimsMoved;
  await writeDecision(trx, { ids, to_status: 'open', note: null }, changeBy(evidence));
  await moveClaims(trx, ids, { state: 'withdrawn', answer: null, note }, changeBy(evidence));
};

/** A match as it is in the body of its evidence; amounts are decimal text. */
export interface MatchEvidence {
  readonly rule: string;
  readonly currency: string;
  readonly receipts: readonly (readonly [id: number, amount: string])[];
  /** Invoice number, the amount matched, and how much of it a person named as a difference. */
  readonly invoices: readonly (readonly [number: number, amount: string, named: string])[];
  /** What was outstanding of the invoices before it. */
  readonly due: string;
  /** What its receipts pay beyond that; negative if less. */
  readonly difference: string;
  readonly difference_kind: string | null;
  readonly note: string | null;
  readonly why: string;
  /** The receipt that the bank took back, if the match is of its debit. */
  readonly reverses: number | null;
  /** The id of the mismatch whose claim was written off. */
  readonly claim?: string | null;
  /** The rate and the receipt's currency, if that differs from the invoices'. */
  readonly rate?: string | null;
  readonly paid_currency?: string | null;
}

/** Writes matches that the rules found or a person made. */
export const deriveMatches: Derive = async ({ trx, evidence, body }) => {
  const { id, at, actor } = evidence;
  const matches = JSON.parse((await body()).toString('utf8')) as MatchEvidence[];
  const rows = matches.map(
    ({ receipts, invoices, due, difference, claim = null, rate = null, paid_currency = null, ...match }): MatchRows => {
      const units = { due: parseUnits(due), difference: parseUnits(difference) };
      return {
        match: { evidence_id: id, at, actor: actor ?? REMIT, claim, rate, paid_currency, ...match, ...units },
        receipts: receipts.map(([receipt_id, amount]) => ({ receipt_id, amount: parseUnits(amount) })),
        invoices: invoices.map(([invoice_number, amount, named]) => {
          return { invoice_number, amount: parseUnits(amount), named: parseUnits(named) };
        }),
      };
    },
  );
  await writeMatches(trx, rows);
};

/** Removes a match, and with it the matches that reversed it. */
export const deriveMatchRemoved: Derive = async ({ trx, evidence }) => {
  const { at, actor, subject, data } = evidence;
  const { why } = JSON.parse(data!) as { why: string };
  await removeMatches(trx, await withReversals(trx, [Number(subject)]), { at, by: actor ?? REMIT, why });
};

/**
 * The body of a close's evidence: what was frozen of each courier, by key. Subject: the month; actor: who closed it.
 */
export type CloseBody = { readonly couriers: Readonly<Record<string, CloseRecord>> };

/** What was frozen of one courier. */
export interface CloseRecord {
  /** The books begin with this month. */
  readonly first: boolean;
  /** The open errors and other reasons against closing it, and why it was closed all the same; null without any. */
  readonly with_open: {
    readonly reason: string;
    readonly findings: readonly Omit<PeriodCloseFindingTable, 'close_id'>[];
    /** `code`: `incomplete`, `not-checked` or `errors-open`; `why`: a sentence. */
    readonly reasons: readonly { readonly code: string; readonly why: string }[];
  } | null;
  readonly figures: ClosingFigures;
  /** SHA-256 of the canonical JSON of `figures`. */
  readonly figures_sha256: string;
  /** The settled amounts of invoices, without those that are zero. */
  readonly settled: readonly SettledAtClose[];
  /** The settings that decided whose a receipt was, and what settled an invoice. */
  readonly settings: ClosedSettings;
  /** The items that were open at the month's end. */
  readonly open_items: readonly FrozenItem[];
  /** The documents behind the figures. */
  readonly documents: readonly Omit<PeriodCloseDocumentTable, 'close_id'>[];
  /** The numbers of the month's unresolved mismatches, by severity. */
  readonly mismatches: Readonly<Record<string, { readonly open: number; readonly acknowledged: number }>>;
  /** The checks that could not run, and why. */
  readonly not_checked: readonly { readonly code: string; readonly why: string }[];
}

/** The `data` of a reopening's evidence, whose subject is the month. */
export interface ReopenRecord {
  /** The id of the close that is undone. */
  readonly close: number;
  readonly reason: string;
}

export const deriveClose: Derive = async ({ trx, evidence, body }) => {
  const { couriers } = JSON.parse((await body()).toString('utf8')) as CloseBody;
  for (const [courier, record] of Object.entries(couriers)) await writeClose(ofCourier(trx, courier), evidence, record);
};

/** Writes the close of one courier's month, with all that it froze. */
async function writeClose(trx: Derivation['trx'], evidence: Derivation['evidence'], record: CloseRecord) {
  const close: Row<'period_close'> = {
    id: evidence.id,
    period: evidence.subject,
    at: evidence.at,
    actor: evidence.actor!,
    is_first: record.first ? 1 : 0,
    with_open: record.with_open?.reason ?? null,
    time_zone: record.settings.timeZone,
    figures_sha256: record.figures_sha256,
    chain: evidence.chain,
  };
  const ofClose = <T>(parts: readonly T[]) => parts.map((part) => ({ close_id: evidence.id, ...part }));
  const figures = [...figureRows(record.figures), ...settledRows(record.settled)];
  await insertRows(trx, 'period_close', [close]);
  await insertRows(trx, 'period_close_figure', ofClose(figures));
  await insertRows(trx, 'period_close_item', ofClose(record.open_items));
  await insertRows(trx, 'period_close_document', ofClose(record.documents));
  await insertRows(trx, 'period_close_finding', ofClose(record.with_open?.findings ?? []));
}

export const deriveReopen: Derive = async ({ trx, evidence }) => {
  const { close, reason } = JSON.parse(evidence.data!) as ReopenRecord;
  const { id, at, subject, actor } = evidence;
  for (const courier of await readCouriersOfClose(trx, close)) {
    const reopen = { id, close_id: close, period: subject, at, actor: actor!, reason };
    await insertRows(ofCourier(trx, courier), 'period_reopen', [reopen]);
  }
};
