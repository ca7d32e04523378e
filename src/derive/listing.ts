import { markUnlisted } from '../ledger/write/listed.ts';
import { markOrdersGone, markSeen } from '../ledger/write/orders.ts';
import { writeListing } from '../ledger/write/runs.ts';
import { clearUnreadableBut } from '../ledger/write/unreadable.ts';
import type { Derivation, Derive } from './derivation.ts';

/** How a walk over a list ended: the `data` of its evidence. */
export interface Concluded {
  readonly kind: 'invoices' | 'orders';
  readonly period: string | null;
  readonly complete: boolean;
  readonly stated_count: number | null;
  readonly seen_count: number;
  readonly walks: number;
  /** The subjects of the unreadable rows that the last walk showed. */
  readonly unreadable: readonly string[];
  /** How many of these rows have no readable id. */
  readonly anonymous: number;
  readonly why: string | null;
  /** The payouts of a settlement sheet in the month: what it does not show is not gone. */
  readonly of_sheet?: true;
}

/** A list that was walked to its end: what a complete walk does not show is gone. */
export const deriveListing: Derive = async (derivation) => {
  const { trx, evidence } = derivation;
  const concluded = JSON.parse(evidence.data!) as Concluded;
  const { kind, period, complete, unreadable, why } = concluded;
  await writeListing(trx, {
    id: evidence.id,
    run_id: evidence.run_id!,
    kind,
    period,
    finished_at: evidence.at,
    complete: complete ? 1 : 0,
    stated_count: concluded.stated_count,
    seen_count: concluded.seen_count,
    walks: concluded.walks,
    unreadable: unreadable.length,
    anonymous: concluded.anonymous,
    why,
  });
  if (kind === 'orders') await concludeOrderBook(derivation, concluded);
  else if (complete && !concluded.of_sheet) await concludeMonth(derivation, concluded);
};

async function concludeMonth({ trx, evidence }: Derivation, { period, walks, unreadable, anonymous }: Concluded) {
  const seen = { evidenceId: evidence.id, at: evidence.at };
  // A row without a number may be any invoice, so no missing invoice is known to be gone.
  if (anonymous === 0) await markUnlisted(trx, period!, { run: evidence.run_id!, walk: walks }, seen);
  await clearUnreadableBut(trx, 'listed', period, new Set(unreadable));
}

async function concludeOrderBook({ trx, evidence, orderBook }: Derivation, concluded: Concluded): Promise<void> {
  const { complete, walks, unreadable, anonymous } = concluded;
  orderBook.enter(evidence.run_id);
  if (!complete) {
    await markSeen(trx, orderBook.readable(), evidence.id);
    return;
  }
  const seen = { evidenceId: evidence.id, at: evidence.at };
  if (anonymous === 0) await markOrdersGone(trx, (id) => orderBook.isSeen(id, walks), seen);
  await clearUnreadableBut(trx, 'order', null, new Set(unreadable));
}
