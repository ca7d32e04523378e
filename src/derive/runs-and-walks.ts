import { FiledMap } from '../base/sqlite/filed-map.ts';
import type { RunStatus } from '../ledger/schema.ts';
import { insertRows, type Row } from '../ledger/write/insert.ts';
import { endRun, markUnlisted } from '../ledger/write/listed.ts';
import { markOrdersGone, markSeen, readSeenSince } from '../ledger/write/orders.ts';
import { clearUnreadableBut } from '../ledger/write/unreadable.ts';
import { answerWebhooks } from '../ledger/write/webhooks.ts';
import type { Derivation, Derive } from './derivation.ts';

/** The `data` of the evidence that a run began. */
export interface RunBegun {
  readonly command: string;
  readonly version: string;
  /** The months that it covers; null for all. */
  readonly period: string | null;
}

/** The `data` of the evidence that a run ended. */
export interface RunEnded {
  readonly status: RunStatus;
  /** False for a run that was killed, which a later run found and closed. */
  readonly finished: boolean;
  readonly summary: object | null;
}

export const deriveRunBegun: Derive = async ({ trx, evidence }) => {
  const { command, version, period } = JSON.parse(evidence.data!) as RunBegun;
  const run = { id: evidence.run_id!, command, started_at: evidence.at, remit_version: version, period };
  await insertRows(trx, 'run', [{ ...run, finished_at: null, status: 'running', summary: null }]);
};

export const deriveRunEnded: Derive = async ({ trx, evidence }) => {
  const { status, finished, summary } = JSON.parse(evidence.data!) as RunEnded;
  const finished_at = finished ? evidence.at : null;
  await endRun(trx, Number(evidence.subject), { status, finished_at, summary: summary && JSON.stringify(summary) });
};

/**
 * The `data` of the evidence that the walks over a list ended: over a month's list, or the order book. A walk reads all
 * its pages; if the list changed meanwhile, the same run walks it again.
 */
export interface WalksEnded {
  readonly kind: 'invoices' | 'orders';
  readonly period: string | null;
  readonly complete: boolean;
  readonly stated_count: number | null;
  readonly seen_count: number;
  /** How often the list was walked in this run, and so the number of the last walk: walks are numbered from 1. */
  readonly walks: number;
  /** The subjects of the unreadable rows in the last walk. */
  readonly unreadable: readonly string[];
  /** The number of these rows without a readable id. */
  readonly anonymous: number;
  readonly why: string | null;
  /** Where a walk over the order book goes on another day, if a budget of requests stopped it. */
  readonly resume?: Resume;
  /** When such a walk in parts began, if it is finished now: the whole order book is as of then. */
  readonly since?: WalkStart;
  /** The last evidence when a walk over the order book began, if webhooks waited: it answers those up to there. */
  readonly webhooks_until?: number | undefined;
  /** The list was a settlement sheet with payouts of the month: payouts that it does not have are not gone. */
  readonly of_sheet?: true;
}

/** The first evidence of a walk in parts, and when it was received. */
export type WalkStart = { readonly id: number; readonly at: string };

/** A walk over the order book that was stopped and goes on another day. */
export interface Resume {
  readonly since: WalkStart;
  /** The number of orders from the top of the list that it has read. */
  readonly position: number;
  /** The number of orders that the list stated then. */
  readonly count: number | null;
  /** The walk met a record without an id, so that no missing order is known to be gone. */
  readonly anonymous: boolean;
  /** {@link WalksEnded.webhooks_until} of its first part. */
  readonly webhooks_until?: number | undefined;
}

/** Writes how the walks over a list ended. What a complete walk does not show is gone. */
export const deriveListing: Derive = async (derivation) => {
  const { trx, evidence } = derivation;
  const concluded = JSON.parse(evidence.data!) as WalksEnded;
  const { kind, period, complete, unreadable, why } = concluded;
  const row: Row<'listing'> = {
    // An order book that was walked in parts is as of when the walk began.
    id: concluded.since?.id ?? evidence.id,
    run_id: evidence.run_id!,
    kind,
    period,
    finished_at: concluded.since?.at ?? evidence.at,
    complete: complete ? 1 : 0,
    stated_count: concluded.stated_count,
    seen_count: concluded.seen_count,
    walks: concluded.walks,
    unreadable: unreadable.length,
    anonymous: concluded.anonymous,
    why,
  };
  await insertRows(trx, 'listing', [row]);
  if (kind === 'orders') await concludeOrderBook(derivation, concluded);
  else if (complete && !concluded.of_sheet) await concludeMonth(derivation, concluded);
};

async function concludeMonth({ trx, evidence }: Derivation, concluded: WalksEnded): Promise<void> {
  const { period, walks: lastWalk, unreadable, anonymous } = concluded;
  // A row without a number may be any invoice, so no missing invoice is known to be gone.
  if (anonymous === 0) await markUnlisted(trx, period!, { run: evidence.run_id!, walk: lastWalk }, evidence);
  await clearUnreadableBut(trx, 'listed', period, new Set(unreadable));
}

/**
 * Writes how the walk over the order book ended. `orderBook` has the orders that this run showed. A later run, which
 * goes on where this one stopped, finds them marked in the ledger (`markSeen`).
 */
async function concludeOrderBook({ trx, evidence, orderBook }: Derivation, concluded: WalksEnded): Promise<void> {
  const { complete, walks: lastWalk, unreadable, anonymous, since, webhooks_until: until } = concluded;
  orderBook.enter(evidence.run_id);
  // If this run alone walked the whole order book, `orderBook` knows every order, and no later run needs marks.
  if (!complete || since) await markSeen(trx, orderBook.readable(), evidence.id);
  if (!complete) return;
  // `ids: null`: those of all orders.
  if (until !== undefined) await answerWebhooks(trx, { ids: null, until, evidenceId: evidence.id });
  // A record without an id may be any order, so no missing order is known to be gone.
  const isEveryIdKnown = anonymous === 0;
  if (since) {
    // Earlier runs walked the other parts. Their marks say which orders they saw; which records they could not read is
    // not known, so that no unreadable record is cleared.
    if (!isEveryIdKnown) return;
    // A set of ids: the values mean nothing.
    const ids = new FiledMap<number>();
    for await (const page of readSeenSince(trx, since.id)) for (const id of page) ids.set(id, 1);
    await markOrdersGone(trx, (id) => ids.has(id), evidence);
    return;
  }
  if (isEveryIdKnown) await markOrdersGone(trx, (id) => orderBook.isSeen(id, lastWalk), evidence);
  await clearUnreadableBut(trx, 'order', null, new Set(unreadable));
}

/** The `data` of the evidence that the orders which may have changed were fetched, if webhooks waited. */
export interface OrdersRefreshed {
  readonly webhooks_until: number;
  /** The ids of orders that cannot be fetched, however often one tries. */
  readonly refused: readonly string[];
}

/** Marks the orders that were fetched because they may have changed as seen now, and answers their webhooks. */
export const deriveOrdersRefreshed: Derive = async ({ trx, evidence, orderBook }) => {
  orderBook.enter(evidence.run_id);
  await markSeen(trx, orderBook.readable(), evidence.id);
  if (evidence.data === null) return;
  const { webhooks_until: until, refused } = JSON.parse(evidence.data) as OrdersRefreshed;
  await answerWebhooks(trx, { ids: [...orderBook.seen(), ...refused], until, evidenceId: evidence.id });
};
