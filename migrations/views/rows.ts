import { sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';
import { INVOICE_MONEY, ORDER_MONEY } from '../money.ts';
import { courierName, decimalAndUnits, decimalsAndUnits, type Views, worth } from './view.ts';

/** Views of invoices, their rows, the order book and receipts, one row per currency, and of mismatches. */
export function rowViews(dialect: MigrationDialect): Views {
  const { decimal, units } = dialect;
  const measure = (name: string) =>
    sql`${sql.raw(name)}, case when unit = 'money' then ${units(name)} end as ${sql.ref(`${name}_units`)}`;
  return {
    invoices: sql`
      select ${courierName('i')}, i.number, i.period, i.status, i.issued_at, i.row_count as orders, a.currency, ${decimalsAndUnits(dialect, 'a', INVOICE_MONEY)},
        ${decimal('m.matched')} as matched, m.matched as matched_units, i.superseded_at
      from invoice i left join invoice_amount a on a.courier = i.courier and a.invoice_number = i.number
      left join (
        select s.courier, s.invoice_number, t.currency, ${dialect.sum('s.amount')} as matched
        from receipt_match_invoice s join receipt_match t on t.courier = s.courier and t.id = s.match_id
        where t.removed_at is null group by s.courier, s.invoice_number, t.currency
      ) m on m.courier = i.courier and m.invoice_number = i.number and m.currency = a.currency
      where i.vanished_at is null`,
    invoice_rows: sql`
      select ${courierName('i')}, i.period, o.invoice_number, o.position, o.order_id, o.reference_id, o.workflow, o.delivery_state,
        o.payment_state, a.currency, ${decimalsAndUnits(dialect, 'a', ORDER_MONEY)}, ${decimalAndUnits(dialect, `(${worth('o.workflow', 'a.cod', 'a.delivery_fee')})`, 'net')}
      from invoice i
      join invoice_order o on o.courier = i.courier and o.invoice_number = i.number
      left join invoice_order_amount a on a.courier = o.courier and a.invoice_number = o.invoice_number and a.position = o.position
      where i.vanished_at is null`,
    order_book: sql`
      select ${courierName('o')}, o.order_id, o.reference_id, o.workflow, o.delivery_state, o.payment_state, o.merchant_invoice,
        o.district, o.area_name, o.first_delivered_at, a.currency, ${decimalsAndUnits(dialect, 'a', ORDER_MONEY)}
      from courier_order o left join courier_order_amount a on a.courier = o.courier and a.order_id = o.order_id
      where o.vanished_at is null`,
    mismatches: sql`
      select ${courierName('mismatch')}, id, code, severity, period, subject, invoice_number, order_id, reference_id, currency, field,
        ${measure('expected')}, ${measure('actual')}, ${measure('difference')}, unit, effect, ${units('effect')} as effect_units,
        amount, ${units('amount')} as amount_units, message, status, note, (select c.state from claim c where c.courier = mismatch.courier and c.mismatch_id = mismatch.id) as claim,
        (select c.moved_at from claim c where c.courier = mismatch.courier and c.mismatch_id = mismatch.id) as claim_moved_at
      from mismatch`,
    receipts: sql`
      select r.id as receipt, r.date, r.value_date, r.account, r.currency, ${decimalAndUnits(dialect, 'r.amount')},
        ${decimalAndUnits(dialect, 'coalesce(m.matched, 0)', 'matched')}, ${decimalAndUnits(dialect, '(r.amount - coalesce(m.matched, 0))', 'left_over')},
        r.counterparty, r.reference, r.invoice, r.text
      from receipt r left join (
        select s.receipt_id, ${dialect.sum('s.amount')} as matched
        from receipt_match_receipt s join receipt_match t on t.courier = s.courier and t.id = s.match_id
        where t.removed_at is null group by s.receipt_id
      ) m on m.receipt_id = r.id
      where r.replaced_by is null`,
  };
}
