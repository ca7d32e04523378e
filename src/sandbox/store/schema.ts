/**
 * The delivery company's tables. Money columns count units, 1/10,000 of the currency (`money/units.ts`). Times are ISO
 * 8601 text with six decimals and `+00:00`, so that they sort as text. Flags are 0 or 1. rows.ts has the row types.
 *
 * The rows are true. What the service states wrongly on purpose (`seed --plant`) is in separate columns and rows:
 * `hidden`, `list_…`, `stated_…`, `malformed`, `also_listed_in`, view `list`, `listing_lie`.
 */

import { MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../../money/fields.ts';

const columns = (fields: readonly string[]) => fields.map((field) => `${field} integer`).join(',\n  ');

/** Marks a database file as a sandbox ('RSBX'), so that no other database is taken for one. */
export const APPLICATION_ID = 0x52534258;

/** The version of the tables below, kept in `PRAGMA user_version`. */
export const SCHEMA_VERSION = 6;

export const SCHEMA = `
-- What the service remembers of its world: the seed, how RETURN orders count, the changes that are prepared.
create table setting (name text primary key, value text not null) strict, without rowid;

create table merchant (
  id integer primary key,
  name text not null unique,
  brand text not null,
  primary_color text not null,
  created_at text not null
) strict;

-- A key is kept only as the hex SHA-256 of its text; prefix is its first characters, for people to tell keys apart.
create table api_key (
  id integer primary key,
  merchant_id integer not null references merchant,
  hash text not null unique,
  prefix text not null,
  created_at text not null,
  revoked_at text
) strict;
create index api_key_by_merchant on api_key (merchant_id);

create table operator_key (
  id integer primary key,
  hash text not null unique,
  prefix text not null,
  created_at text not null,
  revoked_at text
) strict;

create table area_group (id integer primary key, name text not null unique) strict;

-- merchant_id is null for the areas that all merchants share, and the owner of an area made from coordinates.
create table area (
  id integer primary key,
  merchant_id integer references merchant,
  name_ar text not null,
  name_en text not null,
  district text not null,
  lat text not null,
  long text not null,
  maps_link text not null default '',
  code text not null,
  is_external integer not null default 0,
  area_group_id integer references area_group,
  tags text not null default ''
) strict;
create index area_by_merchant on area (merchant_id);

create table pickup_location (
  id integer primary key,
  merchant_id integer not null references merchant,
  name text not null,
  address text not null default '',
  contact_person text not null default '',
  contact_phone text not null default '',
  district text not null,
  governorate text not null default '',
  city text not null default '',
  directions text not null default '',
  is_default integer not null default 0,
  area_id integer not null references area,
  mode text not null default 'OPEN' check (mode in ('OPEN', 'CLOSED', 'SCHEDULE')),
  opening_hours text,
  utc_offset integer not null default 120,
  is_open integer not null default 1,
  is_active integer not null default 1
) strict;
create index pickup_location_by_merchant on pickup_location (merchant_id);

create table customer (
  id integer primary key,
  merchant_id integer not null references merchant,
  name text not null default '',
  phone_number text not null,
  secondary_phone_number text,
  email text not null default '',
  unique (merchant_id, phone_number)
) strict;

create table customer_location (
  id integer primary key,
  customer_id integer not null references customer,
  area_id integer not null references area,
  directions text not null default ''
) strict;
create index customer_location_by_customer on customer_location (customer_id);
create index customer_location_by_area on customer_location (area_id);

-- hidden: the order book does not show the order (a planted 'order-unknown' or 'order-vanished').
-- merchant_invoice is what the order itself says, and refers to nothing: a planted lie may name any number.
create table delivery_order (
  seq integer primary key,
  order_id text not null unique,
  merchant_id integer not null references merchant,
  created_at text not null,
  reference_id text not null default '',
  is_exchange integer not null default 0,
  workflow text not null check (workflow in ('STANDARD', 'RETURN')),
  is_critical integer not null default 0,
  merchant_location integer not null references pickup_location,
  customer_id integer not null references customer,
  customer_location_id integer not null references customer_location,
  number_of_packages integer not null default 1 check (number_of_packages >= 1),
  description text not null default '',
  notes text not null default '',
  return_reason text not null default '',
  source_url text not null default '',
  delivery_state text not null,
  payment_state text not null,
  merchant_invoice integer,
  hidden integer not null default 0
) strict;
create index delivery_order_newest on delivery_order (merchant_id, hidden, created_at desc, seq desc);
create index delivery_order_by_state on delivery_order (merchant_id, delivery_state, merchant_invoice);
create index delivery_order_by_customer on delivery_order (customer_id);
create index delivery_order_by_location on delivery_order (customer_location_id);

-- One row a currency, in the order in which the API shows an order's amounts. Null: the API shows no amount of this
-- field in the currency.
create table order_money (
  order_id text not null references delivery_order (order_id),
  position integer not null,
  currency text not null,
  ${columns(ORDER_MONEY_FIELDS)},
  primary key (order_id, position),
  unique (order_id, currency)
) strict, without rowid;

-- One row for each change of a state, from position 0 (CREATED, UNPAID) on.
create table statestamp (
  order_id text not null references delivery_order (order_id),
  position integer not null,
  delivery_state text not null,
  payment_state text not null,
  stamped_at text not null,
  primary key (order_id, position)
) strict, without rowid;

create table integration_item (
  order_id text not null references delivery_order (order_id),
  position integer not null,
  name text not null,
  quantity integer not null,
  price integer not null,
  currency text not null,
  image_url text not null default '',
  source_url text not null default '',
  primary key (order_id, position)
) strict, without rowid;

-- list_…: what the list states where it differs from the detail (planted); hidden: neither list nor detail shows it;
-- malformed: the detail cannot be read; also_listed_in: another month, YYYY-MM, whose list shows it too.
create table invoice (
  number integer primary key,
  merchant_id integer not null references merchant,
  status text not null,
  issued_at text not null,
  paid_at text,
  list_status text,
  list_status_display text,
  list_issued_at text,
  list_order_count integer,
  malformed integer not null default 0,
  also_listed_in text,
  hidden integer not null default 0
) strict;
create index invoice_newest on invoice (merchant_id, hidden, issued_at desc, number desc);

-- How many invoices more than it holds the list of a month states (planted).
create table listing_lie (
  merchant_id integer not null references merchant,
  month text not null,
  surplus integer not null,
  primary key (merchant_id, month)
) strict, without rowid;

-- The header's money. Rows of view 'list' exist only where the list states other amounts than the detail (planted).
create table invoice_money (
  invoice_number integer not null references invoice,
  view text not null check (view in ('detail', 'list')),
  position integer not null,
  currency text not null,
  ${columns(MONEY_FIELDS)},
  primary key (invoice_number, view, position),
  unique (invoice_number, view, currency)
) strict, without rowid;

-- A row shows its order as it stands now, but for what stated_… says otherwise (planted).
create table invoice_row (
  invoice_number integer not null references invoice,
  position integer not null,
  order_id text not null references delivery_order (order_id),
  stated_reference_id text,
  stated_workflow text,
  stated_delivery_state text,
  stated_payment_state text,
  primary key (invoice_number, position)
) strict, without rowid;
create index invoice_row_by_order on invoice_row (order_id);

-- The row's money as it was billed.
create table invoice_row_money (
  invoice_number integer not null,
  row_position integer not null,
  position integer not null,
  currency text not null,
  ${columns(ORDER_MONEY_FIELDS)},
  primary key (invoice_number, row_position, position),
  unique (invoice_number, row_position, currency),
  foreign key (invoice_number, row_position) references invoice_row (invoice_number, position)
) strict, without rowid;

-- Where a merchant wants to be told of its orders. The secret is kept as it is: each message is signed with it.
create table webhook (
  id integer primary key,
  merchant_id integer not null references merchant,
  url text not null,
  secret text not null,
  created_at text not null,
  unique (merchant_id, url)
) strict;

-- A message for each change of an order. Its body is made when it is first sent, and is null until then. updated_at:
-- the time of the change as the body states it, later than in all earlier bodies about the order. try_at: when it is
-- sent next, by this machine's clock, in milliseconds; null once it needs no other try. status: the last answer; 0
-- where there was none.
create table webhook_message (
  id integer primary key,
  webhook_id integer not null references webhook on delete cascade,
  order_id text not null,
  changed_at text not null,
  updated_at text,
  body text,
  attempts integer not null default 0,
  try_at integer default 0,
  status integer,
  delivered integer not null default 0
) strict;
create index webhook_message_due on webhook_message (try_at) where try_at is not null;
create index webhook_message_by_order on webhook_message (webhook_id, order_id);

create trigger order_changed after insert on statestamp begin
  insert into webhook_message (webhook_id, order_id, changed_at)
  select w.id, new.order_id, new.stamped_at
  from delivery_order o join webhook w on w.merchant_id = o.merchant_id where o.order_id = new.order_id;
end;

pragma application_id = ${APPLICATION_ID};
pragma user_version = ${SCHEMA_VERSION};
`;
