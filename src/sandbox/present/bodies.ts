import type { InvoiceRow, OrderRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentInvoiceDetail, presentInvoiceListItem } from './invoice.ts';
import { presentOrder, presentOrders, readOrder, readOrders } from './order.ts';
import { Ready } from './ready.ts';

/** How many bodies a write makes at most: a write of thousands does not wait for all of theirs, which later ones then make. */
const AT_ONCE = { orders: 500, invoices: 10 };

/** Stands for the origin in an order's body: JSON text holds this character escaped only. */
const ORIGIN = '\u0001';
const LINKS = /"(?:tracking_link|order_url)":"/g;

/**
 * Makes bodies that are due (store/bodies.ts), oldest first. What every write ends with.
 *
 * @returns how many it made
 */
export function makeBodies(store: Store): number {
  const orders = store.all<OrderRow>(
    'select o.* from order_body_due d join delivery_order o on o.seq = d.seq order by d.seq limit ?',
    AT_ONCE.orders,
  );
  for (const [index, order] of presentOrders(store, orders, '').entries()) {
    const { seq } = orders[index]!;
    const body = JSON.stringify(order).replace(LINKS, `$&${ORIGIN}`);
    store.run('insert into order_body (seq, body) values (?, ?)', seq, body);
    store.run('delete from order_body_due where seq = ?', seq);
  }
  const invoices = store.all<InvoiceRow>(
    'select i.* from invoice_body_due d join invoice i on i.number = d.number order by d.number limit ?',
    AT_ONCE.invoices,
  );
  for (const row of invoices) {
    store.run(
      'insert into invoice_body (number, detail, item) values (?, ?, ?)',
      row.number,
      JSON.stringify(presentInvoiceDetail(store, row)),
      JSON.stringify(presentInvoiceListItem(store, row)),
    );
    store.run('delete from invoice_body_due where number = ?', row.number);
  }
  return orders.length + invoices.length;
}

/** Makes all bodies that are due, in transactions of bounded length: what follows the making of a whole world. */
export function makeAllBodies(store: Store): void {
  while (store.write(() => makeBodies(store)) > 0);
}

/**
 * The bodies of a page as a JSON list; undefined where one of them has none. SQLite puts them together: twenty buffers, made and thrown
 * away for each page, took more than half of its time. It leaves a limited select its order, and to sort once more took a third.
 *
 * @param page selects them as `body`, in their order and with a limit
 */
function listOf(store: Store, page: string, ...params: unknown[]): Buffer | undefined {
  const [found] = store.lists<[list: Buffer]>(
    `select cast('[' || coalesce(group_concat(body), '') || ']' as blob) from (${page}) having count(*) = count(body)`,
    ...params,
  );
  return found?.[0];
}

/** Orders' bodies with the origin put in; SQLite's own `replace` compares at every character, and takes several times as long. */
function withOrigin(bodies: Buffer, origin: string): Buffer {
  const inserted = Buffer.from(origin);
  const parts: Buffer[] = [];
  let from = 0;
  for (let mark = bodies.indexOf(ORIGIN); mark >= 0; mark = bodies.indexOf(ORIGIN, from)) {
    parts.push(bodies.subarray(from, mark), inserted);
    from = mark + ORIGIN.length;
  }
  return Buffer.concat([...parts, bodies.subarray(from)]);
}

/** Orders of one merchant that its order book shows, newest first (spec, 'Order'). @param origin see `presentOrders` */
export function readyOrders(store: Store, merchant: number, limit: number, offset: number, origin: string): Ready {
  // A body is looked up only once its row is known to be on the page: joined, those of all earlier pages would be too.
  const page = `select (select body from order_body b where b.seq = o.seq) as body
     from delivery_order o where merchant_id = ? and hidden = 0 order by created_at desc, seq desc limit ? offset ?`;
  const list = listOf(store, page, merchant, limit, offset);
  if (list) return new Ready(withOrigin(list, origin));
  return readyFrom(presentOrders(store, readOrders(store, merchant, limit, offset), origin));
}

/** One order of a merchant's order book; undefined also where it is another's or hidden. */
export function readyOrder(store: Store, merchant: number, orderId: string, origin: string): Ready | undefined {
  const [found] = store.lists<[body: Buffer | null]>(
    `select cast(body as blob) from delivery_order left join order_body using (seq)
     where order_id = ? and merchant_id = ? and hidden = 0`,
    orderId,
    merchant,
  );
  if (!found) return undefined;
  const [body] = found;
  if (body) return new Ready(withOrigin(body, origin));
  return readyFrom(presentOrder(store, readOrder(store, merchant, orderId)!, origin));
}

/** An invoice with its orders (spec, 'Invoice'); undefined where it is another merchant's or hidden. */
export function readyInvoice(store: Store, merchant: number, number: number): Ready | undefined {
  const [found] = store.lists<[detail: Buffer | null]>(
    `select cast(detail as blob) from invoice left join invoice_body using (number)
     where number = ? and merchant_id = ? and hidden = 0`,
    number,
    merchant,
  );
  if (!found) return undefined;
  const [detail] = found;
  if (detail) return new Ready(detail);
  const row = store.get<InvoiceRow>('select * from invoice where number = ?', number)!;
  return readyFrom(presentInvoiceDetail(store, row));
}

/** Lines of the invoice list, newest first. @param which a condition on `invoice`, and its parameters */
export function readyInvoices(
  store: Store,
  which: string,
  params: readonly unknown[],
  limit: number,
  offset: number,
): Ready {
  const page = `from invoice i where ${which} order by issued_at desc, number desc limit ? offset ?`;
  const all = [...params, limit, offset];
  const item = '(select item from invoice_body b where b.number = i.number)';
  const list = listOf(store, `select ${item} as body ${page}`, ...all);
  if (list) return new Ready(list);
  return readyFrom(store.all<InvoiceRow>(`select * ${page}`, ...all).map((row) => presentInvoiceListItem(store, row)));
}

const readyFrom = (value: unknown) => new Ready(Buffer.from(JSON.stringify(value)));
