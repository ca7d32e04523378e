import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Count, countOf } from '../../money/index.ts';
import { arraysQuery } from '../dialect/arrays.ts';
import { unitsText } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';
import { boundsOf, rowWindows, type Window, within } from './windows.ts';

/** What of an order's record our figure counts, in one currency. */
export interface OwnAmounts {
  readonly cod: Count;
  readonly delivery_fee: Count;
}

/** An invoice's row in one currency, beside the record of its order. A row without any amount has one line without a currency. */
export interface LineBesideRecord {
  readonly invoice_number: number;
  /** Where the row stands in its invoice, from 0: an order may stand in one more than once. */
  readonly position: number;
  readonly order_id: string;
  readonly reference_id: string;
  readonly workflow: string;
  readonly delivery_state: string;
  readonly payment_state: string;
  readonly currency: string | null;
  readonly cod: Count;
  readonly delivery_fee: Count;
  /** Whether the order book has the order. */
  readonly hasRecord: boolean;
  /** The day of the first DELIVERED statestamp, in its own offset. */
  readonly delivered_on: string | null;
  readonly district: string | null;
  /** What counts of the record in the line's currency. */
  readonly own: OwnAmounts;
  /** Whether it is the last line of its row. */
  readonly endsRow: boolean;
  /** What else the record counts, by currency; null for nothing. Currencies that the row has may be among them. */
  readonly rest: ReadonlyMap<string, OwnAmounts> | null;
}

type Values = [
  invoice_number: number,
  position: number,
  order_id: string,
  reference_id: string,
  workflow: string,
  delivery_state: string,
  payment_state: string,
  currency: string | null,
  cod: number | string | null,
  delivery_fee: number | string | null,
  record: number,
  delivered_on: string | null,
  district: string | null,
  own_cod: string | null,
  own_delivery_fee: string | null,
];

/** COD counts for what was ever delivered, and the fee but for what was cancelled before that: the bridge's rule, reached on another way. */
const OWN_COD = sql`case when b.delivered_seen_at is null then 0 else own.cod end`;
const OWN_FEE = sql`case when b.delivered_seen_at is null and b.delivery_state = 'CANCELLED' then 0 else own.delivery_fee end`;

/**
 * A month's invoice rows beside their orders' records, by invoice, position and currency, a window at a time; those of vanished invoices
 * are left out. The lines of a page are made as they are read.
 */
export async function* readLinesBesideRecords(
  db: LedgerReader,
  period: string,
): AsyncGenerator<Iterable<LineBesideRecord>> {
  const { rows } = await sql`select 1 as kept from courier_order_delivered_amount limit 1`.execute(db);
  const isAnyKept = rows.length > 0;
  const [linesIn, largeLinesIn, othersIn, keptIn] = [
    statement<Values>(db, LINES(smallUnits)),
    statement<Values>(db, LINES(unitsText)),
    statement<Other>(db, OTHERS),
    statement<Other>(db, KEPT),
  ];
  for await (const window of rowWindows(db, period, ROWS)) {
    const some = await linesIn(window);
    const lines = some.some(isLarge) ? await largeLinesIn(window) : some;
    const others = byRow(await othersIn(window));
    const kept = isAnyKept ? byRow(await keptIn(window)) : NONE;
    yield linesOf(lines, others, kept);
  }
}

/** The most rows that are held at once. */
const ROWS = 500;

type ByRow = ReadonlyMap<string, ReadonlyMap<string, OwnAmounts>>;

const NONE: ByRow = new Map();
/** What the order book holds of a line: not even the order, the order without this currency, or both. */
const NO_RECORD = 0;
const HELD = 2;
const NOTHING: OwnAmounts = { cod: 0, delivery_fee: 0 };

function* linesOf(lines: readonly Values[], others: ByRow, kept: ByRow): Generator<LineBesideRecord> {
  const isPlain = others.size + kept.size === 0;
  for (let at = 0; at < lines.length; at += 1) {
    const values = lines[at]!;
    const next = lines[at + 1];
    // By place: taking an array apart costs more than all else that is done here.
    const [invoice_number, position, currency] = [values[0], values[1], values[7]];
    const [record, own_cod, own_fee] = [values[10], values[13], values[14]];
    const key = isPlain ? '' : keyOf(invoice_number, position);
    const whole = isPlain ? undefined : kept.get(key);
    const cod = countOrZero(values[8]);
    const delivery_fee = countOrZero(values[9]);
    const held =
      record === HELD
        ? {
            cod: own_cod === null ? cod : countOf(own_cod),
            delivery_fee: own_fee === null ? delivery_fee : countOf(own_fee),
          }
        : NOTHING;
    yield {
      invoice_number,
      position,
      order_id: values[2],
      reference_id: values[3],
      workflow: values[4],
      delivery_state: values[5],
      payment_state: values[6],
      currency,
      cod,
      delivery_fee,
      hasRecord: record !== NO_RECORD,
      delivered_on: values[11],
      district: values[12],
      own: whole ? (currency !== null && whole.get(currency)) || NOTHING : held,
      endsRow: next === undefined || next[1] !== position || next[0] !== invoice_number,
      rest: isPlain ? null : (whole ?? others.get(key) ?? null),
    };
  }
}

function countOrZero(units: number | string | null): Count {
  return typeof units === 'string' ? countOf(units) : (units ?? 0);
}

/** Builds a statement over a window once, to be run for many: building takes longer than a look-up does. */
function statement<T>(db: LedgerReader, of: (window: Window) => RawBuilder<unknown>) {
  let query: CompiledQuery | undefined;
  return async (window: Window): Promise<readonly T[]> => {
    query ??= arraysQuery(of(window).compile(db));
    const { rows } = await db.executeQuery({ ...query, parameters: boundsOf(window) });
    return rows as readonly T[];
  };
}

/** Units as a number, which is read sooner than text; nothing where a number would not be exact. */
const smallUnits = (column: string) =>
  sql`case when ${sql.ref(column)} between ${sql.lit(Number.MIN_SAFE_INTEGER)} and ${sql.lit(Number.MAX_SAFE_INTEGER)} then ${sql.ref(column)} end`;

/** Whether a line has amounts that {@link smallUnits} left out. */
function isLarge(values: Values): boolean {
  return values[7] !== null && (values[8] === null || values[9] === null);
}

/** Most records say what the row says: only what differs is brought. */
const unlessSame = (own: RawBuilder<unknown>, stated: string) => unitsText(sql`nullif(${own}, ${sql.ref(stated)})`);

const LINES = (units: (column: string) => RawBuilder<unknown>) => (window: Window) =>
  sql`
  select o.invoice_number, o.position, o.order_id, o.reference_id, o.workflow, o.delivery_state, o.payment_state,
    a.currency, ${units('a.cod')} as cod, ${units('a.delivery_fee')} as delivery_fee,
    case when b.order_id is null then 0 when own.order_id is null then 1 else 2 end as record,
    substr(b.first_delivered_at, 1, 10) as delivered_on, b.district,
    ${unlessSame(OWN_COD, 'a.cod')} as own_cod, ${unlessSame(OWN_FEE, 'a.delivery_fee')} as own_delivery_fee
  from invoice i
  join invoice_order o on o.invoice_number = i.number
  left join courier_order b on b.order_id = o.order_id
  left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
  left join courier_order_amount own on own.order_id = b.order_id and own.currency = a.currency
  where ${within(window)} order by i.number, o.position, a.currency`;

type Other = [invoice_number: number, position: number, currency: string, cod: string, delivery_fee: string];

/** What records hold in currencies that the row has not: hardly ever anything, so that the record itself is looked at last. */
const OTHERS = (window: Window) => sql`
  select o.invoice_number, o.position, own.currency,
    ${unitsText(OWN_COD)} as cod, ${unitsText(OWN_FEE)} as delivery_fee
  from invoice i
  join invoice_order o on o.invoice_number = i.number
  join courier_order_amount own on own.order_id = o.order_id
  cross join courier_order b
  where ${within(window)} and b.order_id = own.order_id and not exists (
    select 1 from invoice_order_amount a
    where a.invoice_number = o.invoice_number and a.position = o.position and a.currency = own.currency)`;

/** What was first seen delivered takes the whole record's place, so that a currency that came later counts nothing. */
const KEPT = (window: Window) => sql`
  select o.invoice_number, o.position, d.currency,
    ${unitsText('d.cod')} as cod, ${unitsText('d.delivery_fee')} as delivery_fee
  from invoice i
  join invoice_order o on o.invoice_number = i.number
  join courier_order_delivered_amount d on d.order_id = o.order_id
  where ${within(window)}`;

function byRow(lines: readonly Other[]): ByRow {
  const rows = new Map<string, Map<string, OwnAmounts>>();
  for (const [invoice_number, position, currency, cod, delivery_fee] of lines) {
    const key = keyOf(invoice_number, position);
    const row = rows.get(key) ?? new Map<string, OwnAmounts>();
    rows.set(key, row.set(currency, { cod: countOf(cod), delivery_fee: countOf(delivery_fee) }));
  }
  return rows;
}

function keyOf(invoice_number: number, position: number): string {
  return `${invoice_number} ${position}`;
}

/** The currencies in which the records of a month's rows have an amount. */
export async function readRecordCurrencies(db: LedgerReader, period: string): Promise<string[]> {
  const ofRows = sql`from invoice i join invoice_order o on o.invoice_number = i.number`;
  const isHere = sql`i.period = ${period} and i.vanished_at is null`;
  const { rows } = await sql<{ currency: string }>`
    select a.currency ${ofRows} join courier_order_amount a on a.order_id = o.order_id where ${isHere}
    union select d.currency ${ofRows} join courier_order_delivered_amount d on d.order_id = o.order_id
    where ${isHere} order by 1`.execute(db);
  return rows.map(({ currency }) => currency);
}
