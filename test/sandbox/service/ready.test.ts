import { expect, onTestFinished, test } from 'vitest';
import {
  makeAllBodies,
  readyInvoice,
  readyInvoices,
  readyOrder,
  readyOrders,
} from '../../../src/sandbox/present/bodies.ts';
import { presentInvoiceDetail, presentInvoiceListItem } from '../../../src/sandbox/present/invoice.ts';
import { presentOrders, readOrders } from '../../../src/sandbox/present/order.ts';
import { openStore } from '../../../src/sandbox/store/open.ts';
import type { InvoiceRow } from '../../../src/sandbox/store/rows.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { plantDrift } from '../../../src/sandbox/world/drift/index.ts';
import { runDay } from '../../../src/sandbox/world/run-day.ts';
import { seedWorld } from '../../../src/sandbox/world/seed.ts';

const ORIGIN = 'http://courier.example:8080';
const ALL = 1_000_000;
const MERCHANT = 1;

function seeded(): Store {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const months = { from: '2026-09', to: '2026-10' };
  seedWorld(store, { months, orders: 60, seed: '3', asOf: new Date('2026-11-20T10:00:00Z'), plant: true });
  makeAllBodies(store);
  return store;
}

const texts = (...ready: ({ bytes: Buffer } | undefined)[]) => ready.map((each) => each?.bytes.toString());

/** What is ready to be sent of one merchant. */
function ready(store: Store): unknown {
  const invoices = invoicesOf(store).map(({ number }) => readyInvoice(store, MERCHANT, number));
  const orders = readOrders(store, MERCHANT, ALL, 0).map(({ order_id }) =>
    readyOrder(store, MERCHANT, order_id, ORIGIN),
  );
  return texts(
    readyOrders(store, MERCHANT, ALL, 0, ORIGIN),
    readyInvoices(store, 'merchant_id = ? and hidden = 0', [MERCHANT], ALL, 0),
    ...orders,
    ...invoices,
  );
}

/** The same, made from the rows as they are now. */
function made(store: Store): unknown {
  const orders = presentOrders(store, readOrders(store, MERCHANT, ALL, 0), ORIGIN);
  const invoices = invoicesOf(store);
  const documents = [
    orders,
    invoices.map((row) => presentInvoiceListItem(store, row)),
    ...orders,
    ...invoices.map((row) => presentInvoiceDetail(store, row)),
  ];
  return documents.map((document) => JSON.stringify(document));
}

const invoicesOf = (store: Store) =>
  store.all<InvoiceRow>(
    'select * from invoice where merchant_id = ? and hidden = 0 order by issued_at desc, number desc',
    MERCHANT,
  );

const due = (store: Store) =>
  store.get(
    'select (select count(*) from order_body_due) as orders, (select count(*) from invoice_body_due) as invoices',
  );

test('what is ready to be sent is what the rows say, whatever happens to them', () => {
  const store = seeded();
  const first = ready(store);
  expect(first).toEqual(made(store));
  expect(due(store)).toEqual({ orders: 0, invoices: 0 });

  plantDrift(store);
  for (let day = 0; day < 3; day += 1) runDay(store, { now: new Date('2026-12-20T10:00:00Z') });
  const later = ready(store);
  expect(later).toEqual(made(store));
  expect(later).not.toEqual(first);
});

/** A change of every table that an answer is made from; the triggers are asked one at a time, for some change together. */
const CHANGES = [
  "update delivery_order set notes = notes || '!' where seq % 7 = 0",
  "update delivery_order set reference_id = reference_id || '!'",
  "update delivery_order set delivery_state = 'CANCELLED' where merchant_invoice is not null",
  'update delivery_order set hidden = 1 where seq % 5 = 0',
  'update order_money set cod = cod + 10000 where position = 0',
  "insert into order_money select order_id, 9, 'EUR', 5, null from delivery_order where seq % 3 = 0",
  'delete from order_money where position = 1',
  "update statestamp set stamped_at = '2020-01-01T00:00:00.000000+00:00' where position = 0",
  'delete from statestamp where position = 3',
  "insert into statestamp select order_id, 99, 'X', 'Y', '2020' from delivery_order where seq % 3 = 0",
  "update integration_item set name = name || '!'",
  'delete from integration_item where position = 0',
  "insert into integration_item select order_id, 99, 'x', 1, 1, 'USD', '', '' from delivery_order where seq % 3 = 0",
  "update customer set name = name || '!'",
  "update customer_location set directions = directions || '!'",
  "update area set name_ar = name_ar || '!'",
  "update area_group set name = name || '!'",
  "update invoice set status = 'ON_HOLD'",
  'update invoice_money set cod = cod + 10000',
  'delete from invoice_money where position = 1',
  "insert into invoice_money select number, 'detail', 9, 'EUR', 5, null, 5 from invoice",
  "update invoice_row set stated_workflow = 'RETURN' where position = 0",
  'delete from invoice_row where position = 0',
  'insert into invoice_row select number, 999, (select order_id from delivery_order), null, null, null, null from invoice',
  'update invoice_row_money set cod = cod + 10000 where row_position = 0',
  'delete from invoice_row_money where row_position = 0',
  "insert into invoice_row_money select invoice_number, position, 9, 'EUR', 5, null from invoice_row where position = 0",
];

test('no change of a row leaves an answer as it was, though it was made past the service', () => {
  const store = seeded();
  store.db.pragma('foreign_keys = OFF');
  const before = ready(store);
  for (const change of CHANGES) {
    store.db.exec('begin');
    store.run(change);
    const after = ready(store);
    expect(after, change).not.toEqual(before);
    expect(after, change).toEqual(made(store));
    store.db.exec('rollback');
  }
  expect(ready(store)).toEqual(before);
});

test('the count of an order book is of the orders that it shows, whatever happens to them', () => {
  const store = seeded();
  const kept = () => store.lists('select order_count from merchant order by id');
  const counted = () =>
    store.lists(
      'select (select count(*) from delivery_order where merchant_id = merchant.id and hidden = 0) from merchant order by id',
    );
  const first = counted();
  expect(kept()).toEqual(first);
  plantDrift(store);
  runDay(store, { now: new Date('2026-12-20T10:00:00Z') });
  expect(kept()).toEqual(counted());
  expect(kept()).not.toEqual(first);

  store.db.pragma('foreign_keys = OFF');
  for (const change of [
    'update delivery_order set hidden = 1 where seq % 5 = 0',
    'update delivery_order set hidden = 1 - hidden where seq % 3 = 0',
    'update delivery_order set merchant_id = 3 - merchant_id where seq % 7 = 0',
    'delete from delivery_order where seq % 2 = 0',
  ]) {
    const before = counted();
    store.run(change);
    expect(kept(), change).toEqual(counted());
    expect(kept(), change).not.toEqual(before);
  }
});

test('an answer that was taken away is made again by the next write, of whatever', () => {
  const store = seeded();
  store.run("update customer set name = 'Someone else'");
  expect(due(store)).not.toEqual({ orders: 0, invoices: 0 });
  store.write(() => store.run("update setting set value = value where name = ''"));
  expect(due(store)).toEqual({ orders: 0, invoices: 0 });
  expect(ready(store)).toEqual(made(store));
});

test('text that looks like a link or holds the mark of the origin comes through as it is', () => {
  const store = seeded();
  const odd = '\u0001"tracking_link":"\\"order_url":"';
  store.write(() => store.run('update delivery_order set notes = ?', odd));
  const [list] = texts(readyOrders(store, MERCHANT, 5, 0, ORIGIN));
  const orders = JSON.parse(list!) as { notes: string; tracking_link: string; order_id: string }[];
  expect(orders).toHaveLength(5);
  for (const { notes, tracking_link, order_id } of orders) {
    expect(notes).toBe(odd);
    expect(tracking_link).toBe(`${ORIGIN}/track/${order_id}/`);
  }
});
