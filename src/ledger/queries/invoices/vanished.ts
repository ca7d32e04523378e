/** Invoices that are gone from every list. */
import { sql } from 'kysely';
import { readSum } from '../../../money/add.ts';
import type { RowWorth } from '../../../money/returns.ts';
import { isOneOf, netSql, sumText, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** One currency of a vanished invoice, its net in ledger units as text; an invoice without an amount has one line without a currency. */
export interface VanishedNet {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string;
  readonly currency: string | null;
  readonly net: string | null;
}

/** The vanished invoices of some months with the nets of their last detail, or where none was ever read of their last list row. */
export async function readVanishedNets(db: LedgerReader, periods: readonly string[]): Promise<VanishedNet[]> {
  const { rows } = await sql<VanishedNet>`
    select i.number, i.period, i.vanished_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
    from invoice i left join invoice_amount a on a.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.vanished_at is not null
    union all
    select l.invoice_number, l.period, l.vanished_at, a.currency, ${unitsText('a.net_due_to_merchant')}
    from invoice_listed l
    left join invoice_listed_amount a on a.period = l.period and a.invoice_number = l.invoice_number
    where ${isOneOf('l.period', periods)} and l.vanished_at is not null
      and l.counts_here = 1 and not exists (select 1 from invoice i where i.number = l.invoice_number)
    order by 1, 4`.execute(db);
  return rows;
}

/** The net of those rows of a vanished invoice whose orders stand on a live invoice, in one currency, in ledger units. */
export interface MovedNet {
  readonly number: number;
  readonly currency: string;
  readonly net: bigint;
}

/** What of the vanished invoices of some months is on other invoices now, by invoice and currency. */
export async function readMovedNets(
  db: LedgerReader,
  periods: readonly string[],
  returns: RowWorth | null,
): Promise<MovedNet[]> {
  const worth = netSql('o.workflow', 'a', returns);
  const { rows } = await sql<{ number: number; currency: string; net: string }>`
    select i.number, a.currency, ${sumText(worth)} as net
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('i.period', periods)} and i.vanished_at is not null and exists (
      select 1 from invoice_order other join invoice j on j.number = other.invoice_number
      where other.order_id = o.order_id and j.vanished_at is null
    )
    group by i.number, a.currency`.execute(db);
  return rows.map(({ number, currency, net }) => ({ number, currency, net: readSum(net, currency) }));
}

/** How many invoices the lists of some months hold or ever held. */
export async function countEverListed(db: LedgerReader, periods: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from invoice_listed where ${isOneOf('period', periods)}`.execute(db);
  return Number(rows[0]!.count);
}
