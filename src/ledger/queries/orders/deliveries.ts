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
  readonly workflow: string;
  /** What its price goes by; null where no prices were asked for. */
  readonly pricedBy: PricedBy | null;
  /** A line a currency; none where its record has no amount. */
  readonly amounts: readonly DeliveredAmount[];
  /** In the order in which they became known. */
  readonly listings: readonly OrderListing[];
}

/** What an agreed price goes by, beside workflow and day. */
export interface PricedBy {
  readonly district: string | null;
  readonly area_id: number | null;
  readonly area_name: string | null;
  readonly merchant_location: number | null;
  readonly packages: number | null;
}

/** How many orders are held at a time. */
const PAGE = 2_000;

export interface DeliveredOptions {
  /** Whose days the orders have. */
  readonly zone: string;
  /** Whether to read what prices go by. */
  readonly prices: boolean;
  /**
   * Leaves out the orders that the first version of an invoice lists, other than of the invoices named, and that no invoice ever ceased to
   * list; absent for all orders.
   */
  readonly listed?: { readonly butBy: readonly number[] };
}

/** Every delivered order, by id, a page at a time. */
export async function* readDeliveredOrders(
  db: LedgerReader,
  { zone, prices, listed }: DeliveredOptions,
): AsyncGenerator<readonly DeliveredOrder[]> {
  const days = new Map<string, string>();
  // Most orders were seen in the same few syncs.
  const seenOn = (instant: string): string => {
    const day = days.get(instant) ?? dayIn(instant, zone);
    days.set(instant, day);
    return day;
  };
  const left = listed === undefined ? sql`` : sql`and not ${isListed(listed.butBy)}`;
  const price = prices
    ? sql`, b.district, b.area_id, b.area_name, b.merchant_location, b.number_of_packages as packages`
    : sql``;
  for (let after = ''; ; ) {
    const { rows } = await sql<Row>`
      select b.order_id, b.reference_id, coalesce(b.first_delivered_at, b.delivered_seen_at) as delivered_at,
        b.delivered_evidence_id as evidence_id, b.delivered_seen_at as seen_at, b.workflow ${price},
        a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as delivery_fee,
        l.invoice_number, l.evidence_id as listing_id, l.seen_at as listed_at, l.listed
      from (
        select * from courier_order b where b.order_id > ${after} and b.delivered_seen_at is not null ${left}
        order by b.order_id limit ${PAGE}
      ) b
      left join courier_order_amount a on a.order_id = b.order_id
      left join order_listing l on l.order_id = b.order_id
      order by b.order_id, a.currency, l.evidence_id`.execute(db);
    const last = rows.at(-1)?.order_id;
    if (last === undefined) return;
    const kept = await readKeptAmounts(db, { after, to: last });
    yield ordersOf(rows, kept);
    after = last;
  }

  /** One order of each stretch of rows with its id: a row for each of its currencies with each of its listings. */
  function ordersOf(rows: readonly Row[], kept: ReadonlyMap<string, DeliveredAmount[]>): DeliveredOrder[] {
    const orders: DeliveredOrder[] = [];
    for (let from = 0, to = 0; from < rows.length; from = to) {
      const first = rows[from]!;
      const { order_id, currency } = first;
      const amounts: DeliveredAmount[] = [];
      const listings: OrderListing[] = [];
      for (; rows[to]?.order_id === order_id; to += 1) {
        const row = rows[to]!;
        if (row.currency !== null && (to === from || rows[to - 1]!.currency !== row.currency)) {
          amounts.push(amountOf(row.currency, row));
        }
        if (row.currency !== currency || row.invoice_number === null) continue;
        listings.push({
          invoice_number: row.invoice_number,
          evidence_id: row.listing_id!,
          seen_on: seenOn(row.listed_at!),
          listed: row.listed!,
        });
      }
      orders.push({
        order_id,
        reference_id: first.reference_id,
        date: dayIn(first.delivered_at, zone),
        evidence_id: Number(first.evidence_id),
        seen_on: seenOn(first.seen_at),
        workflow: first.workflow,
        pricedBy: prices ? first : null,
        amounts: kept.get(order_id) ?? amounts,
        listings,
      });
    }
    return orders;
  }
}

/** An order in one currency, beside one of its listings; nulls where it has none. */
interface Row extends PricedBy {
  readonly order_id: string;
  readonly reference_id: string;
  readonly delivered_at: string;
  readonly evidence_id: number;
  readonly seen_at: string;
  readonly workflow: string;
  readonly currency: string | null;
  readonly cod: string | null;
  readonly delivery_fee: string | null;
  readonly invoice_number: number | null;
  readonly listing_id: number | null;
  readonly listed_at: string | null;
  readonly listed: 0 | 1 | null;
}

type Amounts = Readonly<Record<'cod' | 'delivery_fee', string | null>>;

function amountOf(currency: string, { cod, delivery_fee }: Amounts): DeliveredAmount {
  return { currency, cod: BigInt(cod ?? 0), delivery_fee: BigInt(delivery_fee ?? 0) };
}

/** Orders by id: those after one, up to another. */
interface Range {
  readonly after: string;
  readonly to: string;
}

/** What the records of orders said when they were first seen delivered, where they say otherwise now. */
async function readKeptAmounts(db: LedgerReader, { after, to }: Range): Promise<Map<string, DeliveredAmount[]>> {
  const { rows } = await sql<Amounts & Record<'order_id' | 'currency', string>>`
    select order_id, currency, ${unitsText('cod')} as cod, ${unitsText('delivery_fee')} as delivery_fee
    from courier_order_delivered_amount where order_id > ${after} and order_id <= ${to}
    order by order_id, currency`.execute(db);
  const kept = new Map<string, DeliveredAmount[]>();
  for (const { order_id, currency, ...amounts } of rows) {
    const own = kept.get(order_id) ?? [];
    kept.set(order_id, own);
    own.push(amountOf(currency, amounts));
  }
  return kept;
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
