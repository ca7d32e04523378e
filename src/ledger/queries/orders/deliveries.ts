/** The COD and fee of delivered orders, and the invoices that list them. */
import { type RawBuilder, sql } from 'kysely';
import { addDays, dateChanges, dayIn } from '../../../base/day.ts';
import { custodyOf, PAYMENT_STATES } from '../../../base/states.ts';
import type { Units } from '../../../money/units.ts';
import { sumText, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** COD and fee in one currency, as the records of orders said when they were first seen delivered. */
export interface DeliveredAmount {
  readonly currency: string;
  /** How many orders have COD in it. */
  readonly orders: number;
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

/** What decides when a delivered order is accrued: all that became known of it, and of the invoices that list it. */
export interface Delivery {
  /** Which order it is; null where the amounts of several are added up. */
  readonly order: DeliveredOrder | null;
  /** The day of delivery, in the books' time zone. */
  readonly date: string;
  /** The evidence that showed it, and on which day. */
  readonly evidence_id: number;
  readonly seen_on: string;
  readonly workflow: string;
  /** A line a currency; none where its record has no amount. */
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
  /** What its price goes by; null where no prices were asked for. */
  readonly pricedBy: PricedBy | null;
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
const PAGE = 500;
/** How many orders are added up at a time: SQLite holds all of them to sort them. */
const SUMMED_PAGE = 10_000;

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

export interface SummedOptions extends Pick<DeliveredOptions, 'zone'> {
  /** `only`: leaves out all others instead; those of the same month are alike, as far as their district is the same. */
  readonly listed?: NonNullable<DeliveredOptions['listed']> & { readonly only?: boolean };
  /** Their payment states, which then tell orders apart, as their district does: those of the same month are alike. */
  readonly states?: StatesWanted;
}

/** Every delivered order, by id, a page at a time. */
export async function* readDeliveries(
  db: LedgerReader,
  { zone, prices, listed }: DeliveredOptions,
): AsyncGenerator<readonly OneDelivery[]> {
  const texts = new Texts(zone);
  const left = leftOut(listed);
  const price = prices ? sql`, district, area_id, area_name, merchant_location, number_of_packages as packages` : sql``;
  for (let after = ''; ; ) {
    const { rows } = await sql<OrderRow>`
      select order_id, reference_id, delivered_at, evidence_id, seen_at, workflow, listings ${price},
        currency, ${unitsText('cod')} as cod, ${unitsText('delivery_fee')} as delivery_fee
      from (${lines({ after, limit: PAGE, left })}) line order by order_id`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield [...deliveriesOf(rows)];
    after = last.order_id;
  }

  /** One delivery of each stretch of rows with its id: a row for each of its currencies. */
  function* deliveriesOf(rows: readonly OrderRow[]): Generator<OneDelivery> {
    for (let from = 0, to = 0; from < rows.length; from = to) {
      const first = rows[from]!;
      const { order_id, reference_id } = first;
      const amounts: DeliveredAmount[] = [];
      for (; rows[to]?.order_id === order_id; to += 1) {
        const { currency, cod, delivery_fee } = rows[to]!;
        if (currency === null) continue;
        const orders = cod === '0' ? 0 : 1;
        amounts.push({ currency, orders, cod: BigInt(cod), delivery_fee: BigInt(delivery_fee) });
      }
      amounts.sort((a, b) => (a.currency < b.currency ? -1 : 1));
      yield { order: { order_id, reference_id, pricedBy: prices ? first : null }, ...texts.read(first), amounts };
    }
  }
}

/** Orders that are alike, with what tells them apart beside a {@link Delivery}. */
export interface SummedDelivery extends Delivery {
  /** The id of the first of them that has COD in the currency; of the first where none has. */
  readonly first: string;
  /** Their area's; null also where districts are not told apart. */
  readonly district: string | null;
  /**
   * Their payment state, and the day since which they have it, or of their last stamp; null where it was not asked for, and of one order by
   * itself whose stamps and changes are to be looked at.
   */
  readonly state: { readonly payment_state: string; readonly since: string | null } | null;
}

/** The day at whose end payment states are wanted. */
export interface StatesWanted {
  readonly day: string;
  /** As they were known before this evidence; null for all. */
  readonly before: number | null;
}

/**
 * Every delivered order, added up in each currency with those that are alike: delivered on the same day of a zone's clock, shown by the same
 * evidence, and listed by the same. Orders that are alike may come in several sums: only {@link SUMMED_PAGE} are looked at together.
 */
export async function* readSummedDeliveries(
  db: LedgerReader,
  { zone, listed, states }: SummedOptions,
): AsyncGenerator<readonly SummedDelivery[]> {
  const texts = new Texts(zone);
  const dates = await readDates(db);
  const day = stretchOfDay(dates, zone, 'delivered_at');
  // Whatever its offset and the zone, such a day is of the month that it states.
  const month = sql`case when minutes is not null and substr(delivered_at, 9, 2) between '03' and '26' then substr(delivered_at, 1, 7) else ${day} end`;
  const stretches = states
    ? sql`case when since is null then ${day} else ${month} end as stretch, district as area, ${ALONE} as alone,
        ${stretchOfDay(dates, zone, 'since')} as since_stretch`
    : sql`null as since, ${listed?.only ? month : day} as stretch, ${listed?.only ? sql`district` : sql`null`} as area, null as alone, null as since_stretch`;
  for (let after = ''; ; ) {
    const lined = lines({ after, limit: SUMMED_PAGE, left: leftOut(listed), states });
    const { rows } = await sql<SummedRow>`
      select min(delivered_at) as delivered_at, evidence_id, seen_at, workflow, listings, currency, area as district,
        alone, payment_state, min(since) as since,
        coalesce(min(case when cod <> 0 then order_id end), min(order_id)) as first, max(order_id) as last,
        count(case when cod <> 0 then 1 end) as orders,
        ${high('cod')} as cod_high, ${low('cod')} as cod_low, ${high('delivery_fee')} as fee_high, ${low('delivery_fee')} as fee_low
      from (select line.*, ${stretches} from (${lined}) line) line
      group by stretch, area, evidence_id, seen_at, workflow, listings, currency, alone, payment_state, since_stretch
      order by last`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => {
      const { first, district, alone: one, payment_state, since } = row;
      const state =
        one === null && payment_state !== null
          ? { payment_state, since: since === null ? null : texts.day(since) }
          : null;
      return { order: null, first, district, state, ...texts.read(row), amounts: summedAmounts(row) };
    });
    after = last.last;
  }
}

/** The first and the last date about which orders of the invoices were delivered; null without invoices. */
async function readDates(db: LedgerReader): Promise<{ readonly first: string; readonly last: string } | null> {
  const { min, max } = await db
    .selectFrom('invoice')
    .select(({ fn }) => [fn.min('period').as('min'), fn.max('period').as('max')])
    .executeTakeFirstOrThrow();
  return min === null || max === null
    ? null
    : { first: addDays(`${min}-01`, -ABOUT), last: addDays(`${max}-01`, ABOUT) };
}

/** How many days before and after the invoices' months are looked at: a delivery outside is added up only with those of the same instant. */
const ABOUT = 100;

/**
 * A text that timestamps have in common only where they are of one day of a zone's clock: the date that they state with its offset, and how
 * many of the moments at which the zone's date may change were over. A timestamp that is written otherwise stands for itself.
 */
function stretchOfDay(
  dates: { readonly first: string; readonly last: string } | null,
  zone: string,
  column: 'delivered_at' | 'since',
): RawBuilder<string> {
  const at = sql.ref(column);
  if (dates === null) return sql`${at}`;
  const minutes = sql.ref(column === 'since' ? 'since_minutes' : 'minutes');
  const over = dateChanges(zone, dates.first, dates.last).flatMap((minute) =>
    [minute - DAY, minute, minute + DAY].map((each) => sql`case when ${minutes} >= ${sql.lit(each)} then 1 else 0 end`),
  );
  return sql`case
    when ${minutes} is null or substr(${at}, 1, 10) not between ${dates.first} and ${dates.last} then ${at}
    when substr(${at}, length(${at})) = 'Z' then substr(${at}, 1, 10) || 'Z' || (${sql.join(over, sql` + `)})
    else substr(${at}, 1, 10) || substr(${at}, length(${at}) - 5) || (${sql.join(over, sql` + `)}) end`;
}

const DAY = 24 * 60;

function summedAmounts({ currency, orders, ...sums }: SummedRow): DeliveredAmount[] {
  if (currency === null) return [];
  const cod = BigInt(sums.cod_high) * HALF + BigInt(sums.cod_low);
  const delivery_fee = BigInt(sums.fee_high) * HALF + BigInt(sums.fee_low);
  return [{ currency, orders: Number(orders), cod, delivery_fee }];
}

/** Amounts are added in two halves: of the largest ones that the ledger holds, two are more than SQLite can add. */
const HALF = 1_000_000_000n;
const high = (amount: string) => sumText(sql`${sql.ref(amount)} / ${sql.lit(HALF)}`);
const low = (amount: string) => sumText(sql`${sql.ref(amount)} % ${sql.lit(HALF)}`);

const AT = sql`coalesce(first_delivered_at, delivered_seen_at)`;

/** The minutes from midnight UTC of the date that a timestamp states to the timestamp; null where it is not written as most are. */
function minutesOf(at: RawBuilder<unknown>): RawBuilder<unknown> {
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

/** The delivered orders that come after one by id, up to a limit, with a line for each of their currencies, or one without. */
function lines({ after, limit, left, states }: Lines) {
  const orders = sql`
    select order_id, reference_id, ${AT} as delivered_at, ${minutesOf(AT)} as minutes,
      delivered_evidence_id as evidence_id, delivered_seen_at as seen_at, workflow,
      district, area_id, area_name, merchant_location, number_of_packages,
      ${states ? stateKnown(states) : sql`null`} as payment_state,
      (
        select string_agg(l.invoice_number || ' ' || l.evidence_id || ' ' || l.seen_at || ' ' || l.listed, ',')
        from order_listing l where l.order_id = b.order_id
      ) as listings
    from courier_order b where b.order_id > ${after} and b.delivered_seen_at is not null ${left}
    order by b.order_id limit ${limit}`;
  // Each limit keeps SQLite from finding what is within anew wherever it is named.
  const since = (wanted: StatesWanted) => sql`
    select b.*, ${minutesOf(sql`since`)} as since_minutes
    from (select b.*, ${sinceOf(wanted)} as since from (${orders}) b limit ${limit}) b limit ${limit}`;
  return sql`
    select b.*, coalesce(k.currency, a.currency) as currency,
      coalesce(k.cod, a.cod) as cod, coalesce(k.delivery_fee, a.delivery_fee) as delivery_fee
    from (${states ? since(states) : orders}) b
    -- What the record said when it was first seen delivered, where it says otherwise now.
    left join courier_order_delivered_amount k on k.order_id = b.order_id
    left join courier_order_amount a on a.order_id = b.order_id and k.order_id is null`;
}

interface Lines {
  readonly after: string;
  readonly limit: number;
  readonly left: RawBuilder<unknown>;
  readonly states?: StatesWanted | undefined;
}

/** The payment state of the order `b`: the first change after the moment that is asked about has what was known until then. */
function stateKnown({ before }: StatesWanted): RawBuilder<unknown> {
  if (before === null) return sql`payment_state`;
  return sql`coalesce((
    select c.from_payment_state from order_change c
    where c.order_id = b.order_id and c.evidence_id >= ${before} order by c.evidence_id limit 1
  ), payment_state)`;
}

/** Days by which two time zones may date one instant differently. */
const CLOCKS_APART = 2;

/**
 * The first stamp since which the order `b` has its payment state, or where none has it the last stamp; null without a stamp. It is empty
 * where the stamps, in their order, are to be looked at: some may be of after the day, or the order left its state and came back to it, or
 * left it, or did not come to it though a close is looked back at.
 */
function sinceOf({ day, before }: StatesWanted): RawBuilder<unknown> {
  const place = sql`cast(${sql.lit(FIRST_PLACE)} + s.position as text) || s.stamped_at`;
  const first = sql`min(case when s.payment_state = b.payment_state then ${place} end)`;
  const other = sql`max(case when s.payment_state <> b.payment_state then ${place} end)`;
  return sql`(
    select case
      when max(case when substr(s.stamped_at, 1, 2) = '20' then substr(s.stamped_at, 1, 10) else '9' end)
        > ${addDays(day, -CLOCKS_APART)} then ''
      when ${other} > ${before === null ? first : sql`coalesce(${first}, '')`} then ''
      else substr(coalesce(${first}, ${other}), ${sql.lit(String(FIRST_PLACE).length + 1)}) end
    from statestamp s where s.order_id = b.order_id
  )`;
}

/** Places are compared as texts of one length. */
const FIRST_PLACE = 1_000_000;

const PLACED = PAYMENT_STATES.filter((state) => custodyOf(state) !== 'unknown').map((state) => sql.lit(state));
/** The order of a line that is not to be added up with others; null for most. */
const ALONE = sql`case when since = '' or payment_state not in (${sql.join(PLACED)}) then order_id end`;

/** What the rows of orders and of sums have in common. */
interface Row {
  readonly delivered_at: string;
  readonly evidence_id: number;
  readonly seen_at: string;
  readonly workflow: string;
  /** Of each listing: invoice, evidence, when it was seen, and whether it is listed; null where there is none. */
  readonly listings: string | null;
}

/** An order in one currency; without one where its record has no amount. */
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

/** Reads the days and listings of rows, each text once: most orders were seen in the same few syncs, and are listed as others are. */
export class Texts {
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
      // Invoice, evidence, time and 1 for listed: `10009 412 2026-10-03T02:00:00.000Z 1,10012 530 2026-10-10T02:00:00.000Z 0`.
      const unordered = text.split(',').map((listing): OrderListing => {
        const [invoice_number, evidence_id, seen_at, listed] = listing.split(' ');
        return {
          invoice_number: Number(invoice_number),
          evidence_id: Number(evidence_id),
          seen_on: this.day(seen_at!),
          listed: listed === '1' ? 1 : 0,
        };
      });
      listings = unordered.sort((a, b) => a.evidence_id - b.evidence_id);
      this.#listings.set(text, listings);
    }
    return listings;
  }
}

/** Leaves out the orders `b` that the first version of an invoice lists, but of some invoices, and that none ever ceased to list. */
function leftOut(listed: SummedOptions['listed']): RawBuilder<unknown> {
  if (listed === undefined) return sql``;
  // One text: of tens of thousands of invoices, a node each takes longer than the statement.
  const butBy =
    listed.butBy.length === 0 ? sql`` : sql`and l.invoice_number not in (${sql.raw(listed.butBy.join(', '))})`;
  return sql`and ${listed.only ? sql`` : sql`not`} (
    exists (
      select 1 from order_listing l
      join invoice_version v on v.invoice_number = l.invoice_number and v.version = 1 and v.evidence_id = l.evidence_id
      where l.order_id = b.order_id and l.listed = 1 ${butBy}
    )
    and not exists (select 1 from order_listing l where l.order_id = b.order_id and l.listed = 0)
  )`;
}
