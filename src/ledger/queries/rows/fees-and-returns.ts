/** Fees and returns: invoice rows summed by workflow, district, area, pickup location or reference. */
import { type RawBuilder, sql } from 'kysely';
import type { RowSigns } from '../../../money/returns.ts';
import { readSum } from '../../../money/sum.ts';
import { amountOfUnits } from '../../../money/units.ts';
import type { CourierOrderTable } from '../../schema.ts';
import { INVOICE_ROWS, isOneOf, netSql, ROW_AMOUNTS, ROW_RECORD, sumText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

type Sums = Record<'cod' | 'delivery_fee', string>;

type GroupSize = { currency: string; orders: number };

const fromRows = (periods: readonly string[]) => sql`
    from ${INVOICE_ROWS}
    join ${ROW_AMOUNTS}
    left join ${ROW_RECORD}
    where ${isOneOf('i.period', periods)} and i.vanished_at is null`;

function sumsOf<T extends Sums & GroupSize>({ cod, delivery_fee, orders, ...group }: T) {
  return {
    ...group,
    orders: Number(orders),
    cod: amountOfUnits(readSum(cod, group.currency)),
    delivery_fee: amountOfUnits(readSum(delivery_fee, group.currency)),
  };
}

/** The fees of these months' rows by workflow, and by district, area and pickup location of the order's record. */
export async function readFeeGroups(db: LedgerReader, periods: readonly string[]) {
  const keys = sql`o.workflow, b.district, b.area_name, b.merchant_location, a.currency`;
  const rows = await rowsOf<
    Sums & Pick<CourierOrderTable, 'workflow' | 'district' | 'area_name' | 'merchant_location'> & GroupSize
  >(db)`
    select ${keys}, count(*) as orders, ${sumText('a.cod')} as cod, ${sumText('a.delivery_fee')} as delivery_fee
    ${fromRows(periods)} group by ${keys}
    order by a.currency, o.workflow, b.district nulls first, b.area_name nulls first, b.merchant_location nulls first
  `;
  return rows.map(({ area_name, ...row }) => ({ ...sumsOf(row), area: area_name }));
}

/**
 * Counts these months' rows by district, or by reference too, and sums COD and fees of the rows that came back: rows in
 * one of `states`, and RETURN orders.
 *
 * @param returns what a RETURN row's amounts are worth; null if that is not known
 * @param by `reference`: by district and reference, only where something came back
 */
export async function readReturnGroups(
  db: LedgerReader,
  periods: readonly string[],
  states: readonly string[],
  returns: RowSigns | null,
  by: 'district' | 'reference',
) {
  const isReturned = sql`case when o.workflow = 'RETURN' or ${isOneOf('o.delivery_state', states)} then 1 else 0 end`;
  const worth = netSql('o.workflow', 'a', returns);
  const isWorthUnknown =
    returns === null
      ? sql`case when o.workflow = 'RETURN' and (a.cod <> 0 or a.delivery_fee <> 0) then 1 else 0 end`
      : sql`0`;
  const ifByReference = (part: RawBuilder<unknown>) => (by === 'reference' ? part : sql``);
  const keys = sql`district, currency ${ifByReference(sql`, reference_id`)}`;
  // `net` is what the returned rows are worth to you; where one depends on a convention that is not known, `unknown` is
  // not zero.
  const rows = await rowsOf<
    Sums &
      GroupSize &
      Record<'returned' | 'unknown', number> &
      Record<'district' | 'reference_id', string | null> & { net: string }
  >(db)`
    select ${keys}, count(*) as orders, sum(returned) as returned,
      ${sumText(sql`returned * cod`)} as cod, ${sumText(sql`returned * delivery_fee`)} as delivery_fee,
      ${sumText(sql`returned * worth`)} as net, sum(unknown) as unknown
    from (
      select b.district, a.currency, o.reference_id, ${isReturned} as returned, a.cod, a.delivery_fee,
        ${worth} as worth, ${isWorthUnknown} as unknown
      ${fromRows(periods)} ${ifByReference(sql`and o.reference_id <> ''`)}
    ) lines
    group by ${keys} ${ifByReference(sql`having sum(returned) > 0`)}
    order by currency nulls first, district nulls first ${ifByReference(sql`, reference_id`)}`;
  return rows.map(({ reference_id = null, returned, net, unknown, ...row }) => ({
    ...sumsOf(row),
    reference_id,
    returned: Number(returned),
    net: Number(unknown) > 0 ? null : amountOfUnits(readSum(net, row.currency)),
  }));
}
