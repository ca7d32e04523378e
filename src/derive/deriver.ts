/** Evidence becomes rows here and nowhere else: the same row of evidence makes the same rows, whether a sync has just brought it or a replay reads it again. */
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import type { PartReader } from '../ledger/evidence/packs.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { OrderBookWalk } from './order-book-walk.ts';

/** A derivation at work: the ledger, the row of evidence, and its body where it has one. */
export interface Derivation {
  readonly trx: LedgerTransaction;
  readonly evidence: EvidenceRow;
  /** The body as received. @throws LedgerError when the ledger does not hold it */
  body(): Promise<Buffer>;
  /** The body of an earlier piece of evidence, by its SHA-256. @throws LedgerError when the ledger does not hold it */
  bodyOf(sha256: string): Promise<Buffer>;
  /** The orders of the order book, by their parts. */
  readonly parts: PartReader;
  readonly orderBook: OrderBookWalk;
}

/** Where a derivation reads bodies: the ledger that is being written, or in a replay the one that it replays. */
export interface Bodies {
  body(): Promise<Buffer>;
  bodyOf(sha256: string): Promise<Buffer>;
  readonly parts: PartReader;
}

/** Makes rows of one kind of evidence. Call it inside the transaction that keeps the evidence. */
export type Derive = (derivation: Derivation) => Promise<void>;

/**
 * Derives rows of evidence in the order in which it became known. It remembers which orders the walk that is under way has shown: use
 * one for a whole sync, or for a whole replay.
 */
export class Deriver {
  readonly orderBook = new OrderBookWalk();
  readonly #kinds: Readonly<Record<string, Derive>>;

  constructor(kinds: Readonly<Record<string, Derive>>) {
    this.#kinds = kinds;
  }

  /** @param bodies reads the body of the evidence on demand */
  async derive(trx: LedgerTransaction, evidence: EvidenceRow, bodies: Bodies): Promise<void> {
    const { parts } = bodies;
    const body = () => bodies.body();
    const bodyOf = (sha256: string) => bodies.bodyOf(sha256);
    await this.#kinds[evidence.kind]?.({ trx, evidence, body, bodyOf, parts, orderBook: this.orderBook });
  }
}
