import { sql } from 'kysely';
import { ORDER_MONEY_FIELDS, type Units } from '../../money/index.ts';
import { inUnits } from './rows.ts';
import type { LedgerReader } from './snapshot.ts';
import { type Window, within } from './windows.ts';

/** What the order book says of an invoice's row, in one currency; one line without a currency where the record has no amount. */
export interface OwnLine {
  readonly invoice_number: number;
  readonly position: number;
  /** The first DELIVERED statestamp, as received, with its offset. */
  readonly first_delivered_at: string | null;
  readonly district: string | null;
  readonly currency: string | null;
  /** What of it our figure counts: as first seen delivered, or as the record is now; nothing of what never was. */
  readonly cod: Units;
  readonly delivery_fee: Units;
}

type Line = Record<'invoice_number' | 'position', number> &
  Record<'first_delivered_at' | 'district' | 'currency' | 'cod' | 'delivery_fee', string | null>;

/**
 * The own records behind a window's rows, by invoice and position. COD counts for what was ever delivered, and the fee but for what was
 * cancelled before that: the same rule as the bridge's, reached on another way.
 */
export async function readOwnLines(db: LedgerReader, window: Window): Promise<readonly OwnLine[]> {
  const { rows } = await sql<Line>`
    select o.invoice_number, o.position, b.first_delivered_at, b.district, a.currency,
      cast(case when b.delivered_seen_at is null then 0 else a.cod end as text) as cod,
      cast(case when b.delivered_seen_at is null and b.delivery_state = 'CANCELLED' then 0
        else a.delivery_fee end as text) as delivery_fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join courier_order b on b.order_id = o.order_id
    left join courier_order_amount a on a.order_id = b.order_id
    where ${within(window)} order by i.number, o.position`.execute(db);
  const kept = await sql<Line>`
    select o.invoice_number, o.position, b.first_delivered_at, b.district, d.currency,
      cast(d.cod as text) as cod, cast(d.delivery_fee as text) as delivery_fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join courier_order b on b.order_id = o.order_id
    join courier_order_delivered_amount d on d.order_id = b.order_id
    where ${within(window)}`.execute(db);
  return inUnits(kept.rows.length === 0 ? rows : replaced(rows, kept.rows), ORDER_MONEY_FIELDS);
}

/** What was first seen delivered takes the whole record's place, so that a currency that came later counts nothing. */
function replaced(rows: readonly Line[], kept: readonly Line[]): Line[] {
  const replaced = new Set(kept.map(keyOf));
  return [...rows.filter((row) => !replaced.has(keyOf(row))), ...kept].sort(
    (a, b) => a.invoice_number - b.invoice_number || a.position - b.position,
  );
}

function keyOf({ invoice_number, position }: Line): string {
  return `${invoice_number} ${position}`;
}

/** How many lines a month's rows have beside their own records, and how large what the records hold is. */
export interface OwnExtent {
  readonly lines: number;
  /** By currency: the sum of the amounts' magnitudes in whole units, and whether any of them has decimals. */
  readonly magnitudes: ReadonlyMap<string, { readonly sum: number; readonly hasDecimals: boolean }>;
}

/**
 * What is known of the lines of {@link readOwnLines} and the rows beside them, without reading them one by one.
 *
 * @param only counts the lines of this currency, and those of none; null counts all
 */
export async function readOwnExtent(db: LedgerReader, period: string, only: string | null = null): Promise<OwnExtent> {
  const rowsOf = sql`invoice i join invoice_order o on o.invoice_number = i.number`;
  const isHere = sql`i.period = ${period} and i.vanished_at is null`;
  const isKept = sql`exists (select 1 from courier_order_delivered_amount k where k.order_id = o.order_id)`;
  const onRow = (currency: string) => sql`exists (
    select 1 from invoice_order_amount x
    where x.invoice_number = o.invoice_number and x.position = o.position and x.currency = ${sql.ref(currency)})`;
  const isWanted = (currency: string) => (only === null ? sql`1 = 1` : sql`${sql.ref(currency)} = ${only}`);
  const { rows: counted } = await sql<{ lines: number }>`
    select
      (select count(*) from ${rowsOf} join invoice_order_amount a on a.invoice_number = o.invoice_number
        and a.position = o.position where ${isHere} and ${isWanted('a.currency')})
      + (select count(*) from ${rowsOf} join courier_order_amount a on a.order_id = o.order_id
        where ${isHere} and not ${isKept} and not ${onRow('a.currency')} and ${isWanted('a.currency')})
      + (select count(*) from courier_order_delivered_amount d cross join ${rowsOf}
        where ${isHere} and o.order_id = d.order_id and not ${onRow('d.currency')} and ${isWanted('d.currency')})
      + (select count(*) from ${rowsOf} where ${isHere}
        and not exists (select 1 from invoice_order_amount x
          where x.invoice_number = o.invoice_number and x.position = o.position)
        and not exists (select 1 from courier_order_amount a where a.order_id = o.order_id)
        and not ${isKept}) as lines`.execute(db);
  const magnitude = (amounts: string) => sql`
    select a.currency, cast(sum((abs(a.cod) + abs(a.delivery_fee)) / 10000 + 1) as text) as total,
      sum(case when a.cod % 10000 <> 0 or a.delivery_fee % 10000 <> 0 then 1 else 0 end) as parts
    from ${rowsOf} join ${sql.table(amounts)} a on a.order_id = o.order_id where ${isHere} group by a.currency`;
  const { rows } = await sql<{ currency: string; total: string; parts: number }>`
    ${magnitude('courier_order_amount')} union all ${magnitude('courier_order_delivered_amount')}`.execute(db);
  const magnitudes = new Map<string, { sum: number; hasDecimals: boolean }>();
  for (const { currency, total, parts } of rows) {
    const before = magnitudes.get(currency);
    magnitudes.set(currency, {
      sum: (before?.sum ?? 0) + Number(total),
      hasDecimals: (before?.hasDecimals ?? false) || Number(parts) > 0,
    });
  }
  return { lines: Number(counted[0]!.lines), magnitudes };
}
