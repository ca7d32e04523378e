import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import type { PartReader } from '../ledger/evidence/packs.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import type { OrderBookWalk } from './order-book-walk.ts';

/** Where a derivation reads bodies: the ledger that is being written, or in a replay the one that is replayed. */
export interface Bodies {
  /** The body of the evidence, as received. @throws LedgerError if the ledger lacks it */
  body(): Promise<Buffer>;
  /** The body of earlier evidence, by its SHA-256. @throws LedgerError if the ledger lacks it */
  bodyOf(sha256: string): Promise<Buffer>;
  /** The `data` of earlier evidence, by its id: JSON. */
  dataOf(id: number): Promise<string>;
  /** Reads orders of the order book by their part numbers. */
  readonly parts: PartReader;
}

/** A piece of evidence, and what its rows are derived with. */
export interface Derivation extends Bodies {
  /** Sees the rows of the evidence's courier. */
  readonly trx: LedgerTransaction;
  readonly evidence: EvidenceRow;
  /** The orders that the courier's current run has shown so far. */
  readonly orderBook: OrderBookWalk;
}

/** Derives the rows of one kind of evidence. Call it inside the transaction that keeps the evidence. */
export type Derive = (derivation: Derivation) => Promise<void>;
