import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { type LedgerTransaction, ofCourier, wholeLedger } from '../ledger/index.ts';
import { writeLogo } from '../ledger/write/account.ts';
import { deriveCourierRenamed, recordCourier } from './account.ts';
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
import type { Bodies, Derive } from './derivation.ts';
import { OrderBookWalk } from './order-book-walk.ts';
import { deriveReceiptsReplaced } from './receipts.ts';
import { deriveListing, deriveOrdersRefreshed, deriveRunBegun, deriveRunEnded } from './runs-and-walks.ts';

/** Imports a derivation on first use: readers of documents and files take longer to load than most commands to run. */
const lazily =
  (load: () => Promise<Derive>): Derive =>
  async (derivation) =>
    (await load())(derivation);

const deriveLogo: Derive = async ({ trx, evidence }) => writeLogo(trx, evidence.sha256!);

const DERIVE_BY_KIND: Readonly<Record<string, Derive>> = {
  'run-begun': deriveRunBegun,
  'run-ended': deriveRunEnded,
  profile: lazily(async () => (await import('./account.ts')).deriveProfile),
  logo: deriveLogo,
  'invoice-list': lazily(async () => (await import('./invoice-list.ts')).deriveInvoiceList),
  invoice: lazily(async () => (await import('./invoice.ts')).deriveInvoice),
  'invoice-missing': lazily(async () => (await import('./invoice.ts')).deriveMissing),
  'order-pages': lazily(async () => (await import('./order-pages.ts')).deriveOrderPages),
  order: lazily(async () => (await import('./orders.ts')).deriveOrders),
  'order-missing': lazily(async () => (await import('./orders.ts')).deriveOrderMissing),
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
  readonly #couriers = new Set<string>();

  orderBookOf(courier: string | null): OrderBookWalk {
    const walk = this.#walks.get(courier) ?? new OrderBookWalk();
    this.#walks.set(courier, walk);
    return walk;
  }

  /** @param bodies reads the body of the evidence on demand */
  async derive(trx: LedgerTransaction, evidence: EvidenceRow, bodies: Bodies): Promise<void> {
    const derive = DERIVE_BY_KIND[evidence.kind];
    // Evidence from which nothing is derived does not add its courier either.
    if (!derive) return;
    const { parts } = bodies;
    const body = () => bodies.body();
    const bodyOf = (sha256: string) => bodies.bodyOf(sha256);
    const dataOf = (id: number) => bodies.dataOf(id);
    const whole = wholeLedger(trx);
    const courierRows = evidence.courier === null ? whole : ofCourier(trx, evidence.courier);
    if (evidence.courier !== null && !this.#couriers.has(evidence.courier)) {
      await recordCourier(whole, evidence);
      this.#couriers.add(evidence.courier);
    }
    const orderBook = this.orderBookOf(evidence.courier);
    await derive({ trx: courierRows, evidence, body, bodyOf, dataOf, parts, orderBook });
    if (evidence.kind === 'run-ended') this.#walks.delete(evidence.courier);
  }
}
