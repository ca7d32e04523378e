/**
 * The JSON that the service answers with, kept beside the rows that it was made from: an order's, an invoice's, and an invoice's line in the
 * list. It is made when a write ends, in the same transaction (present/bodies.ts).
 *
 * None is ever stale: with any change of a row that a body was made from, whoever makes it, a trigger takes the body away and notes that
 * it is due. Each order and invoice has either its body or that note. What reads a body makes it from the rows where there is none.
 */
const TABLES = `
create table order_body (seq integer primary key references delivery_order, body text not null) strict;
create table order_body_due (seq integer primary key) strict;

create table invoice_body (number integer primary key references invoice, detail text not null, item text not null) strict;
create table invoice_body_due (number integer primary key) strict;
`;

/** A trigger that takes bodies away, where there are any. @param keys of the rows: a list, or a select of them */
function dropping(what: 'order' | 'invoice', keys: string): (name: string, event: string) => string {
  const [body, key] = what === 'order' ? ['order_body', 'seq'] : ['invoice_body', 'number'];
  const held = `from ${body} where ${key} in (${keys})`;
  return (name, event) =>
    `create trigger ${name} after ${event} when exists (select 1 ${held}) begin
       insert into ${body}_due select ${key} ${held};
       delete ${held};
     end;\n`;
}

const trigger = (name: string, event: string, statements: string) =>
  `create trigger ${name} after ${event} begin ${statements} end;\n`;

const orders = (condition: string) => dropping('order', `select seq from delivery_order where ${condition}`);
const ordersIn = (areas: string) =>
  orders(`customer_location_id in (select id from customer_location where area_id in (${areas}))`);

/** Triggers on a table whose rows are parts of an order or invoice. @param drop takes the bodies of these owners away */
function onPart(table: string, owner: string, drop: (owners: string) => ReturnType<typeof dropping>): string {
  return [
    drop(`new.${owner}`)(`${table}_inserted`, `insert on ${table}`),
    drop(`old.${owner}, new.${owner}`)(`${table}_updated`, `update on ${table}`),
    drop(`old.${owner}`)(`${table}_deleted`, `delete on ${table}`),
  ].join('');
}

const ORDERS = [
  trigger('order_made', 'insert on delivery_order', 'insert into order_body_due values (new.seq);'),
  dropping('order', 'old.seq')('order_changed', 'update on delivery_order'),
  ...['order_money', 'integration_item', 'statestamp'].map((table) =>
    onPart(table, 'order_id', (ids) => orders(`order_id in (${ids})`)),
  ),
  orders('customer_id = old.id')('order_customer_changed', 'update on customer'),
  orders('customer_location_id = old.id')('order_location_changed', 'update on customer_location'),
  ordersIn('old.id')('order_area_changed', 'update on area'),
  ordersIn('select id from area where area_group_id = old.id')('order_area_group_changed', 'update on area_group'),
];

const INVOICES = [
  trigger('invoice_made', 'insert on invoice', 'insert into invoice_body_due values (new.number);'),
  dropping('invoice', 'old.number')('invoice_changed', 'update on invoice'),
  ...['invoice_money', 'invoice_row', 'invoice_row_money'].map((table) =>
    onPart(table, 'invoice_number', (numbers) => dropping('invoice', numbers)),
  ),
  dropping('invoice', 'select invoice_number from invoice_row where order_id = old.order_id')(
    'invoiced_order_changed',
    'update of reference_id, workflow, delivery_state, payment_state on delivery_order',
  ),
];

export const BODIES = [TABLES, ...ORDERS, ...INVOICES].join('');
