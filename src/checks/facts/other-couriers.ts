import { parseInstant } from '../../base/instant.ts';
import type { ReferenceRule } from '../../base/reference-rule.ts';
import { linkReferences, type Referenced, referenceKey } from '../../imports/references.ts';
import { chunks } from '../../ledger/chunks.ts';
import { courierOf } from '../../ledger/courier.ts';
import { ofCourier } from '../../ledger/index.ts';
import { readMonthsOfRecords, readMonthsOfRows } from '../../ledger/queries/orders/order.ts';
import { type OwnOrder, readOwnOrders } from '../../ledger/queries/orders/own-book.ts';
import { readListedReferences, readOrderRecordNames, readSentOrders } from '../../ledger/queries/orders/records.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { CheckContext } from '../check.ts';

/** The references of the other couriers' orders, as the rule compares them. */
export interface Elsewhere {
  /** Of all that they know. */
  readonly known: ReadonlySet<string>;
  /** Whether an own order that no courier knows is for another courier to report: each is reported once. */
  readonly isReportedElsewhere: boolean;
}

/** What the other couriers of the books know of the shop's orders: by their order books, and by what their invoices list. */
export function elsewhere({ db, settings, facts }: CheckContext): Promise<Elsewhere> {
  return facts.once('elsewhere', async () => {
    const known = new Set<string>();
    let isReportedElsewhere = false;
    const courierKey = courierOf(db) ?? '';
    for (const { key } of settings.others ?? []) {
      const theirs = ofCourier(db, key);
      const names = await readOrderRecordNames(theirs);
      // The first by key that holds an order book reports.
      if (names.length > 0 && key < courierKey) isReportedElsewhere = true;
      const references = [...names.map(({ reference }) => reference), ...(await readListedReferences(theirs))];
      for (const reference of references) {
        if (reference !== null && reference !== '') known.add(referenceKey(reference, settings.referenceRule));
      }
    }
    return { known, isReportedElsewhere };
  });
}

/** An own order that is at several couriers, this one among them. */
export interface SentTwice {
  readonly own: OwnOrder;
  /** What it is here. */
  readonly order_id: string;
  /** What it is at each courier, in the order in which they were sent. */
  readonly orders: readonly Sent[];
  /** Whether it was sent here last. */
  readonly isLastHere: boolean;
}

interface Sent {
  readonly key: string;
  readonly courier: string;
  readonly order: string;
  readonly at: number;
}

type ByKey = Map<string, Referenced<string>[]>;

/** The own orders of this courier that another has too. Orders that share a reference are none of them: nobody can say which is which. */
export function sentTwice({ db, settings, facts }: CheckContext): Promise<readonly SentTwice[]> {
  return facts.once('sent-twice', async () => {
    const { referenceRule: rule, others = [], name = '' } = settings;
    const here = { key: courierOf(db) ?? '', name, db, orders: await sentByKey(db, rule, () => true) };
    const there = await Promise.all(
      others.map(async (other) => {
        const theirs = ofCourier(db, other.key);
        return { ...other, db: theirs, orders: await sentByKey(theirs, rule, (key) => here.orders.has(key)) };
      }),
    );
    const shared = new Set(there.flatMap(({ orders }) => [...orders.keys()]));
    if (shared.size === 0) return [];
    const own = (await readOwnOrders(db))
      .filter(({ reference }) => shared.has(referenceKey(reference, rule)))
      .map((order) => ({ id: order, reference: order.reference }));
    const sent = new Map<OwnOrder, Sent[]>();
    for (const { key, name: courier, db: theirs, orders } of [here, ...there]) {
      const { linked } = linkReferences(
        own,
        [...shared].flatMap((each) => orders.get(each) ?? []),
        rule,
      );
      const at = await sendingTimes(
        theirs,
        linked.map((pair) => pair.courier.id),
      );
      for (const pair of linked) {
        const order = pair.courier.id;
        sent.set(pair.own.id, [...(sent.get(pair.own.id) ?? []), { key, courier, order, at: at.get(order) ?? 0 }]);
      }
    }
    return [...sent].flatMap(([order, all]) => {
      const mine = all.find(({ key }) => key === here.key);
      if (!mine || all.length < 2) return [];
      const orders = [...all].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
      return { own: order, order_id: mine.order, orders, isLastHere: orders.at(-1) === mine };
    });
  });
}

/** The orders that a courier was sent, by their references as the rule compares them. */
async function sentByKey(db: LedgerReader, rule: ReferenceRule, isWanted: (key: string) => boolean): Promise<ByKey> {
  const byKey: ByKey = new Map();
  for (const { order_id, reference } of await readSentOrders(db)) {
    const key = referenceKey(reference, rule);
    if (key === '' || !isWanted(key)) continue;
    byKey.set(key, [...(byKey.get(key) ?? []), { id: order_id, reference }]);
  }
  return byKey;
}

/** When some orders were sent: their first statestamps, else the months of their first invoices. Neither changes any more. */
async function sendingTimes(db: LedgerReader, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  const note = (id: string, stamped: string | null) => {
    const at = parseInstant(stamped?.length === 7 ? `${stamped}-01T00:00:00Z` : (stamped ?? ''))?.getTime();
    if (at !== undefined) times.set(id, Math.min(at, times.get(id) ?? at));
  };
  for (const chunk of chunks(orderIds)) {
    for (const { order_id, stamped } of await readMonthsOfRecords(db, chunk)) note(order_id, stamped);
    for (const { order_id, stamped } of await readMonthsOfRows(
      db,
      chunk.filter((id) => !times.has(id)),
    )) {
      note(order_id, stamped);
    }
  }
  return times;
}
