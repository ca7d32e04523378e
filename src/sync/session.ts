import type { Kysely } from 'kysely';
import type { Client } from '../courier/index.ts';
import type { ContractError } from '../errors.ts';
import {
  type EvidenceKind,
  keepEvidence,
  type Ledger,
  type LedgerSchema,
  type SealedBody,
  sealBody,
} from '../ledger/index.ts';
import type { Progress } from './progress.ts';
import type { SyncSummary } from './summary.ts';

export interface SyncOptions {
  readonly ledger: Ledger;
  readonly client: Client;
  /** The months to sync; null for the default: last month, this month, and every month with an invoice that is not PAID. */
  readonly periods: readonly string[] | null;
  /** Bring the whole order book too. */
  readonly orders: boolean;
  /** Fetch details that look unchanged, too. */
  readonly full: boolean;
  /** A detail that is not PAID is fetched again when it was last read longer ago than this. */
  readonly recheckHours: number;
  /** How many details are fetched at a time. */
  readonly concurrency: number;
  readonly now: () => Date;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
  /** Go on although the key belongs to another organisation than the ledger's. */
  readonly acceptAccount?: boolean;
}

/** One sync at work: its options, its run, and what it has counted so far. */
export interface SyncSession extends SyncOptions {
  readonly run: number;
  readonly counts: Pick<SyncSummary, 'invoices' | 'orders' | 'malformed'>;
  /** Set when something could not be brought; makes the run `partial`. */
  incomplete: boolean;
}

/** Where a document came from and what it is about. */
export interface DocumentSource {
  readonly kind: EvidenceKind;
  readonly subject: string;
  readonly url: string;
  readonly receivedAt: Date;
}

/** Keeps a document as it was received, with what in it cannot be read. */
export async function keepDocument(
  trx: Kysely<LedgerSchema>,
  session: SyncSession,
  sealed: SealedBody,
  source: DocumentSource,
  faults: readonly ContractError[] = [],
): Promise<void> {
  const fault = faults.map(({ message }) => message).join('; ') || null;
  await keepEvidence(trx, sealed, { ...source, runId: session.run, fault });
}

/** Counts what cannot be read and tells whoever watches; the sync goes on, and ends as `partial`. */
export function reportFaults(session: SyncSession, source: DocumentSource, faults: readonly ContractError[]): void {
  for (const fault of faults) {
    session.counts.malformed += 1;
    session.incomplete = true;
    session.progress.warn(`${describeDocument(source)} cannot be read: ${fault.message}`);
  }
}

/** Reports and keeps a document that cannot be read at all. */
export async function quarantine(
  session: SyncSession,
  source: DocumentSource,
  fault: ContractError,
  sealed?: SealedBody,
): Promise<void> {
  reportFaults(session, source, [fault]);
  await keepUnreadable(session, source, fault, sealed);
}

/** Keeps a document that cannot be read at all, as it was received, where there is one. */
export async function keepUnreadable(
  session: SyncSession,
  source: DocumentSource,
  fault: ContractError,
  sealed?: SealedBody,
): Promise<void> {
  const kept = sealed ?? (fault.body && (await sealBody(fault.body)));
  if (!kept) return;
  await session.ledger.db.transaction().execute((trx) => keepDocument(trx, session, kept, source, [fault]));
}

/** Something could not be brought at all; the sync goes on without it. */
export function reportMissing(session: SyncSession, what: string, why: unknown): void {
  session.incomplete = true;
  session.progress.warn(`${what}: ${(why as Error).message}`);
}

function describeDocument(source: Pick<DocumentSource, 'kind' | 'subject'>): string {
  switch (source.kind) {
    case 'invoice':
      return `invoice ${source.subject}`;
    case 'invoice-list':
      return `the invoice list of ${source.subject}`;
    case 'order-list':
      return 'the order book';
    case 'profile':
      return 'the organisation profile';
    case 'logo':
      return 'the logo';
  }
}
