import {
  type EvidenceRow,
  type LedgerTransaction,
  ofCourier,
  PartReader,
  readBody,
  wholeLedger,
} from '../ledger/index.ts';
import { type KnownBy, readEvidence } from '../ledger/queries/evidence/chain.ts';
import { nameCourier, writeCourier, writeLogo } from '../ledger/write/couriers.ts';
import {
  deriveAnswer,
  deriveClaim,
  deriveClose,
  deriveDecision,
  deriveFindings,
  deriveMatches,
  deriveMatchRemoved,
  deriveReopen,
  deriveResolutions,
  deriveReturnsAdopted,
  deriveWithdrawn,
  deriveWrittenOff,
} from './decisions.ts';
import type { Derive, EarlierEvidence } from './derivation.ts';
import { OrderBookWalk } from './order-book-walk.ts';
import { deriveReceiptsReplaced } from './receipts.ts';
import { deriveListing, deriveOrdersRefreshed, deriveRunBegun, deriveRunEnded } from './runs-and-walks.ts';

/** Imports a derivation on first use: readers of documents and files take longer to load than most commands to run. */
const lazily =
  (load: () => Promise<Derive>): Derive =>
  async (derivation) =>
    (await load())(derivation);

const deriveLogo: Derive = async ({ trx, evidence }) => writeLogo(trx, evidence.sha256!);

/** Renames a courier: the evidence has the courier's key, and its subject is the new name. */
const deriveCourierRenamed: Derive = async ({ trx, evidence: { id, courier, subject } }) =>
  nameCourier(wholeLedger(trx), courier!, subject, id);

const DERIVE_BY_KIND: Readonly<Record<string, Derive>> = {
  'run-begun': deriveRunBegun,
  'run-ended': deriveRunEnded,
  profile: lazily(async () => (await import('./account.ts')).deriveProfile),
  logo: deriveLogo,
  'invoice-list': lazily(async () => (await import('./invoice-list.ts')).deriveInvoiceList),
  invoice: lazily(async () => (await import('./invoice.ts')).deriveInvoice),
  'invoice-missing': lazily(async () => (await import('./invoice.ts')).deriveMissing),
  'order-pages': lazily(async () => (await import('./order-pages.ts')).deriveOrderPages),
  order: lazily(async () => (await import('./order-pages.ts')).deriveOrders),
  'order-missing': lazily(async () => (await import('./order-pages.ts')).deriveOrderMissing),
  webhook: lazily(async () => (await import('./webhook.ts')).deriveWebhook),
  listing: deriveListing,
  'orders-refreshed': deriveOrdersRefreshed,
  findings: deriveFindings,
  'returns-adopted': deriveReturnsAdopted,
  decision: deriveDecision,
  claim: deriveClaim,
  'claim-answered': deriveAnswer,
  'claim-written-off': deriveWrittenOff,
  'claim-withdrawn': deriveWithdrawn,
  'courier-renamed': deriveCourierRenamed,
  import: lazily(async () => (await import('./imports.ts')).deriveImport),
  'import-undone': lazily(async () => (await import('./imports.ts')).deriveImportUndone),
  'receipts-replaced': deriveReceiptsReplaced,
  match: deriveMatches,
  'match-removed': deriveMatchRemoved,
  resolutions: deriveResolutions,
  close: deriveClose,
  reopen: deriveReopen,
};

/**
 * Derives rows from evidence, which comes in the order in which it was kept: the same evidence gives the same rows, in
 * a sync as in a replay. It remembers which orders each courier's current walk has shown, so one serves a whole sync or
 * replay.
 */
export class Deriver {
  /** The walks over order books that are going on, by courier: those of two couriers may alternate. */
  readonly #walks = new Map<string | null, OrderBookWalk>();
  /** The couriers that are in the ledger for good: evidence of theirs was derived. */
  readonly #couriers = new Set<string>();
  /** Each courier's first evidence, even if it cannot be derived: from it on the courier is in the ledger. */
  readonly #firstEvidence = new Map<string, number>();

  orderBookOf(courier: string | null): OrderBookWalk {
    const walk = this.#walks.get(courier) ?? new OrderBookWalk();
    this.#walks.set(courier, walk);
    return walk;
  }

  /**
   * @param body the body of the evidence; if it is null, it is read when it is needed
   * @param earlier where earlier evidence is read; when absent, in the ledger that is being written
   */
  async derive(
    trx: LedgerTransaction,
    evidence: EvidenceRow,
    body: Buffer | null = null,
    earlier: EarlierEvidence = { source: trx, parts: new PartReader(trx) },
  ): Promise<void> {
    const derive = DERIVE_BY_KIND[evidence.kind];
    // Evidence from which nothing is derived does not add its courier either.
    if (!derive) return;
    const whole = wholeLedger(trx);
    const { courier } = evidence;
    const courierRows = courier === null ? whole : ofCourier(trx, courier);
    if (courier !== null && !this.#couriers.has(courier)) {
      const id = this.#firstEvidence.get(courier) ?? evidence.id;
      this.#firstEvidence.set(courier, id);
      await writeCourier(whole, courier, id);
    }
    const orderBook = this.orderBookOf(courier);
    // A derivation asks for no body where the evidence has none.
    const readOnDemand = async () => body ?? readBody(earlier.source, evidence.sha256 ?? '');
    await derive({ ...earlier, trx: courierRows, evidence, orderBook, body: readOnDemand });
    // Not earlier: a fault in the evidence undoes its transaction, and the courier is written with the next evidence.
    if (courier !== null) this.#couriers.add(courier);
    if (evidence.kind === 'run-ended') this.#walks.delete(courier);
  }
}

export interface ReplayOptions {
  /** Replays only the evidence that was there by then. */
  readonly until?: KnownBy;
  /** Receives evidence that cannot be derived, which is then skipped; without it the error is thrown. */
  readonly onFault?: (evidence: EvidenceRow, error: Error) => void;
}

/**
 * Derives every row again from the evidence of one ledger, into another.
 *
 * @param from the ledger that holds the evidence; nothing is written to it
 * @param into an empty ledger, outside any transaction: each piece of evidence gets one
 * @throws LedgerError if a body is missing or damaged, unless `onFault` takes it
 */
export async function replay(from: LedgerTransaction, into: LedgerTransaction, { until, onFault }: ReplayOptions = {}) {
  const deriver = new Deriver();
  const earlier = { source: from, parts: new PartReader(from) };
  for await (const evidence of readEvidence(from, until)) {
    try {
      await into.transaction().execute((trx) => deriver.derive(trx, evidence, null, earlier));
    } catch (error) {
      if (!onFault) throw error;
      onFault(evidence, error as Error);
    }
  }
}
