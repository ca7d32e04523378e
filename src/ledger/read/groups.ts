/** Sums of invoice rows by what their orders have in common. */
import { type RawBuilder, sql } from 'kysely';
import { amountOfUnits, type ExactDecimal } from '../../money/index.ts';
import { exactSum, sumHalves } from '../exact-sum.ts';
import { isOneOf } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';

/** Invoice rows of one kind, in one currency. */
export interface FeeGroup {
  readonly workflow: string;
  /** Of the order's own record; null where the ledger holds none, or it does not say. */
  readonly district: string | null;
  readonly area: string | null;
  readonly merchant_location: number | null;
  readonly currency: string;
  readonly orders: number;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
}

type Halves = Record<'cod_high' | 'cod_low' | 'fee_high' | 'fee_low', string>;

const SUMS = sql`count(*) as orders, ${sumHalves(sql`a.cod`, 'cod')}, ${sumHalves(sql`a.delivery_fee`, 'fee')}`;

function rowsOf(periods: readonly string[]): RawBuilder<unknown> {
  return sql`
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    left join courier_order b on b.order_id = o.order_id
    where ${isOneOf('i.period', periods)} and i.vanished_at is null`;
}

function sumsOf<T extends Halves & { orders: number }>({ cod_high, cod_low, fee_high, fee_low, orders, ...group }: T) {
  return {
    ...group,
    orders: Number(orders),
    cod: amountOfUnits(exactSum(cod_high, cod_low)),
    delivery_fee: amountOfUnits(exactSum(fee_high, fee_low)),
  };
}

/** The fees of some months' rows by workflow, district, area and pickup location. */
export async function readFeeGroups(db: LedgerReader, periods: readonly string[]): Promise<FeeGroup[]> {
  const keys = sql`o.workflow, b.district, b.area_name, b.merchant_location, a.currency`;
  const { rows } = await sql<Omit<FeeGroup, 'cod' | 'delivery_fee' | 'area'> & { area_name: string | null } & Halves>`
    select ${keys}, ${SUMS} ${rowsOf(periods)} group by ${keys}
    order by a.currency, o.workflow, b.district nulls first, b.area_name nulls first, b.merchant_location nulls first`.execute(
    db,
  );
  return rows.map(({ area_name, ...row }) => ({ ...sumsOf(row), area: area_name }));
}

/** Invoice rows of a district, or of a reference in it, in one currency, and what became of those that came back. */
export interface ReturnGroup {
  readonly district: string | null;
  /** The shop's own; null for a whole district. */
  readonly reference_id: string | null;
  readonly currency: string;
  readonly orders: number;
  /** Of these, those that came back: how many, their COD and their fees. */
  readonly returned: number;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
}

/**
 * Some months' rows by district, and what came back of each: what is in a state of `states`.
 *
 * @param by `reference`: by reference within each district, those of which something came back
 */
export async function readReturnGroups(
  db: LedgerReader,
  periods: readonly string[],
  states: readonly string[],
  by: 'district' | 'reference',
): Promise<ReturnGroup[]> {
  const isReturned = sql`case when ${isOneOf('o.delivery_state', states)} then 1 else 0 end`;
  const keys = by === 'district' ? sql`district, currency` : sql`district, currency, reference_id`;
  const some = by === 'district' ? sql`` : sql`having sum(returned) > 0`;
  const sums = sql.join(
    ['cod_high', 'cod_low', 'fee_high', 'fee_low'].map(
      (half) => sql`cast(sum(returned * ${sql.ref(half)}) as text) as ${sql.ref(half)}`,
    ),
  );
  const { rows } = await sql<Omit<ReturnGroup, 'cod' | 'delivery_fee'> & Halves>`
    select ${keys}, count(*) as orders, sum(returned) as returned, ${sums}
    from (
      select b.district, a.currency, o.reference_id, ${isReturned} as returned,
        (a.cod >> 32) as cod_high, (a.cod & 4294967295) as cod_low,
        (a.delivery_fee >> 32) as fee_high, (a.delivery_fee & 4294967295) as fee_low
      ${rowsOf(periods)} ${by === 'district' ? sql`` : sql`and o.reference_id <> ''`}
    ) lines
    group by ${keys} ${some}
    order by currency nulls first, district nulls first ${by === 'district' ? sql`` : sql`, reference_id`}`.execute(db);
  return rows.map(({ reference_id = null, returned, ...row }) => ({
    ...sumsOf({ ...row, district: row.district, currency: row.currency }),
    reference_id,
    returned: Number(returned),
  }));
}
