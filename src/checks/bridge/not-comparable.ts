import { sql } from 'kysely';
import { groupBy } from '../../books/group.ts';
import { chunks } from '../../ledger/chunks.ts';
import { isOneOf, unitsText } from '../../ledger/sql.ts';
import { ExactDecimal } from '../../money/index.ts';
import type { CheckContext } from '../check.ts';
import { isComparable } from '../comparable.ts';
import { amountOf } from '../finding.ts';
import { rowPlaces } from '../row-place.ts';
import { uncomparedRows } from '../uncompared.ts';

/** The money of one row, in one month and currency, that could not be compared with the order's own record. */
export interface UncomparedMoney {
  readonly period: string;
  readonly currency: string;
  readonly effect: ExactDecimal;
}

type Units = Record<'cod' | 'delivery_fee', ExactDecimal>;
const NOTHING: Units = { cod: new ExactDecimal(0), delivery_fee: new ExactDecimal(0) };

/** What the rows that could not be compared take on the way from the courier's figure to ours: a step of its own. */
export async function uncomparedMoney(context: CheckContext): Promise<UncomparedMoney[]> {
  const placeOf = await rowPlaces(context);
  const own = (await uncomparedRows(context)).filter((row) => placeOf(row).isOwn);
  const money: UncomparedMoney[] = [];
  for (const chunk of chunks(own)) {
    const rows = await readMoney(context, new Map(chunk.map((row) => [`${row.number} ${row.position}`, row])));
    money.push(...rows);
  }
  return [...money, ...(await unstatedFees(context))];
}

type Line = Record<'number' | 'position', number> &
  Record<'order_id' | 'state', string> &
  Record<'record_state' | 'delivered_at' | 'currency' | 'cod' | 'fee', string | null>;

async function readMoney(
  { db }: CheckContext,
  wanted: ReadonlyMap<string, { readonly period: string; readonly order_id: string }>,
): Promise<UncomparedMoney[]> {
  const ids = [...new Set([...wanted.values()].map(({ order_id }) => order_id))];
  const { rows } = await sql<Line>`
    select o.invoice_number as number, o.position, o.order_id, o.delivery_state as state,
      b.delivery_state as record_state, b.delivered_seen_at as delivered_at,
      a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee
    from invoice_order o
    left join courier_order b on b.order_id = o.order_id
    left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('o.order_id', ids)}
    order by o.invoice_number, o.position`.execute(db);
  const records = await recordMoney(db, ids);
  const lines = rows.filter(({ number, position }) => wanted.has(`${number} ${position}`));
  return [...groupBy(lines, ({ number, position }) => `${number} ${position}`)].flatMap(([key, row]) => {
    const stated = new Map(
      row.flatMap(({ currency, cod, fee }) =>
        currency === null ? [] : [[currency, { cod: amountOf(cod), delivery_fee: amountOf(fee) }] as const],
      ),
    );
    const record = records.get(row[0]!.order_id) ?? new Map<string, Units>();
    const currencies = [...new Set([...stated.keys(), ...record.keys()])].sort();
    return currencies.flatMap((currency) => {
      const units = stated.get(currency) ?? NOTHING;
      const effect = effectOf(row[0]!, units, record.get(currency) ?? NOTHING);
      const isNothing = units.cod.isZero() && units.delivery_fee.isZero() && effect.isZero();
      return isNothing ? [] : [{ period: wanted.get(key)!.period, currency, effect }];
    });
  });
}

async function recordMoney(db: CheckContext['db'], ids: readonly string[]): Promise<Map<string, Map<string, Units>>> {
  const { rows } = await sql<Record<'order_id' | 'currency' | 'cod' | 'fee', string>>`
    select order_id, currency, ${unitsText('cod')} as cod, ${unitsText('delivery_fee')} as fee
    from courier_order_amount where ${isOneOf('order_id', ids)}`.execute(db);
  return new Map(
    [...groupBy(rows, ({ order_id }) => order_id)].map(([id, own]) => [
      id,
      new Map(own.map(({ currency, cod, fee }) => [currency, { cod: amountOf(cod), delivery_fee: amountOf(fee) }])),
    ]),
  );
}

/** What is left of a row after `cod-without-delivery` and `fee-on-cancelled` took what its own state shows, against its record. */
function effectOf({ state, record_state, delivered_at }: Line, row: Units, record: Units): ExactDecimal {
  if (record_state === null) return row.cod.minus(row.delivery_fee);
  const wasDelivered = delivered_at !== null;
  const isCancelled = !wasDelivered && record_state === 'CANCELLED';
  const codTaken = state !== 'DELIVERED' && !wasDelivered;
  const feeTaken = state === 'CANCELLED' && isCancelled;
  const cod = codTaken ? NOTHING.cod : row.cod.minus(wasDelivered ? record.cod : NOTHING.cod);
  const fee = feeTaken ? NOTHING.cod : row.delivery_fee.minus(isCancelled ? NOTHING.cod : record.delivery_fee);
  return cod.minus(fee);
}

/** The fees of rows whose order's record, comparable otherwise, says nothing of a fee. */
async function unstatedFees(context: CheckContext): Promise<UncomparedMoney[]> {
  const { db, periods, knowledge } = context;
  const { rows } = await sql<
    Record<'number' | 'position', number> &
      Record<'period' | 'order_id' | 'currency' | 'fee', string> & { vanished_at: string | null }
  >`
    select i.number, o.position, i.period, i.vanished_at, o.order_id, a.currency, ${unitsText('a.delivery_fee')} as fee
    from courier_order b cross join invoice_order o
    join invoice i on i.number = o.invoice_number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where b.fee_stated = 0 and o.order_id = b.order_id and ${isOneOf('i.period', periods)} and a.delivery_fee <> 0
      and not (b.delivered_seen_at is null and b.delivery_state = 'CANCELLED') and ${isComparable(knowledge)}`.execute(
    db,
  );
  const placeOf = await rowPlaces(context);
  return rows
    .filter((row) => placeOf(row).isOwn)
    .map(({ period, currency, fee }) => ({ period, currency, effect: amountOf(fee).negated() }));
}
