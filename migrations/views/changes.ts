import { sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';
import { INVOICE_MONEY, ORDER_MONEY, ROW_SUMS } from '../money.ts';
import { courierName, type Views } from './view.ts';

const VERSION_MONEY = [...INVOICE_MONEY, ...ROW_SUMS];

/**
 * Views of figures that the courier changed after it had stated them, one row per figure. `invoice_changes` has each
 * new version's changed amounts and number of rows, or one row without figures if only the rows changed, and each time
 * an invoice vanished or came back. `order_changes` has the amounts of orders' records that differ now from those when
 * the order was first seen delivered.
 *
 * The aliases in the SQL (a frozen golden has it, so they stay as they are):
 *  - in both: `i` an invoice, `o` its row, `k` a version or an order in one currency, `m` a figure that moved;
 *  - in `invoice_changes`: `v` a version of the invoice, `w` the version before, `x` the amounts of either, `b` those
 *    of `w` (before), `a` those of `v` (after), `f` a figure that changed, `p` the invoice's vanishing or return;
 *  - in `order_changes`: `d` an order's amounts when it was first seen delivered, `a` its amounts now, `b` its record,
 *    `c` a change of the record, `e` the evidence that showed the change, `p` the document with the record before it.
 *
 * @param isSinceDelivery whether `seen_at` and `before_sha256` of an order are of changes after its delivery alone, as
 *   its amounts always are; in 1.0.0 they could be of earlier ones
 */
export function changesView(
  dialect: MigrationDialect,
  { isSinceDelivery = false }: { readonly isSinceDelivery?: boolean } = {},
): Views {
  const { decimal, units, hex } = dialect;
  // Of `pairs` (a version and the one before it, in one currency), the fields whose amounts differ. Amounts are texts
  // of one form there.
  const moved = VERSION_MONEY.map(
    (field) => sql`
      select courier, invoice_number, after_version, currency, ${sql.lit(field)} as field, ${sql.ref(`before_${field}`)} as before,
        ${sql.ref(`after_${field}`)} as after from pairs where ${sql.ref(`before_${field}`)} <> ${sql.ref(`after_${field}`)}`,
  );
  const versionMoney = (when: 'before' | 'after', alias: string) =>
    sql.join(
      VERSION_MONEY.map(
        (field) => sql`coalesce(${sql.ref(`${alias}.${field}`)}, '0.00') as ${sql.ref(`${when}_${field}`)}`,
      ),
    );
  // Of `keys` (an order and a currency), each field as first seen delivered and as it is now, equal or not.
  const orderMoved = ORDER_MONEY.map(
    (field) => sql`
      select k.courier, k.order_id, k.currency, ${sql.lit(field)} as field, coalesce(${sql.ref(`d.${field}`)}, 0) as before,
        coalesce(${sql.ref(`a.${field}`)}, 0) as after
      from keys k left join courier_order_delivered_amount d on d.courier = k.courier and d.order_id = k.order_id and d.currency = k.currency
      left join courier_order_amount a on a.courier = k.courier and a.order_id = k.order_id and a.currency = k.currency`,
  );
  // A condition in `ofChange`. It names `b.delivered_evidence_id`, so that the query around it must group by that.
  const sinceDelivery = sql.raw(isSinceDelivery ? 'and c.evidence_id > b.delivered_evidence_id' : '');
  // Of an order's first (`asc`) or last (`desc`) change of amounts, a column of evidence `e` or of earlier record `p`.
  const ofChange = (order: 'asc' | 'desc', column: ReturnType<typeof sql>) => sql`(
    select ${column} from order_change c join evidence e on e.id = c.evidence_id left join evidence_part p on p.part = c.from_part
    where c.courier = m.courier and c.order_id = m.order_id and c.amounts_changed = 1 ${sinceDelivery}
    order by c.evidence_id ${sql.raw(order)} limit 1)`;
  // A version `v` and the one before it, `w`.
  const versions = sql`
    from invoice_version v join invoice_version w on w.courier = v.courier and w.invoice_number = v.invoice_number and w.version = v.version - 1`;
  return {
    invoice_changes: sql`
      with pairs as (
        select k.courier, k.invoice_number, k.after_version, k.currency, ${versionMoney('before', 'b')}, ${versionMoney('after', 'a')}
        from (
          select v.courier, v.invoice_number, v.version as after_version, x.currency ${versions}
          join invoice_version_amount x on x.courier = v.courier and x.invoice_number = v.invoice_number and x.version in (v.version, w.version)
          group by v.courier, v.invoice_number, v.version, x.currency
        ) k
        left join invoice_version_amount b
          on b.courier = k.courier and b.invoice_number = k.invoice_number and b.version = k.after_version - 1 and b.currency = k.currency
        left join invoice_version_amount a
          on a.courier = k.courier and a.invoice_number = k.invoice_number and a.version = k.after_version and a.currency = k.currency
      ), moved as (${sql.join(moved, sql` union all `)}),
      counted as (
        select v.courier, v.invoice_number, v.version as after_version, w.row_count as before, v.row_count as after
        ${versions} where v.row_count <> w.row_count
      ), figures as (
        select courier, invoice_number, after_version, currency, field, before, after, 'money' as unit from moved
        union all
        select courier, invoice_number, after_version, null, 'orders', cast(before as text), cast(after as text), 'count' from counted
        union all
        select v.courier, v.invoice_number, v.version, null, 'rows', null, null, null ${versions}
        where not exists (select 1 from moved m where m.courier = v.courier and m.invoice_number = v.invoice_number and m.after_version = v.version)
          and v.row_count = w.row_count
      )
      select ${courierName('f')}, i.period, 'restated' as what, f.invoice_number, f.currency, f.field, f.before, f.after, f.unit,
        case when f.unit = 'money' then ${units('f.before')} end as before_units,
        case when f.unit = 'money' then ${units('f.after')} end as after_units,
        v.seen_at, w.sha256 as before_sha256, v.sha256 as after_sha256
      from figures f join invoice i on i.courier = f.courier and i.number = f.invoice_number
      join invoice_version v on v.courier = f.courier and v.invoice_number = f.invoice_number and v.version = f.after_version
      join invoice_version w on w.courier = f.courier and w.invoice_number = f.invoice_number and w.version = f.after_version - 1
      union all
      select ${courierName('p')}, i.period, case when p.present = 1 then 'back' else 'vanished' end, p.invoice_number,
        null, null, null, null, null, null, null, p.seen_at, null, null
      from invoice_presence p join invoice i on i.courier = p.courier and i.number = p.invoice_number`,
    order_changes: sql`
      with keys as (
        select courier, order_id, currency from courier_order_delivered_amount
        union
        select a.courier, a.order_id, a.currency from courier_order_amount a
        where exists (
          select 1 from courier_order_delivered_amount d where d.courier = a.courier and d.order_id = a.order_id
        )
      ), moved as (${sql.join(orderMoved, sql` union all `)})
      select ${courierName('m')}, i.period, m.order_id, min(i.number) as invoice_number, m.currency, m.field,
        ${decimal('m.before')} as before, m.before as before_units, ${decimal('m.after')} as after, m.after as after_units,
        ${ofChange('desc', sql`e.at`)} as seen_at, ${ofChange('asc', hex('p.sha256') as ReturnType<typeof sql>)} as before_sha256,
        b.record_sha256 as after_sha256
      from moved m join courier_order b on b.courier = m.courier and b.order_id = m.order_id
      join invoice_order o on o.courier = m.courier and o.order_id = m.order_id
      join invoice i on i.courier = o.courier and i.number = o.invoice_number and i.vanished_at is null
      where m.before <> m.after
      group by m.courier, i.period, m.order_id, m.currency, m.field, m.before, m.after, b.record_sha256, b.delivered_evidence_id`,
  };
}
