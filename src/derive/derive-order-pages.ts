import { sha256 } from '../ledger/evidence/sha256.ts';
import {
  type CourierOrderRows,
  type HeldOrder,
  readHeldOrders,
  supersedeOrders,
  writeOrders,
} from '../ledger/write/orders.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { isBackward } from '../state-order.ts';
import type { Derivation, Derive } from './deriver.ts';
import { withPath } from './invoice-list.ts';
import { readDocument } from './json.ts';
import { type OrderPages, partsOf } from './order-pages.ts';
import { orderIdOf, readOrder } from './order-record.ts';
import { ifReadable, type Readable } from './readable.ts';

/** An order as a page of the order book shows it. */
export interface SeenOrder {
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  /** The part that holds them. */
  readonly part: number;
  /** The order of which the ledger holds just these bytes as the record, neither gone nor superseded; null where that is not known yet. */
  readonly heldAs: string | null;
  /** The record as JSON; asked for only where it is not held so. */
  json(): Promise<Readable<unknown>>;
}

/** How the records that the ledger holds were changed. */
export interface RecordsChanged {
  /** SHA-256 of bytes that are no order's record any more. */
  readonly former: readonly string[];
  readonly now: readonly { readonly sha256: string; readonly order_id: string; readonly part: number }[];
}

/** A stretch of a walk over the order book, read from the parts that its pages are made of. */
export const deriveOrderPages: Derive = async (derivation) => {
  const { body, parts } = derivation;
  const { pages } = JSON.parse((await body()).toString('utf8')) as OrderPages;
  for (const page of pages) {
    const orders: SeenOrder[] = [];
    for (const part of partsOf(page.parts)) {
      const bytes = await parts.read(part);
      const index = orders.length;
      orders.push({ sha256: sha256(bytes), part, heldAs: null, json: () => readRecord(bytes, index) });
    }
    await applyOrders(derivation, orders);
  }
};

/** An order's record, of its bytes. @param index where it stands on its page */
export function readRecord(bytes: Buffer, index: number): Promise<Readable<unknown>> {
  return ifReadable(() => readDocument(bytes, placeOf(index)));
}

const placeOf = (index: number) => `results[${index}]`;

/**
 * Writes what a page of the order book shows: orders that are new or have changed. An order that is held as it is shown is not mapped
 * or written again.
 *
 * @returns how many have changed, the sentences about those that cannot be read, and what the ledger now holds
 */
export async function applyOrders(
  { trx, evidence, orderBook }: Pick<Derivation, 'trx' | 'evidence' | 'orderBook'>,
  orders: readonly SeenOrder[],
): Promise<{ changed: number; faults: string[]; records: RecordsChanged }> {
  const { id: evidenceId, at } = evidence;
  const walk = evidence.walk ?? 1;
  orderBook.enter(evidence.run_id);
  const jsons = await Promise.all(orders.map(({ heldAs, json }) => (heldAs === null ? json() : null)));
  const ids = jsons.map((json) => (json?.ok ? orderIdOf(json.value) : null));
  const held = await readHeldOrders(
    trx,
    ids.filter((id) => id !== null),
  );
  const changed = new Map<string, CourierOrderRows>();
  const unreadable: { subject: string; order_id: string | null; why: string }[] = [];
  const readable: string[] = [];
  for (const [index, seen] of orders.entries()) {
    const json = jsons[index] ?? null;
    if (json === null) {
      orderBook.see(seen.heldAs!, walk);
      continue;
    }
    const id = ids[index] ?? null;
    const before = id === null ? undefined : held.get(id);
    const isSame =
      before?.record_sha256 === seen.sha256 && before.vanished_at === null && before.superseded_at === null;
    if (isSame) {
      orderBook.see(id!, walk);
      continue;
    }
    const read = json.ok ? await ifReadable(() => withPath(placeOf(index), () => readOrder(json.value, seen))) : json;
    if (read.ok) {
      const { order_id } = read.value.order;
      orderBook.see(order_id, walk);
      readable.push(order_id);
      changed.set(order_id, read.value);
    } else {
      const subject = id ?? `record ${seen.sha256.slice(0, 16)}`;
      orderBook.seeUnreadable(subject, id, walk);
      unreadable.push({ subject, order_id: id, why: read.fault.message });
    }
  }
  const rows = [...changed.values()];
  await writeOrders(trx, rows, held, { evidenceId, at }, isBackward);
  await clearUnreadable(trx, 'order', readable);
  const superseded = unreadable.flatMap(({ order_id, why }) =>
    order_id !== null && held.has(order_id) ? [{ order_id, why }] : [],
  );
  await supersedeOrders(trx, superseded, at);
  const note = { kind: 'order', period: null, evidence_id: evidenceId, at, sha256: null };
  await noteUnreadable(
    trx,
    unreadable.map(({ subject, why }) => ({ ...note, subject, why })),
  );
  const isChanged = ({ order }: CourierOrderRows) => {
    const before = held.get(order.order_id);
    return before?.content_sha256 !== order.content_sha256 || before.vanished_at !== null;
  };
  return {
    changed: rows.filter(isChanged).length,
    faults: unreadable.map(({ why }) => why),
    records: recordsChanged(rows, superseded, held),
  };
}

function recordsChanged(
  rows: readonly CourierOrderRows[],
  superseded: readonly { order_id: string }[],
  held: ReadonlyMap<string, HeldOrder>,
): RecordsChanged {
  const gone = new Set(superseded.map(({ order_id }) => order_id));
  const kept = rows.filter(({ order }) => !gone.has(order.order_id));
  const touched = [...gone, ...rows.map(({ order }) => order.order_id)];
  return {
    former: touched.flatMap((id) => held.get(id)?.record_sha256 ?? []),
    now: kept.map(({ order: { order_id, record_sha256, record_part } }) => ({
      sha256: record_sha256,
      order_id,
      part: record_part,
    })),
  };
}
