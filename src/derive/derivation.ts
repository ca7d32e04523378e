import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import type { PartReader } from '../ledger/evidence/packs.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import type { OrderBookWalk } from './order-book-walk.ts';

/** Where a derivation reads earlier evidence: the ledger that is being written, or in a replay the one replayed. */
export interface EarlierEvidence {
  readonly source: LedgerTransaction;
  /** Reads orders of the order book by their part numbers. */
  readonly parts: PartReader;
}

/** A piece of evidence, and what its rows are derived with. */
export interface Derivation extends EarlierEvidence {
  /** The body of the evidence, as received. @throws LedgerError if the ledger lacks it */
  body(): Promise<Buffer>;
  /** Sees the rows of the evidence's courier. */
  readonly trx: LedgerTransaction;
  readonly evidence: EvidenceRow;
  /** The orders that the courier's current run has shown so far. */
  readonly orderBook: OrderBookWalk;
}

/** Derives the rows of one kind of evidence. Call it inside the transaction that keeps the evidence. */
export type Derive = (derivation: Derivation) => Promise<void>;
