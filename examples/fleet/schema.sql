-- What each night came to, and when. One row an attempt; nothing is changed or removed.
create schema if not exists fleet;
create table if not exists fleet.night (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  merchant text not null,
  attempt integer not null,
  exit_code integer,
  summary jsonb,
  stderr text not null
);
create index if not exists night_of_merchant on fleet.night (merchant, at);

-- The last night of each merchant: who is short, who failed, whose last good sync is old.
create or replace view fleet.last_night as
select distinct on (merchant)
  merchant, at, exit_code, summary, summary -> 'check' -> 'short' as short,
  (summary ->> 'last_good_sync')::timestamptz as last_good_sync, stderr
from fleet.night
order by merchant, at desc, id desc;
