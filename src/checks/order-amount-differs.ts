import { sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { formatAmount } from '../money/index.ts';
import type { Check } from './check.ts';
import { amountOf, amounts, FIELD_NAMES, finding, inPeriods, say, sayOff, sayOrder } from './finding.ts';
import { countOccurrences, type InvoiceRow } from './occurrence.ts';

const FIELDS = ['cod', 'delivery_fee'] as const;
type Row = InvoiceRow &
  Record<'period' | 'reference' | 'currency', string> &
  Record<'cod' | 'fee' | 'own_cod' | 'own_fee', string | null> & { fee_stated: 0 | 1 };

export const orderAmountDiffers: Check = {
  code: 'order-amount-differs',
  severity: 'error',
  needs: 'order-book',
  title: 'An invoice’s row states the amounts of the order’s own record.',
  async find({ db, periods }) {
    // Two halves: the currencies that the row names, and those that only the order's record names. Few rows differ, so whether the
    // order book holds their orders at all is asked last.
    const off = await sql<Row>`
      with off(number, period, position, order_id, reference, currency, cod, fee, own_cod, own_fee) as materialized (
        select i.number, i.period, o.position, o.order_id, o.reference_id, a.currency,
          a.cod, a.delivery_fee, own.cod, own.delivery_fee
        from invoice i
        join invoice_order o on o.invoice_number = i.number
        join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
        left join courier_order_amount own on own.order_id = o.order_id and own.currency = a.currency
        where ${inPeriods(periods)}
          and (a.cod <> coalesce(own.cod, 0) or a.delivery_fee <> coalesce(own.delivery_fee, 0))
        union all
        select i.number, i.period, o.position, o.order_id, o.reference_id, own.currency,
          0, 0, own.cod, own.delivery_fee
        from invoice i
        join invoice_order o on o.invoice_number = i.number
        join courier_order_amount own on own.order_id = o.order_id
        where ${inPeriods(periods)} and (own.cod <> 0 or own.delivery_fee <> 0) and not exists (
          select 1 from invoice_order_amount a
          where a.invoice_number = o.invoice_number and a.position = o.position and a.currency = own.currency
        )
      )
      select number, period, position, off.order_id, reference, currency, ${unitsText('cod')} as cod, ${unitsText('fee')} as fee,
        ${unitsText('own_cod')} as own_cod, ${unitsText('own_fee')} as own_fee, b.fee_stated
      from off join courier_order b on b.order_id = off.order_id and b.vanished_at is null
      order by number, position, currency`.execute(db);

    return countOccurrences(off.rows).flatMap(({ row, occurrence }) =>
      FIELDS.flatMap((field) => {
        if (field === 'delivery_fee' && row.fee_stated === 0) return [];
        const [stated, own] = field === 'cod' ? [row.cod, row.own_cod] : [row.fee, row.own_fee];
        const [expected, actual] = [amountOf(own), amountOf(stated)];
        const difference = actual.minus(expected);
        if (difference.isZero()) return [];
        const { number, period, order_id, reference, currency } = row;
        return finding({
          period,
          invoice_number: number,
          order_id,
          reference_id: reference,
          currency,
          field,
          occurrence,
          ...amounts(expected, actual),
          effect: formatAmount(field === 'cod' ? difference : difference.negated()),
          message: `Invoice ${number} states a ${FIELD_NAMES[field]} of ${say(actual, currency)} for ${sayOrder(order_id, reference)}, ${sayOff(difference, currency)} than the ${say(expected, currency)} of the order itself: show the delivery company both and ask it to correct the invoice.`,
        });
      }),
    );
  },
};
