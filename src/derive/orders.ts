import { markSeen, supersedeOrders } from '../ledger/write/orders.ts';
import { noteUnreadable } from '../ledger/write/unreadable.ts';
import { answerWebhooks } from '../ledger/write/webhooks.ts';
import type { Derivation, Derive } from './derivation.ts';
import { applyOrders, readSeenOrders, type SeenOrder } from './order-pages.ts';
import type { OrderPages } from './page-recipe.ts';

/** The `data` of the evidence of orders that were fetched one by one. */
export interface OrdersAsked {
  /** Their ids. */
  readonly orders: readonly string[];
  /** The last evidence before they were fetched: webhooks that came later may be newer than the answers. */
  readonly until: number;
}

/** Derives orders that were fetched one by one, and not in a walk. Each answer is a page of one order. */
export const deriveOrders: Derive = async (derivation) => {
  const { trx, evidence, body, parts } = derivation;
  const asked = JSON.parse(evidence.data!) as OrdersAsked;
  if (evidence.fault === null) {
    const { pages } = JSON.parse((await body()).toString('utf8')) as OrderPages;
    const orders: SeenOrder[] = [];
    for (const page of pages) orders.push(...(await readSeenOrders(parts, page)));
    const { sightings } = await applyOrders(derivation, [orders]);
    const seen = sightings.flatMap(({ id, unreadable }) => (id === null || unreadable !== null ? [] : [id]));
    await markSeen(trx, seen, evidence.id);
  } else await noteFault(derivation, asked.orders);
  await answerTheirWebhooks(derivation, asked);
};

/** Answers the webhooks of an order that could not be fetched: the next walk shows what became of it. */
export const deriveOrderMissing: Derive = async (derivation) => {
  await answerTheirWebhooks(derivation, JSON.parse(derivation.evidence.data!) as OrdersAsked);
};

async function noteFault({ trx, evidence }: Derivation, orders: readonly string[]): Promise<void> {
  const { id: evidence_id, at, sha256, fault } = evidence;
  const why = fault!;
  const superseded = orders.map((order_id) => ({ order_id, why }));
  await supersedeOrders(trx, superseded, at);
  const notes = orders.map((subject) => ({ kind: 'order', subject, period: null, evidence_id, at, sha256, why }));
  await noteUnreadable(trx, notes);
}

function answerTheirWebhooks({ trx, evidence }: Derivation, { orders, until }: OrdersAsked): Promise<void> {
  return answerWebhooks(trx, { ids: orders, until, evidenceId: evidence.id });
}
