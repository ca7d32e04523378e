import { sql } from 'kysely';
import type { Check } from './check.ts';
import { counts, finding, sayList, shown } from './finding.ts';
import { groupBy } from './lists.ts';
import { orderMonths } from './order-months.ts';

export const duplicateReference: Check = {
  code: 'duplicate-reference',
  severity: 'warning',
  needs: 'order-book',
  title: 'No reference of the shop stands on two orders that are not cancelled.',
  async find({ db, periods }) {
    // The index on the reference finds those that stand twice as written; the few that are written with blanks are looked at beside.
    const shared = await sql<{ reference: string; order_id: string }>`
      with suspect(reference) as (
        select reference_id from courier_order where trim(reference_id) <> '' group by reference_id having count(*) > 1
        union select reference_id from courier_order where reference_id <> trim(reference_id)
        union select trim(reference_id) from courier_order where reference_id <> trim(reference_id)
      ), live(reference, order_id) as (
        select trim(b.reference_id), b.order_id from courier_order b
        where b.reference_id in (select reference from suspect)
          and trim(b.reference_id) <> '' and b.delivery_state <> 'CANCELLED' and b.vanished_at is null
      )
      select reference, order_id from live
      where reference in (select reference from live group by reference having count(*) > 1)
      order by reference, order_id`.execute(db);
    const groups = [...groupBy(shared.rows, ({ reference }) => reference)];
    const months = await orderMonths(
      db,
      groups.flatMap(([, orders]) => orders.map(({ order_id }) => order_id)),
    );
    return groups.map(([reference, orders]) => {
      const ids = orders.map(({ order_id }) => order_id);
      const period =
        latest(ids.map((id) => months.get(id)?.invoiced)) ?? latest(ids.map((id) => months.get(id)?.happened));
      return finding({
        period: period ?? periods.at(-1) ?? '',
        subject: reference,
        order_id: ids[0]!,
        reference_id: reference,
        field: 'reference_id',
        ...counts(1, ids.length),
        message: `The reference "${shown(reference)}" stands on ${ids.length} orders where 1 is right, ${sayList(ids)}: look whether the sale was sent twice, and cancel or rename the surplus orders.`,
      });
    });
  },
};

function latest(months: readonly (string | null | undefined)[]): string | undefined {
  return months.reduce<string | undefined>((a, b) => (b && (a === undefined || b > a) ? b : a), undefined);
}
