/** The COD and fee of delivered orders, and the invoices that list them. */
import { sql } from 'kysely';
import { dayIn } from '../../../base/day.ts';
import type { Units } from '../../../money/index.ts';
import { unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** COD and fee of a delivered order in one currency, as its record said when it was first seen delivered. */
export interface DeliveredAmount {
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/** An invoice's detail first had rows of an order, or no longer had any. */
export interface OrderListing {
  readonly invoice_number: number;
  readonly evidence_id: number;
  readonly seen_on: string;
  readonly listed: 0 | 1;
}

/** A delivered order, with all that became known of the invoices that list it. */
export interface DeliveredOrder {
  readonly order_id: string;
  readonly reference_id: string;
  /** The day of delivery, in the books' time zone. */
  readonly date: string;
  /** The evidence that showed it, and on which day. */
  readonly evidence_id: number;
  readonly seen_on: string;
  /** What its price goes by. */
  readonly workflow: string;
  readonly district: string | null;
  readonly area_id: number | null;
  readonly area_name: string | null;
  readonly merchant_location: number | null;
  readonly packages: number | null;
  /** A line a currency; none where its record has no amount. */
  readonly amounts: readonly DeliveredAmount[];
  /** In the order in which they became known. */
  readonly listings: readonly OrderListing[];
}

/** How many orders are held at a time. */
const PAGE = 2_000;

/**
 * Every delivered order, by id, a page at a time.
 *
 * @param zone whose days it has
 * @param listed leaves out the orders that the first version of an invoice lists, other than of the invoices named, and that no invoice
 *   ever ceased to list; null for all orders
 */
export async function* readDeliveredOrders(
  db: LedgerReader,
  zone: string,
  listed: { readonly butBy: readonly number[] } | null = null,
): AsyncGenerator<readonly DeliveredOrder[]> {
  const days = new Map<string, string>();
  // Most orders were seen in the same few syncs.
  const seenOn = (instant: string): string => {
    const day = days.get(instant) ?? dayIn(instant, zone);
    days.set(instant, day);
    return day;
  };
  const left = listed === null ? sql`` : sql`and not ${isListed(listed.butBy)}`;
  for (let after = ''; ; ) {
    const { rows } = await sql<Row & Known>`
      select b.order_id, b.reference_id, coalesce(b.first_delivered_at, b.delivered_seen_at) as delivered_at,
        b.delivered_evidence_id as evidence_id, b.delivered_seen_at as seen_at, b.workflow, b.district, b.area_id,
        b.area_name, b.merchant_location, b.number_of_packages as packages
      from courier_order b where b.order_id > ${after} and b.delivered_seen_at is not null ${left}
      order by b.order_id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    const range = { after, to: rows.at(-1)!.order_id };
    const amounts = byOrder(await readAmounts(db, range), ({ currency, cod, delivery_fee }): DeliveredAmount => {
      return { currency, cod: BigInt(cod), delivery_fee: BigInt(delivery_fee) };
    });
    const listings = byOrder(await readListings(db, range), (row): OrderListing => {
      const { invoice_number, evidence_id, listed } = row;
      return { invoice_number, evidence_id, seen_on: seenOn(row.seen_at), listed };
    });
    yield rows.map((row) => {
      const { order_id } = row;
      return {
        order_id,
        reference_id: row.reference_id,
        date: dayIn(row.delivered_at, zone),
        evidence_id: Number(row.evidence_id),
        seen_on: seenOn(row.seen_at),
        workflow: row.workflow,
        district: row.district,
        area_id: row.area_id,
        area_name: row.area_name,
        merchant_location: row.merchant_location,
        packages: row.packages,
        amounts: amounts.get(order_id) ?? [],
        listings: listings.get(order_id) ?? [],
      };
    });
    if (rows.length < PAGE) return;
    after = range.to;
  }
}

type Row = Record<'delivered_at' | 'seen_at', string> &
  Omit<DeliveredOrder, 'date' | 'seen_on' | 'evidence_id' | 'amounts' | 'listings'>;

interface Known {
  readonly evidence_id: number;
}

/** Orders by id: those after one, up to another. */
interface Range {
  readonly after: string;
  readonly to: string;
}

/** What an order's record said when it was first seen delivered; what it says now where it never said otherwise. */
async function readAmounts(db: LedgerReader, { after, to }: Range) {
  const { rows } = await sql<Record<'order_id' | 'currency' | 'cod' | 'delivery_fee', string>>`
    select d.order_id, d.currency, ${unitsText('d.cod')} as cod, ${unitsText('d.delivery_fee')} as delivery_fee
    from courier_order_delivered_amount d where d.order_id > ${after} and d.order_id <= ${to}
    union all
    select a.order_id, a.currency, ${unitsText('a.cod')}, ${unitsText('a.delivery_fee')}
    from courier_order_amount a where a.order_id > ${after} and a.order_id <= ${to}
      and not exists (select 1 from courier_order_delivered_amount d where d.order_id = a.order_id)
    order by 1, 2`.execute(db);
  return rows;
}

function readListings(db: LedgerReader, { after, to }: Range) {
  return db
    .selectFrom('order_listing')
    .selectAll()
    .where('order_id', '>', after)
    .where('order_id', '<=', to)
    .orderBy('order_id')
    .orderBy('evidence_id')
    .execute();
}

/** Whether the first version of an invoice lists the order `b`, but of some invoices, and none ever ceased to list it. */
function isListed(butBy: readonly number[]) {
  return sql`(
    exists (
      select 1 from order_listing l
      join invoice_version v on v.invoice_number = l.invoice_number and v.version = 1 and v.evidence_id = l.evidence_id
      where l.order_id = b.order_id and l.listed = 1
        ${butBy.length === 0 ? sql`` : sql`and l.invoice_number not in (${sql.join(butBy.map((number) => sql.lit(number)))})`}
    )
    and not exists (select 1 from order_listing l where l.order_id = b.order_id and l.listed = 0)
  )`;
}

/** What is made of each row, by order. */
function byOrder<Row extends { readonly order_id: string }, Made>(
  rows: readonly Row[],
  make: (row: Row) => Made,
): Map<string, Made[]> {
  const orders = new Map<string, Made[]>();
  for (const row of rows) {
    const own = orders.get(row.order_id);
    if (own) own.push(make(row));
    else orders.set(row.order_id, [make(row)]);
  }
  return orders;
}
