import { ApiError, AuthError, type ContractError } from '../base/errors.ts';
import type { Client } from '../courier/index.ts';
import type { Deriver } from '../derive/deriver.ts';
import type { OrderBookWalk } from '../derive/order-book-walk.ts';
import {
  appendEvidence,
  type EvidenceRow,
  type Ledger,
  type LedgerTransaction,
  type NewEvidence,
  type SealedBody,
  sealBody,
} from '../ledger/index.ts';
import type { Meter } from './budget.ts';
import type { Progress } from './progress.ts';

/** The part of the API's client that a sync uses. */
export type SyncClient = Pick<
  Client,
  | 'baseUrl'
  | 'stats'
  | 'profile'
  | 'invoice'
  | 'order'
  | 'walkInvoices'
  | 'walkOrderBook'
  | 'orderBookPage'
  | 'orderAsPage'
  | 'pageSize'
>;

export interface SyncOptions {
  readonly ledger: Ledger;
  readonly client: SyncClient;
  /** The months to sync; null for the default, see `defaultPeriods`. */
  readonly periods: readonly string[] | null;
  /** Fetch the whole order book too. */
  readonly orders: boolean;
  /** Fetch every detail, even if it looks unchanged. */
  readonly full: boolean;
  /** After how many hours a detail that is not PAID is fetched again. */
  readonly recheckHours: number;
  /** After how many days a detail that is PAID is fetched again. */
  readonly recheckPaidDays: number;
  readonly concurrency: number;
  readonly now: () => Date;
  /** The time zone of "this month" if `periods` is null: an IANA name. */
  readonly timeZone: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
  /** Counts and limits the requests of a month; absent for no limit. */
  readonly meter?: Meter | undefined;
  /** After how many days the whole order book is read again; until then, orders that may change. Absent: each time. */
  readonly ordersFullEvery?: number;
  /** Whether syncs of other couriers may be at work in the same ledger. */
  readonly othersMayRun?: boolean;
  /** Accept the key of another organisation or the address of another service than the ledger has. */
  readonly acceptAccount?: boolean;
  /** Accept a list that has lost all its invoices or orders at once. */
  readonly acceptVanished?: boolean;
}

/** What a sync did, as `sync --json` prints it. `seconds` is a wall-clock reading, not money. */
export interface SyncSummary {
  run: number;
  status: 'complete' | 'partial';
  periods: string[];
  requests: number;
  retries: number;
  invoices: { listed: number; fetched: number; unchanged: number; failed: number };
  orders: { listed: number; changed: number };
  malformed: number;
  bytes: number;
  seconds: number;
  /** What the budget of requests left undone, and why; the next sync goes on there. */
  incomplete: LeftUndone[];
}

/** A month, or the order book, of which a sync did not fetch all that was due. */
export interface LeftUndone {
  /** Null for the order book. */
  readonly period: string | null;
  readonly why: string;
}

/** A sync in progress: its options, its run, and its counts so far. */
export interface SyncSession extends SyncOptions {
  readonly run: number;
  readonly deriver: Deriver;
  /** What the walk over the order book has shown so far. */
  readonly orderBook: OrderBookWalk;
  readonly counts: Pick<SyncSummary, 'invoices' | 'orders' | 'malformed'>;
  /** Set when something could not be fetched or read; makes the run `partial`. */
  isIncomplete: boolean;
  /** What the budget of requests left undone. */
  readonly leftUndone: LeftUndone[];
}

/** {@link recordIn} in a new transaction. */
export function record(
  session: SyncSession,
  what: Omit<NewEvidence, 'runId'>,
  derive?: WriteRows,
): Promise<EvidenceRow> {
  return session.ledger.db.transaction().execute((trx) => recordIn(trx, session, what, derive));
}

/** Writes the rows of a document that is parsed already. */
type WriteRows = (evidence: EvidenceRow, trx: LedgerTransaction) => Promise<void>;

/**
 * Keeps one piece of evidence and derives its rows, inside an open transaction.
 *
 * @param derive absent: the rows are derived from the evidence
 */
export async function recordIn(
  trx: LedgerTransaction,
  session: { readonly run: number | null; readonly deriver: Deriver },
  what: Omit<NewEvidence, 'runId'>,
  derive: WriteRows = (evidence) => session.deriver.derive(trx, evidence),
): Promise<EvidenceRow> {
  const evidence = await appendEvidence(trx, { ...what, runId: session.run });
  await derive(evidence, trx);
  return evidence;
}

/** The body of a document that cannot be read, as received; null if nothing was received. */
export async function unreadableBody(fault: ContractError): Promise<SealedBody | null> {
  return fault.body ? sealBody(fault.body) : null;
}

/** Keeps a document that cannot be read, as it was received; nothing if nothing was received. */
export async function keepUnreadable(
  session: SyncSession,
  fault: ContractError,
  what: Omit<NewEvidence, 'runId' | 'at' | 'body' | 'fault'>,
): Promise<void> {
  const body = await unreadableBody(fault);
  if (!body) return;
  const document = { ...what, at: session.now(), body, fault: fault.message };
  // The body is at hand, and need not be read back from the ledger.
  await record(session, document, (evidence, trx) => session.deriver.derive(trx, evidence, fault.body));
}

/** Counts faults and warns of each; the sync goes on, and ends as `partial`. */
export function reportFaults(session: SyncSession, what: string, faults: readonly ContractError[]): void {
  for (const fault of faults) {
    session.counts.malformed += 1;
    session.isIncomplete = true;
    session.progress.warn(`${what} cannot be read: ${fault.message}`);
  }
}

/**
 * Whether an error is the API's answer to one request, so that other requests may succeed. They cannot if it refuses
 * the key or gives no answer.
 */
export function isAnswered(error: unknown): error is ApiError & { readonly status: number } {
  return error instanceof ApiError && !(error instanceof AuthError) && error.status !== null;
}

/** Warns that something could not be fetched; the sync goes on without it. */
export function reportMissing(session: SyncSession, what: string, why: Error): void {
  session.isIncomplete = true;
  session.progress.warn(`${what}: ${why.message}`);
}
