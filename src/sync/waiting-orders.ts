/** Fetches orders that webhooks named: in a sync, and between syncs when a webhook comes. */
import type { Order } from '../api/wire.ts';
import { ApiError, AuthError, BudgetError, ContractError } from '../base/errors.ts';
import type { Answer } from '../courier/index.ts';
import type { Deriver } from '../derive/deriver.ts';
import type { OrdersAsked } from '../derive/order-pages.ts';
import { type OrderPages, runsOf } from '../derive/page-recipe.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { keepParts, type Ledger, type LedgerTransaction, sealBody, sha256, usingTransaction } from '../ledger/index.ts';
import { readLastEvidence } from '../ledger/queries/evidence/decided.ts';
import {
  countOrderChanges,
  hasSyncBegunSince,
  readOrdersSeenSince,
  readWaitingOrders,
} from '../ledger/queries/webhooks.ts';
import { isAnswered, recordIn, reportFaults, reportMissing, type SyncClient, type SyncSession } from './session.ts';

/** The most orders of one transaction. */
const MAX_ORDERS = 50;
/** The most requests at a time. */
const WORKERS = 4;

/** The API's answers about orders, refusals included; not failures that another try may cure. */
export interface AskedOrders {
  /** The id of the last evidence when they were requested. */
  readonly until: number;
  readonly answers: readonly OrderAnswer[];
  /** Why other orders were not fetched; null if all were. */
  readonly failure: Error | null;
}

/** The order; or what cannot be read, or the API's refusal, such as that it has no such order. */
type OrderAnswer = { readonly id: string } & (
  | { readonly answer: Answer<Order> }
  | { readonly fault: ContractError }
  | { readonly missing: ApiError }
);

/** Asks the API for orders that webhooks named and that wait, the longest waiting first. @returns null if none waits */
export async function askForWaiting(
  client: Pick<SyncClient, 'order'>,
  ledger: Ledger,
  most = Number.POSITIVE_INFINITY,
): Promise<AskedOrders | null> {
  const until = await readLastEvidence(ledger.db);
  const ids = await readWaitingOrders(ledger.db, Math.min(most, MAX_ORDERS));
  if (ids.length === 0) return null;
  const answers: OrderAnswer[] = [];
  let failure: Error | null = null;
  const queue = ids.values();
  const worker = async () => {
    for (const id of queue) {
      if (failure !== null) return;
      try {
        answers.push(withRightId(id, await client.order(id)));
      } catch (error) {
        if (error instanceof ContractError) answers.push({ id, fault: error });
        else if (isRefusal(error)) answers.push({ id, missing: error });
        // Such as an API that is away: it would meet the other orders too.
        else failure ??= error as Error;
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return { until, answers, failure };
}

function withRightId(id: string, answer: Answer<Order>): OrderAnswer {
  if (answer.value.order_id === id) return { id, answer };
  const why = `order_id: the answer is order ${answer.value.order_id}, and ${id} was asked for`;
  return { id, fault: new ContractError(why, 'Send the delivery company this message.', { body: answer.body }) };
}

/** Whether the API refuses an order, so that another try would not help. */
export function isRefusal(error: unknown): error is ApiError {
  return isAnswered(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/**
 * Keeps the answers as evidence and derives their orders, in one transaction. An order that another process has read
 * since stays as that one found it. The caller has the ledger's lock.
 *
 * @param session its run is null for orders that are fetched between syncs, when a webhook comes
 * @returns how many orders changed; null if a sync began since they were requested: its records may be newer
 */
export async function storeOrders(
  ledger: Ledger,
  session: { readonly run: number | null; readonly deriver: Deriver; readonly now: () => Date },
  { until, answers }: AskedOrders,
): Promise<number | null> {
  return usingTransaction(ledger, async (trx) => {
    await holdHead(trx);
    if (session.run === null && (await hasSyncBegunSince(trx, until))) return null;
    const ids = answers.map(({ id }) => id);
    const newer = await readOrdersSeenSince(trx, ids, until);
    const current = answers.filter(({ id }) => !newer.has(id));
    const read = current.filter((answer) => 'answer' in answer);
    let changed = 0;
    if (read.length > 0) {
      const orders = read.map(({ id }) => id);
      const document: OrderPages = { pages: await keepAsPages(trx, read) };
      await keep(orders, { body: Buffer.from(JSON.stringify(document)) });
    }
    for (const answered of current) {
      const { id } = answered;
      if ('fault' in answered) await keep([id], { body: answered.fault.body, fault: answered.fault.message });
      else if ('missing' in answered) await keep([id], { kind: 'order-missing', fault: answered.missing.message });
    }
    return changed;

    /** Keeps evidence about orders: the pages that show them, or why one cannot be read or is refused. */
    async function keep(
      orders: readonly string[],
      { kind = 'order', body = null, fault = null }: { kind?: string; body?: Buffer | null; fault?: string | null },
    ): Promise<void> {
      const data: OrdersAsked = { orders, until };
      const subject = orders.length === 1 ? orders[0]! : 'orders';
      const sealed = body === null ? null : await sealBody(body);
      const what = { kind, subject, at: session.now(), body: sealed, fault, data };
      await recordIn(trx, session, what, async (evidence) => {
        await session.deriver.derive(trx, evidence, body);
        changed += await countOrderChanges(trx, evidence.id);
      });
    }
  });
}

/** Keeps the bytes of orders, each as a page of the order book that has this order alone, and no bytes around it. */
async function keepAsPages(trx: LedgerTransaction, read: readonly { readonly answer: Answer<Order> }[]) {
  const parts = await keepParts(trx, new Map(read.map(({ answer: { body } }) => [sha256(body), body])));
  return read.map(({ answer: { body, url, receivedAt } }) => {
    const hash = sha256(body);
    const received = { source: url, received_at: receivedAt.toISOString() };
    const size = body.length;
    return { ...received, sha256: hash, size, head: '', gap: '', tail: '', parts: runsOf([parts.get(hash)!]) };
  });
}

/** The orders that cannot be read or were refused. `what` begins a message: `order A1 was not brought`. */
export function faultsOf({ answers }: AskedOrders) {
  return answers.flatMap((answered): { what: string; error: ContractError | ApiError }[] => {
    if ('fault' in answered) return [{ what: `order ${answered.id}`, error: answered.fault }];
    return 'missing' in answered ? [{ what: `order ${answered.id} was not brought`, error: answered.missing }] : [];
  });
}

/** Fetches the orders that webhooks named and that wait, as far as they can be fetched. */
export async function syncWaitingOrders(session: SyncSession): Promise<void> {
  for (;;) {
    const answered = await askForWaiting(session.client, session.ledger);
    if (answered === null) return;
    // Null only between syncs: within one the run is known.
    session.counts.orders.changed += (await storeOrders(session.ledger, session, answered)) ?? 0;
    for (const { what, error } of faultsOf(answered)) {
      if (error instanceof ContractError) reportFaults(session, what, [error]);
      else reportMissing(session, what, error);
    }
    if (answered.failure === null) continue;
    // If the API is away or the budget is spent, the orders wait. A refused key ends the sync.
    const canWait = answered.failure instanceof ApiError || answered.failure instanceof BudgetError;
    if (!canWait || answered.failure instanceof AuthError) throw answered.failure;
    reportMissing(session, 'orders that webhooks named wait until the next sync', answered.failure);
    return;
  }
}
