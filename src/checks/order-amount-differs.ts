import { type RawBuilder, sql } from 'kysely';
import { unitsText } from '../ledger/sql.ts';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../money/index.ts';
import type { Check, CheckContext } from './check.ts';
import { isComparable } from './comparable.ts';
import { amountOf, amounts, effectOf, FIELD_NAMES, finding, say, sayOff, sayOrder } from './finding.ts';
import { population } from './population.ts';
import { orderBook } from './requirement.ts';
import { rowPlaces } from './row-place.ts';
import { uncomparedRows, unseenRows, whyUncompared } from './uncompared.ts';

type Row = Record<'number' | 'position' | 'fee_stated', number> &
  Record<'period' | 'order_id' | 'reference' | 'currency' | 'state', string> &
  Record<'vanished_at' | 'delivered_at' | OrderMoneyField | `own_${OrderMoneyField}`, string | null>;

const OWN_FIELDS = ORDER_MONEY_FIELDS.map((field) => `own_${field}` as const);
const anyOf = (conditionOf: (field: OrderMoneyField) => RawBuilder<unknown>) =>
  sql.join(ORDER_MONEY_FIELDS.map(conditionOf), sql` or `);
/** A column of each field of an order's money. */
const each = (columnOf: (field: OrderMoneyField) => RawBuilder<unknown>) => sql.join(ORDER_MONEY_FIELDS.map(columnOf));

export const orderAmountDiffers: Check = {
  code: 'order-amount-differs',
  severity: 'error',
  requires: [orderBook],
  title: 'An invoice’s row states the amounts of the order’s own record.',
  claim: "The amount on the invoice is not that of the order's own record.",
  async find(context) {
    const rows = await rowsOff(context);
    const placeOf = await rowPlaces(context);
    const findings = rows.flatMap((row) =>
      ORDER_MONEY_FIELDS.flatMap((field) => {
        // A record that says nothing of a fee has none to compare with: the bridge counts it as not comparable.
        if (field === 'delivery_fee' && row.fee_stated === 0) return [];
        const [expected, actual] = [amountOf(row[`own_${field}`]), amountOf(row[field])];
        const difference = actual.minus(expected);
        if (difference.isZero()) return [];
        const { number, period, order_id, reference, currency } = row;
        const { place, isOwn } = placeOf(row);
        const { delivered_at, state } = row;
        // COD of what was never delivered, and the fee of what was cancelled, are taken by the checks of those names.
        const isTaken = delivered_at === null && (field === 'cod' || state === 'CANCELLED');
        return finding({
          period,
          invoice_number: number,
          order_id,
          reference_id: reference,
          currency,
          field,
          place,
          ...amounts(expected, actual),
          effect: isOwn && !isTaken ? effectOf(field, difference) : null,
          message: `Invoice ${number} states a ${FIELD_NAMES[field]} of ${say(actual, currency)} for ${sayOrder(order_id, reference)}, ${sayOff(difference, currency)} than the ${say(expected, currency)} of the order itself: show the delivery company both and ask it to correct the invoice.`,
        });
      }),
    );
    const uncompared = await uncomparedRows(context);
    const { rows: all } = await population(context);
    return { findings, compared: all - uncompared.length, notComparable: whyUncompared(uncompared) };
  },
  unseen: unseenRows,
};

/** The rows, by currency, that are not what the order's record states. */
async function rowsOff({ db, periods, knowledge }: CheckContext): Promise<readonly Row[]> {
  const months = sql.join([...periods]);
  // Two halves: the currencies that the row names, and those that only the order's record names. Few rows differ, so whether the
  // order book holds their orders at all is asked last.
  const { rows } = await sql<Row>`
    with off(number, position, order_id, reference, currency, ${sql.join([...ORDER_MONEY_FIELDS, ...OWN_FIELDS].map((field) => sql.ref(field)))}) as materialized (
      select i.number, o.position, o.order_id, o.reference_id, a.currency,
        ${each((field) => sql.ref(`a.${field}`))}, ${each((field) => sql.ref(`own.${field}`))}
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
      left join courier_order_amount own on own.order_id = o.order_id and own.currency = a.currency
      where i.period in (${months})
        and (${anyOf((field) => sql`${sql.ref(`a.${field}`)} <> coalesce(${sql.ref(`own.${field}`)}, 0)`)})
      union all
      select i.number, o.position, o.order_id, o.reference_id, own.currency,
        ${each(() => sql`0`)}, ${each((field) => sql.ref(`own.${field}`))}
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join courier_order_amount own on own.order_id = o.order_id
      where i.period in (${months}) and (${anyOf((field) => sql`${sql.ref(`own.${field}`)} <> 0`)}) and not exists (
        select 1 from invoice_order_amount a
        where a.invoice_number = o.invoice_number and a.position = o.position and a.currency = own.currency
      )
    )
    select off.number, off.position, off.order_id, off.reference, off.currency, i.period, i.vanished_at,
      ${sql.join([...ORDER_MONEY_FIELDS, ...OWN_FIELDS].map((field) => sql`${unitsText(`off.${field}`)} as ${sql.ref(field)}`))},
      b.fee_stated, b.delivery_state as state, b.delivered_seen_at as delivered_at
    from off
    join courier_order b on b.order_id = off.order_id
    join invoice i on i.number = off.number
    where ${isComparable(knowledge)}
    order by off.number, off.position, off.currency`.execute(db);
  return rows;
}
