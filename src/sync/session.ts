import type { Client } from '../courier/index.ts';
import { Deriver } from '../derive/deriver.ts';
import { KINDS } from '../derive/kinds.ts';
import type { ContractError } from '../errors.ts';
import {
  appendEvidence,
  type EvidenceRow,
  type Ledger,
  type LedgerTransaction,
  type NewEvidence,
  PartReader,
  readBody,
  type SealedBody,
  sealBody,
} from '../ledger/index.ts';
import type { Lists } from './lists.ts';
import type { Progress } from './progress.ts';
import type { SyncSummary } from './summary.ts';

/** What a sync asks of the API's client. */
export type SyncClient = Pick<
  Client,
  'baseUrl' | 'stats' | 'profile' | 'invoice' | 'beginInvoices' | 'beginOrderBook' | 'settled'
>;

export interface SyncOptions {
  readonly ledger: Ledger;
  readonly client: SyncClient;
  /** The months to sync; null for the default, see `defaultPeriods`. */
  readonly periods: readonly string[] | null;
  /** Bring the whole order book too. */
  readonly orders: boolean;
  /** Fetch details that look unchanged, too. */
  readonly full: boolean;
  /** A detail that is not PAID is fetched again when it was last read longer ago than this. */
  readonly recheckHours: number;
  /** The same for one that is PAID. */
  readonly recheckPaidDays: number;
  /** How many details are fetched at a time. */
  readonly concurrency: number;
  readonly now: () => Date;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
  /** Go on although the key belongs to another organisation than the ledger's, or the address is another service's. */
  readonly acceptAccount?: boolean;
  /** Believe a list that has lost everything at once. */
  readonly acceptVanished?: boolean;
}

/** One sync at work: its options, its run, and what it has counted so far. */
export interface SyncSession extends SyncOptions {
  readonly run: number;
  readonly deriver: Deriver;
  readonly lists: Lists;
  readonly counts: Pick<SyncSummary, 'invoices' | 'orders' | 'malformed'>;
  /** Set when something could not be brought; makes the run `partial`. */
  incomplete: boolean;
}

/** A deriver of everything that a sync brings. */
export function newDeriver(): Deriver {
  return new Deriver(KINDS);
}

/** Keeps one thing that became known in this run, in a transaction of its own, and has it derived. */
export function record(session: SyncSession, what: Omit<NewEvidence, 'runId'>): Promise<EvidenceRow> {
  return session.ledger.db.transaction().execute((trx) => recordIn(trx, session, what));
}

/**
 * The same inside a transaction.
 *
 * @param derive makes the rows, where what was received is at hand as more than bytes; by default they are derived from the evidence
 */
export async function recordIn(
  trx: LedgerTransaction,
  session: Pick<SyncSession, 'run' | 'deriver'>,
  what: Omit<NewEvidence, 'runId'>,
  derive?: (evidence: EvidenceRow) => Promise<void>,
): Promise<EvidenceRow> {
  const evidence = await appendEvidence(trx, { ...what, runId: session.run });
  if (derive) await derive(evidence);
  else {
    await deriveHere(trx, session, evidence, null);
  }
  return evidence;
}

/** Derives evidence of which the body is at hand. */
export function deriveHere(
  trx: LedgerTransaction,
  { deriver }: Pick<SyncSession, 'deriver'>,
  evidence: EvidenceRow,
  body: Buffer | null,
): Promise<void> {
  return deriver.derive(trx, evidence, {
    parts: new PartReader(trx),
    bodyOf: (sha256) => readBody(trx, sha256),
    async body() {
      if (!body) throw new Error(`${evidence.kind} has no body`);
      return body;
    },
  });
}

/** A document that was received and could not be read at all, as it was received; null where nothing of it is there to keep. */
export async function unreadableBody(fault: ContractError): Promise<SealedBody | null> {
  return fault.body ? sealBody(fault.body) : null;
}

/** Counts what cannot be read and tells whoever watches; the sync goes on, and ends as `partial`. */
export function reportFaults(session: SyncSession, what: string, faults: readonly ContractError[]): void {
  for (const fault of faults) {
    session.counts.malformed += 1;
    session.incomplete = true;
    session.progress.warn(`${what} cannot be read: ${fault.message}`);
  }
}

/** Something could not be brought at all; the sync goes on without it. */
export function reportMissing(session: SyncSession, what: string, why: unknown): void {
  session.incomplete = true;
  session.progress.warn(`${what}: ${(why as Error).message}`);
}

/** All faults of a document as one text; null where there are none. */
export function faultText(faults: readonly { message: string }[]): string | null {
  return (
    faults
      .map(({ message }) => message)
      .join('; ')
      .slice(0, 10_000) || null
  );
}
