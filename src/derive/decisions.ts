import type { AdoptedReturns } from '../base/returns.ts';
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { ofCourier } from '../ledger/index.ts';
import { type ClosedSettings, type FrozenItem, readCouriersOfClose } from '../ledger/queries/closes/closes.ts';
import { type ClosingFigures, figureRows, type SettledAtClose, settledRows } from '../ledger/queries/closes/figures.ts';
import { REMIT } from '../ledger/schema/findings.ts';
import type { PeriodCloseDocumentTable, PeriodCloseFindingTable } from '../ledger/schema.ts';
import {
  type Answered,
  followDecision,
  followFindings,
  type SentLine,
  writeAnswer,
  writeClaims,
  writeWithdrawn,
  writeWrittenOff,
} from '../ledger/write/claims.ts';
import { writeClose, writeReopen } from '../ledger/write/closes.ts';
import { writeAdoptedReturns } from '../ledger/write/couriers.ts';
import { type MatchRows, removeMatches, withReversals, writeMatches } from '../ledger/write/matches.ts';
import {
  type FindingsDelta,
  type MismatchDecision,
  type Resolutions,
  writeDecision,
  writeFindings,
} from '../ledger/write/mismatches.ts';
import { parseUnits } from '../money/units.ts';
import type { Derivation, Derive } from './derivation.ts';

/** Writes what checks found: mismatches, their months and history, and what that does to claims. */
export async function applyFindings(
  trx: Derivation['trx'],
  { id, at }: Pick<EvidenceRow, 'id' | 'at'>,
  delta: FindingsDelta,
): Promise<void> {
  const change = { evidenceId: id, at };
  await writeFindings(trx, delta, change);
  await followFindings(trx, delta, change);
}

/** The evidence of a decision; its actor decided. */
type DecidedBy = Pick<EvidenceRow, 'id' | 'at' | 'actor'>;

/** The person who decided, and what the rows of the decision name as its evidence and time. */
function changeBy({ id, at, actor }: DecidedBy) {
  return { who: actor ?? 'unknown', change: { evidenceId: id, at } };
}

/** Writes a decision about mismatches. */
export async function applyDecision(trx: Derivation['trx'], by: DecidedBy, decision: MismatchDecision): Promise<void> {
  const { who, change } = changeBy(by);
  await writeDecision(trx, decision, who, change);
  await followDecision(trx, decision, who, change);
}

/** Writes a person's decisions from a workbook. */
export async function applyResolutions(trx: Derivation['trx'], by: DecidedBy, { decisions }: Resolutions) {
  for (const decision of decisions) await applyDecision(trx, by, decision);
}

/** The findings are in the body of the evidence. */
export const deriveFindings: Derive = async ({ trx, evidence, body }) =>
  applyFindings(trx, evidence, JSON.parse((await body()).toString('utf8')) as FindingsDelta);

/** The decision is in the `data` of the evidence. */
export const deriveDecision: Derive = async ({ trx, evidence }) =>
  applyDecision(trx, evidence, JSON.parse(evidence.data!) as MismatchDecision);

/** The decisions are in the `data` of the evidence, so that the workbook is not read again. */
export const deriveResolutions: Derive = async ({ trx, evidence }) =>
  applyResolutions(trx, evidence, JSON.parse(evidence.data!) as Resolutions);

/** The convention by which the courier's invoices show RETURN orders, as a check learnt it. */
export const deriveReturnsAdopted: Derive = async ({ trx, evidence }) =>
  writeAdoptedReturns(trx, JSON.parse(evidence.data!) as AdoptedReturns, evidence);

/** Claims that a person wrote off or withdrew, and why. */
export type WrittenOff = Pick<MismatchDecision, 'ids'> & { readonly note: string };

/** Writes a claim that was sent: its findings become acknowledged and claimed, and keep their notes. */
export async function applyClaim(trx: Derivation['trx'], by: DecidedBy, lines: readonly SentLine[]): Promise<void> {
  const { who, change } = changeBy(by);
  const ids = lines.map(({ id }) => id);
  await writeDecision(trx, { ids, to_status: 'acknowledged', note: null }, who, change);
  await writeClaims(trx, lines, who, change);
}

/** Writes what the courier answered to a claim. */
export async function applyAnswer(trx: Derivation['trx'], by: DecidedBy, answered: Answered): Promise<void> {
  const { who, change } = changeBy(by);
  await writeAnswer(trx, answered, who, change);
}

/** Writes off claims: their findings become resolved, with the reason. */
export async function applyWrittenOff(trx: Derivation['trx'], by: DecidedBy, { ids, note }: WrittenOff): Promise<void> {
  const { who, change } = changeBy(by);
  await writeDecision(trx, { ids, to_status: 'resolved', note }, who, change);
  await writeWrittenOff(trx, { ids, note }, who, change);
}

/** Withdraws claims: their findings are open again, and keep their notes. */
export async function applyWithdrawn(trx: Derivation['trx'], by: DecidedBy, { ids, note }: WrittenOff): Promise<void> {
  const { who, change } = changeBy(by);
  await writeDecision(trx, { ids, to_status: 'open', note: null }, who, change);
  await writeWithdrawn(trx, { ids, note }, who, change);
}

export const deriveClaim: Derive = async ({ trx, evidence, body }) =>
  applyClaim(trx, evidence, JSON.parse((await body()).toString('utf8')) as SentLine[]);

export const deriveAnswer: Derive = async ({ trx, evidence }) =>
  applyAnswer(trx, evidence, JSON.parse(evidence.data!) as Answered);

export const deriveWrittenOff: Derive = async ({ trx, evidence }) =>
  applyWrittenOff(trx, evidence, JSON.parse(evidence.data!) as WrittenOff);

export const deriveWithdrawn: Derive = async ({ trx, evidence }) =>
  applyWithdrawn(trx, evidence, JSON.parse(evidence.data!) as WrittenOff);

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
  for (const [courier, record] of Object.entries(couriers))
    await writeCloseRecord(ofCourier(trx, courier), evidence, record);
};

/** Writes the close of one courier's month. */
async function writeCloseRecord(trx: Derivation['trx'], evidence: Derivation['evidence'], record: CloseRecord) {
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
