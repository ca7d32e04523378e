import { groupBy } from '../../base/group.ts';
import { parseInstant } from '../../base/instant.ts';
import type { ReferenceRule } from '../../base/settings.ts';
import { linkReferences, referenceKey } from '../../imports/references.ts';
import { chunks } from '../../ledger/chunks.ts';
import { courierOf } from '../../ledger/courier.ts';
import { ofCourier } from '../../ledger/index.ts';
import { type OwnOrder, readOwnOrders } from '../../ledger/queries/imports.ts';
import { type OrderMonthLine, readMonthsOfRecords, readMonthsOfRows } from '../../ledger/queries/orders/order.ts';
import { readInvoicedReferences, readOrderRecordNames, readSentOrders } from '../../ledger/queries/orders/records.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { CheckContext } from '../check.ts';

/**
 * The references of the orders that the other couriers have, by their order books and their invoices, in the form in
 * which the rule compares them.
 */
export function otherCouriersOrders({ db, settings, facts }: CheckContext) {
  return facts.once('other-couriers-orders', async () => {
    const references = new Set<string>();
    /** Whether another courier's check reports the own orders that no courier has: each is reported once. */
    let isReportedElsewhere = false;
    const courierKey = courierOf(db) ?? '';
    for (const { key } of settings.others ?? []) {
      const otherDb = ofCourier(db, key);
      const names = await readOrderRecordNames(otherDb);
      // The first courier by key that has an order book reports.
      if (names.length > 0 && key < courierKey) isReportedElsewhere = true;
      const known = [...names.map(({ reference }) => reference), ...(await readInvoicedReferences(otherDb))];
      for (const reference of known) {
        if (reference !== null && reference !== '') references.add(referenceKey(reference, settings.referenceRule));
      }
    }
    return { references, isReportedElsewhere };
  });
}

/** An order of the own book that is at several couriers, this one among them. */
export type SentTwice = Awaited<ReturnType<typeof sentTwice>>[number];

/** What an order of the own book is at one courier. */
interface Sent {
  /** The courier's key and name, and the order's id there. */
  readonly key: string;
  readonly courier: string;
  readonly order: string;
  /** When it was sent, in milliseconds; 0 if nobody says. */
  readonly at: number;
}

/** The own orders that this courier and another have; not orders that share a reference, which cannot be told apart. */
export function sentTwice({ db, settings, facts }: CheckContext) {
  return facts.once('sent-twice', async () => {
    const { referenceRule: rule, others = [], name = '' } = settings;
    const here = { key: courierOf(db) ?? '', name, db, orders: await sentByReference(db, rule, () => true) };
    const atOthers = await Promise.all(
      others.map(async (other) => {
        const otherDb = ofCourier(db, other.key);
        const isSentHere = (reference: string) => here.orders.has(reference);
        return { ...other, db: otherDb, orders: await sentByReference(otherDb, rule, isSentHere) };
      }),
    );
    /** References that this courier and another have. */
    const shared = new Set(atOthers.flatMap(({ orders }) => [...orders.keys()]));
    if (shared.size === 0) return [];
    const ownOrders = (await readOwnOrders(db))
      .filter(({ reference }) => shared.has(referenceKey(reference, rule)))
      // What `linkReferences` calls an order's `id` is here the whole order.
      .map((order) => ({ id: order, reference: order.reference }));
    const sentOf = new Map<OwnOrder, Sent[]>();
    for (const { key, name: courier, db: courierDb, orders } of [here, ...atOthers]) {
      const sharedOrders = [...shared].flatMap((reference) => orders.get(reference) ?? []);
      const { linked } = linkReferences(ownOrders, sharedOrders, rule);
      const orderIds = linked.map((pair) => pair.courier.id);
      const times = await sendingTimes(courierDb, orderIds);
      for (const { own, courier: sent } of linked) {
        const at = times.get(sent.id) ?? 0;
        sentOf.set(own.id, [...(sentOf.get(own.id) ?? []), { key, courier, order: sent.id, at }]);
      }
    }
    return [...sentOf].flatMap(([own, sent]) => {
      const sentHere = sent.find(({ key }) => key === here.key);
      if (!sentHere || sent.length < 2) return [];
      /** In the order in which they were sent. */
      const orders = [...sent].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
      return { own, order_id: sentHere.order, orders, isLastHere: orders.at(-1) === sentHere };
    });
  });
}

/**
 * The orders that a courier was sent, by reference in the form in which the rule compares it; without returns, and
 * without orders that were cancelled or come back.
 */
async function sentByReference(db: LedgerReader, rule: ReferenceRule, isWanted: (key: string) => boolean) {
  const orders = (await readSentOrders(db)).map(({ order_id: id, reference }) => ({ id, reference }));
  const byKey = groupBy(orders, ({ reference }) => referenceKey(reference, rule));
  return new Map([...byKey].filter(([key]) => key !== '' && isWanted(key)));
}

/** When orders were sent: their first statestamp, or else the month of their first invoice. Neither ever changes. */
async function sendingTimes(db: LedgerReader, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  const noteTime = ({ order_id, stamped }: Pick<OrderMonthLine, 'order_id' | 'stamped'>) => {
    const at = timeOf(stamped);
    if (at !== undefined) times.set(order_id, Math.min(at, times.get(order_id) ?? at));
  };
  for (const chunk of chunks(orderIds)) {
    for (const line of await readMonthsOfRecords(db, chunk)) noteTime(line);
    const unstamped = chunk.filter((id) => !times.has(id));
    for (const line of await readMonthsOfRows(db, unstamped)) noteTime(line);
  }
  return times;
}

/** The milliseconds of an instant, or of the beginning of a month (`2026-10`). */
function timeOf(stamped: string | null): number | undefined {
  const isMonth = stamped?.length === '2026-10'.length;
  return parseInstant(isMonth ? `${stamped}-01T00:00:00Z` : (stamped ?? ''))?.getTime();
}
