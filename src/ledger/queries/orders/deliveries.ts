/**
 * Delivered orders, with COD, fee and the invoices that list them: one by one, or summed if they are alike. Both ways
 * read the lines of {@link linesAfter}, one for each order and currency.
 */
import { type RawBuilder, sql } from 'kysely';
import { addDays, dateChanges, dayIn } from '../../../base/day.ts';
import { groupBy } from '../../../base/group.ts';
import { custodyOf, PAYMENT_STATES } from '../../../base/states.ts';
import type { Units } from '../../../money/units.ts';
import { pages } from '../../chunks.ts';
import type { CourierOrderTable } from '../../schema.ts';
import { sumText, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** COD and fee in one currency, as the orders' records stated them when first seen delivered. */
export interface DeliveredAmount {
  readonly currency: string;
  /** How many orders have COD in it. */
  readonly orders: number;
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/** An order was first on an invoice's detail, or no longer on it. */
export interface OrderListing {
  readonly invoice_number: number;
  readonly evidence_id: number;
  readonly seen_on: string;
  readonly listed: 0 | 1;
}

/** A delivered order, or several that are alike: everything that decides on which day it is accrued. */
export interface Delivery {
  /** Null for the sum of several orders. */
  readonly order: DeliveredOrder | null;
  /** The day of delivery, in the books' time zone. */
  readonly date: string;
  /** The evidence that first showed the delivery, and the day on which it came. */
  readonly evidence_id: number;
  readonly seen_on: string;
  readonly workflow: string;
  /** By currency; empty if the record has no amount. */
  readonly amounts: readonly DeliveredAmount[];
  /** In the order in which they became known. */
  readonly listings: readonly OrderListing[];
}

export interface OneDelivery extends Delivery {
  readonly order: DeliveredOrder;
}

export interface DeliveredOrder {
  readonly order_id: string;
  readonly reference_id: string;
  /** Null if the caller needs no prices. */
  readonly pricedBy: PricedBy | null;
}

/** What an agreed price depends on, besides workflow and day. */
export interface PricedBy extends Pick<CourierOrderTable, 'district' | 'area_id' | 'area_name' | 'merchant_location'> {
  readonly packages: number | null;
}

const PAGE = 500;
/** How many orders are summed at once: SQLite sorts them in memory. */
const SUMMED_PAGE = 10_000;

export interface DeliveredOptions {
  /** The time zone of the days. */
  readonly zone: string;
  /** Whether to fill `pricedBy`. */
  readonly prices: boolean;
  /** Leaves out the orders that an invoice surely lists. */
  readonly withoutListed?: SurelyListed;
}

/** The orders that an invoice's first version lists and that no invoice ever ceased to list. */
export interface SurelyListed {
  /** The numbers of invoices whose first version does not count. */
  readonly notCounting: readonly number[];
}

export interface SummedOptions extends Pick<DeliveredOptions, 'zone' | 'withoutListed'> {
  /** Reads just the orders that an invoice surely lists, summed by month and district. Not with `withoutListed`. */
  readonly onlyListed?: SurelyListed;
  /** Also reads payment states, and sums by month, district and payment state. Not with `onlyListed`. */
  readonly states?: StatesWanted;
}

/** Every delivered order, by id, a page at a time. */
export async function* readDeliveries(db: LedgerReader, { zone, prices, withoutListed }: DeliveredOptions) {
  const texts = new ParsedTexts(zone);
  const filter = listedFilter(withoutListed);
  const priceColumns = prices
    ? sql`, district, area_id, area_name, merchant_location, number_of_packages as packages`
    : sql``;
  const readPage = (after: string) =>
    rowsOf<OrderRow>(db)`
      select order_id, reference_id, delivered_at, evidence_id, seen_at, workflow, listings ${priceColumns},
        currency, ${unitsText('cod')} as cod, ${unitsText('delivery_fee')} as delivery_fee
      from (${linesAfter({ after, limit: PAGE, filter })}) line order by order_id`;
  const deliveryOf = (lines: readonly OrderRow[]): OneDelivery => {
    const first = lines[0]!;
    const { order_id, reference_id } = first;
    const amounts = lines.flatMap(({ currency, cod, delivery_fee }): DeliveredAmount[] => {
      if (currency === null) return [];
      return [{ currency, orders: cod === '0' ? 0 : 1, cod: BigInt(cod), delivery_fee: BigInt(delivery_fee) }];
    });
    amounts.sort((a, b) => (a.currency < b.currency ? -1 : 1));
    return { order: { order_id, reference_id, pricedBy: prices ? first : null }, ...texts.read(first), amounts };
  };
  for await (const rows of pages('', readPage, ({ order_id }) => order_id)) {
    yield [...groupBy(rows, ({ order_id }) => order_id).values()].map(deliveryOf);
  }
}

/** The sum of several orders that are alike. */
export interface SummedDelivery extends Delivery {
  /** The id of the first order with COD in the currency, or if none has any, of the first. */
  readonly first: string;
  /** Their common district; null if orders of several districts are summed. */
  readonly district: string | null;
  /**
   * Their payment state, and since which day they have it, or the day of their last stamp. Null if it was not asked
   * for, and for a single order whose state the caller must work out from its stamps and changes.
   */
  readonly state: { readonly payment_state: string; readonly since: string | null } | null;
}

/** The moment whose payment states are wanted: the end of `day`. */
export interface StatesWanted {
  readonly day: string;
  /** Only what was known before this evidence; null for everything. */
  readonly before: number | null;
}

/**
 * Every delivered order, summed by currency with those that are alike: delivered on the same day in the time zone,
 * first shown by the same evidence, and on the same invoices. Orders that are alike may come in several sums, because
 * only {@link SUMMED_PAGE} are read at once.
 */
export async function* readSummedDeliveries(
  db: LedgerReader,
  { zone, withoutListed, onlyListed, states }: SummedOptions,
) {
  const texts = new ParsedTexts(zone);
  const dates = await readUsualDates(db);
  const day = dayKey(dates, zone, 'delivered_at');
  const stretches = stretchColumns(day, states ? dayKey(dates, zone, 'since') : null, onlyListed !== undefined);
  const filter = listedFilter(withoutListed, onlyListed);
  const readPage = (after: string) => {
    const lines = linesAfter({ after, limit: SUMMED_PAGE, filter, states });
    return rowsOf<SummedRow>(db)`
      select min(delivered_at) as delivered_at, evidence_id, seen_at, workflow, listings, currency, area as district,
        alone, payment_state, min(since) as since,
        coalesce(min(case when cod <> 0 then order_id end), min(order_id)) as first, max(order_id) as last,
        count(case when cod <> 0 then 1 end) as orders,
        ${high('cod')} as cod_high, ${low('cod')} as cod_low, ${high('delivery_fee')} as fee_high, ${low('delivery_fee')} as fee_low
      from (select line.*, ${stretches} from (${lines}) line) line
      group by stretch, area, evidence_id, seen_at, workflow, listings, currency, alone, payment_state, since_stretch
      order by last`;
  };
  // The sums of a page come in the order of their greatest id: the last one has the greatest of all.
  for await (const rows of pages('', readPage, ({ last }) => last)) {
    yield rows.map((row) => {
      const { first, district, alone, payment_state, since } = row;
      const isStateKnown = alone === null && payment_state !== null;
      const state = isStateKnown ? { payment_state, since: since === null ? null : texts.day(since) } : null;
      return { order: null, first, district, state, ...texts.read(row), amounts: summedAmounts(row) };
    });
  }
}

/**
 * SQL for the columns by which orders are summed: `stretch`, the day or month of delivery; `area`, the district;
 * `alone`, the id of an order that must stay alone; `since_stretch`, the day since which the order has its payment
 * state.
 *
 * @param sinceDay null if no payment states are read; with them, and with `isByMonth`, sums are of a month and district
 */
function stretchColumns(day: RawBuilder<string>, sinceDay: RawBuilder<string> | null, isByMonth: boolean) {
  // From the 3rd to the 26th, a timestamp's month is the same in every time zone.
  const month = sql`case when minutes is not null and substr(delivered_at, 9, 2) between '03' and '26'
    then substr(delivered_at, 1, 7) else ${day} end`;
  if (sinceDay) {
    // Without a stamp an order has had its state since its day of delivery, so that day must not be lost in a month.
    return sql`case when since is null then ${day} else ${month} end as stretch, district as area, ${ALONE} as alone,
      ${sinceDay} as since_stretch`;
  }
  const [stretch, area] = isByMonth ? [month, sql`district`] : [day, sql`null`];
  // The query that sums always reads `since`; the lines have it only with payment states.
  return sql`null as since, ${stretch} as stretch, ${area} as area, null as alone, null as since_stretch`;
}

/** A range of dates in which the orders on all invoices were probably delivered; null without invoices. */
async function readUsualDates(db: LedgerReader) {
  const { min, max } = await db
    .selectFrom('invoice')
    .select(({ fn }) => [fn.min('period').as('min'), fn.max('period').as('max')])
    .executeTakeFirstOrThrow();
  if (min === null || max === null) return null;
  return { first: addDays(`${min}-01`, -MARGIN_DAYS), last: addDays(`${max}-01`, MARGIN_DAYS) };
}

/** How far that range extends beyond the invoices' months. Deliveries outside are summed if at the same instant. */
const MARGIN_DAYS = 100;

/**
 * SQL for a text that only timestamps of the same day in a time zone share: their own date and offset, and how many of
 * the zone's changes of date were over by then. In a zone whose days begin at 22:00 UTC, `2026-10-03T21:59:00Z` gives
 * `2026-10-03Z1` and two minutes later `2026-10-03Z2`. For a timestamp in an unusual form it is the timestamp itself.
 */
function dayKey(
  dates: { readonly first: string; readonly last: string } | null,
  zone: string,
  column: 'delivered_at' | 'since',
): RawBuilder<string> {
  const at = sql.ref(column);
  if (dates === null) return sql`${at}`;
  const minutes = sql.ref(column === 'since' ? 'since_minutes' : 'minutes');
  // `minutes` counts from midnight UTC of the timestamp's date. Its offset may put it on the UTC day before or after:
  // so each change counts on three days.
  const changesOver = dateChanges(zone, dates.first, dates.last).flatMap((minute) =>
    [minute - MINUTES_A_DAY, minute, minute + MINUTES_A_DAY].map(
      (change) => sql`case when ${minutes} >= ${sql.lit(change)} then 1 else 0 end`,
    ),
  );
  return sql`case
    when ${minutes} is null or substr(${at}, 1, 10) not between ${dates.first} and ${dates.last} then ${at}
    when substr(${at}, length(${at})) = 'Z' then substr(${at}, 1, 10) || 'Z' || (${sql.join(changesOver, sql` + `)})
    else substr(${at}, 1, 10) || substr(${at}, length(${at}) - 5) || (${sql.join(changesOver, sql` + `)}) end`;
}

const MINUTES_A_DAY = 24 * 60;

function summedAmounts({ currency, orders, ...sums }: SummedRow): DeliveredAmount[] {
  if (currency === null) return [];
  const cod = BigInt(sums.cod_high) * HALF + BigInt(sums.cod_low);
  const delivery_fee = BigInt(sums.fee_high) * HALF + BigInt(sums.fee_low);
  return [{ currency, orders: Number(orders), cod, delivery_fee }];
}

/** Amounts are summed in two halves, because SQLite cannot add two of the largest amounts that the ledger can hold. */
const HALF = 1_000_000_000n;
const high = (amount: string) => sumText(sql`${sql.ref(amount)} / ${sql.lit(HALF)}`);
const low = (amount: string) => sumText(sql`${sql.ref(amount)} % ${sql.lit(HALF)}`);

const DELIVERED_AT = sql`coalesce(first_delivered_at, delivered_seen_at)`;

/**
 * SQL for the minutes from midnight UTC of a timestamp's own date to it, such as -30 for `2026-10-03T01:30:00+02:00`;
 * null if it is in an unusual form.
 */
function minutesOf(at: RawBuilder<unknown>): RawBuilder<unknown> {
  // Two digits of the text, as a number: the hour begins at the 12th letter, the minute at the 15th.
  const number = (from: RawBuilder<unknown>) => sql`cast(substr(${at}, ${from}, 2) as integer)`;
  const clock = sql`${number(sql`12`)} * 60 + ${number(sql`15`)}`;
  const offset = sql`(${number(sql`length(${at}) - 4`)} * 60 + ${number(sql`length(${at}) - 1`)})`;
  return sql`case
    when substr(${at}, 11, 1) <> 'T' then null
    when substr(${at}, length(${at})) = 'Z' then ${clock}
    when substr(${at}, length(${at}) - 2, 1) <> ':' then null
    when substr(${at}, length(${at}) - 5, 1) = '+' then ${clock} - ${offset}
    when substr(${at}, length(${at}) - 5, 1) = '-' then ${clock} + ${offset} end`;
}

/** SQL for the next delivered orders after an id, with a line for each currency, or one without a currency. */
function linesAfter({ after, limit, filter, states }: WantedLines) {
  const orders = sql`
    select order_id, reference_id, ${DELIVERED_AT} as delivered_at, ${minutesOf(DELIVERED_AT)} as minutes,
      delivered_evidence_id as evidence_id, delivered_seen_at as seen_at, workflow,
      district, area_id, area_name, merchant_location, number_of_packages,
      ${states ? knownState(states) : sql`null`} as payment_state,
      ${listingsOf('b.order_id')} as listings
    from courier_order b where b.order_id > ${after} and b.delivered_seen_at is not null ${filter}
    order by b.order_id limit ${limit}`;
  // Each limit keeps SQLite from running the inner query again wherever a column of it is used.
  const withSince = (wanted: StatesWanted) => sql`
    select b.*, ${minutesOf(sql`since`)} as since_minutes
    from (select b.*, ${stateSince(wanted)} as since from (${orders}) b limit ${limit}) b limit ${limit}`;
  return sql`
    select b.*, coalesce(kept.currency, a.currency) as currency,
      coalesce(kept.cod, a.cod) as cod, coalesce(kept.delivery_fee, a.delivery_fee) as delivery_fee
    from (${states ? withSince(states) : orders}) b
    -- What the record said when it was first seen delivered, where it says otherwise now.
    left join courier_order_delivered_amount kept on kept.order_id = b.order_id
    left join courier_order_amount a on a.order_id = b.order_id and kept.order_id is null`;
}

/** SQL for the listings of an order as one text: see {@link Row}. */
export function listingsOf(orderId: string): RawBuilder<unknown> {
  return sql`(
    select string_agg(l.invoice_number || ' ' || l.evidence_id || ' ' || l.seen_at || ' ' || l.listed, ',')
    from order_listing l where l.order_id = ${sql.ref(orderId)}
  )`;
}

interface WantedLines {
  readonly after: string;
  readonly limit: number;
  readonly filter: RawBuilder<unknown>;
  readonly states?: StatesWanted | undefined;
}

/**
 * SQL for the payment state of the order `b`. If it is asked as known before some evidence, the first change since then
 * says what it was until the change.
 */
function knownState({ before }: StatesWanted): RawBuilder<unknown> {
  if (before === null) return sql`payment_state`;
  return sql`coalesce((
    select c.from_payment_state from order_change c
    where c.order_id = b.order_id and c.evidence_id >= ${before} order by c.evidence_id limit 1
  ), payment_state)`;
}

/** By how many days the dates of one instant may differ between time zones. */
const ZONES_APART_DAYS = 2;

/**
 * SQL for when the order `b` came into its payment state: the time of the first stamp with that state, or if none has
 * it, of the last stamp; null without a stamp. It is an empty text if the caller must look at the stamps one by one:
 * - a stamp may be from after `day` (one without a readable date counts as such: `9` is above every date),
 * - or a stamp with another state follows the first one with this state,
 * - or it is the state before some evidence (`before`), and no stamp has it.
 */
function stateSince({ day, before }: StatesWanted): RawBuilder<unknown> {
  // A stamp's place and time as one text: the least is the first stamp, the greatest the last.
  const placeAndTime = sql`cast(${sql.lit(FIRST_PLACE)} + s.position as text) || s.stamped_at`;
  const firstWithState = sql`min(case when s.payment_state = b.payment_state then ${placeAndTime} end)`;
  const lastWithOther = sql`max(case when s.payment_state <> b.payment_state then ${placeAndTime} end)`;
  // Every stamp is above an empty text, and none is above null.
  const reached = before === null ? firstWithState : sql`coalesce(${firstWithState}, '')`;
  return sql`(
    select case
      when max(case when substr(s.stamped_at, 1, 2) = '20' then substr(s.stamped_at, 1, 10) else '9' end)
        > ${addDays(day, -ZONES_APART_DAYS)} then ''
      when ${lastWithOther} > ${reached} then ''
      else substr(coalesce(${firstWithState}, ${lastWithOther}), ${sql.lit(String(FIRST_PLACE).length + 1)}) end
    from statestamp s where s.order_id = b.order_id
  )`;
}

/** Added to a stamp's position, so that all are texts of one length and compare as numbers do. */
const FIRST_PLACE = 1_000_000;

const CUSTODY_STATES = PAYMENT_STATES.filter((state) => custodyOf(state) !== 'unknown').map((state) => sql.lit(state));
/**
 * SQL for the id of an order that must not be summed with others; null for most. The caller must look at its stamps one
 * by one (`since` is empty), or its state does not say where the COD is.
 */
const ALONE = sql`case when since = '' or payment_state not in (${sql.join(CUSTODY_STATES)}) then order_id end`;

/** The columns that {@link OrderRow} and {@link SummedRow} share. */
interface Row {
  readonly delivered_at: string;
  readonly evidence_id: number;
  readonly seen_at: string;
  readonly workflow: string;
  /**
   * Invoice, evidence, time, 1 for listed: `10009 412 2026-10-03T02:00:00.000Z 1,10012 530 2026-10-10T02:00:00.000Z 0`.
   */
  readonly listings: string | null;
}

/** An order in one currency; the currency is null if its record has no amount. */
type OrderRow = Row &
  PricedBy &
  Record<'order_id' | 'reference_id', string> &
  (Record<'currency' | 'cod' | 'delivery_fee', string> | Record<'currency' | 'cod' | 'delivery_fee', null>);

interface SummedRow
  extends Row,
    Readonly<Record<'cod_high' | 'cod_low' | 'fee_high' | 'fee_low', string>>,
    Readonly<Record<'alone' | 'payment_state' | 'since', string | null>> {
  readonly currency: string | null;
  readonly district: string | null;
  readonly orders: number;
  readonly first: string;
  readonly last: string;
}

/** Parses the days and listings of rows, and caches them, because most orders share them. */
export class ParsedTexts {
  readonly #days = new Map<string, string>();
  readonly #listings = new Map<string, readonly OrderListing[]>();
  readonly #zone: string;

  constructor(zone: string) {
    this.#zone = zone;
  }

  read({ delivered_at, evidence_id, seen_at, workflow, listings }: Row) {
    return {
      date: dayIn(delivered_at, this.#zone),
      evidence_id: Number(evidence_id),
      seen_on: this.day(seen_at),
      workflow,
      listings: listings === null ? [] : this.#listingsOf(listings),
    };
  }

  day(instant: string): string {
    const day = this.#days.get(instant) ?? dayIn(instant, this.#zone);
    this.#days.set(instant, day);
    return day;
  }

  #listingsOf(text: string): readonly OrderListing[] {
    let listings = this.#listings.get(text);
    if (!listings) {
      const unordered = text.split(',').map((listing): OrderListing => {
        const [invoice_number, evidence_id, seen_at, listed] = listing.split(' ');
        const ids = { invoice_number: Number(invoice_number), evidence_id: Number(evidence_id) };
        return { ...ids, seen_on: this.day(seen_at!), listed: listed === '1' ? 1 : 0 };
      });
      listings = unordered.sort((a, b) => a.evidence_id - b.evidence_id);
      this.#listings.set(text, listings);
    }
    return listings;
  }
}

/** SQL for the options `withoutListed` and `onlyListed`, as a condition on the order `b`. */
function listedFilter(withoutListed: SurelyListed | undefined, onlyListed?: SurelyListed): RawBuilder<unknown> {
  if (withoutListed) return sql`and not ${isSurelyListed(withoutListed)}`;
  return onlyListed ? sql`and ${isSurelyListed(onlyListed)}` : sql``;
}

function isSurelyListed({ notCounting }: SurelyListed): RawBuilder<unknown> {
  // As one text: a node for each of tens of thousands of invoices would take longer than the statement.
  const numbers = sql.raw(notCounting.join(', '));
  const counts = notCounting.length === 0 ? sql`` : sql`and l.invoice_number not in (${numbers})`;
  return sql`(
    exists (
      select 1 from order_listing l
      join invoice_version v on v.invoice_number = l.invoice_number and v.version = 1 and v.evidence_id = l.evidence_id
      where l.order_id = b.order_id and l.listed = 1 ${counts}
    )
    and not exists (select 1 from order_listing l where l.order_id = b.order_id and l.listed = 0)
  )`;
}
