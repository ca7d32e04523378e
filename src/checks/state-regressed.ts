import { sql } from 'kysely';
import type { Check, CheckContext, Finding } from './check.ts';
import { finding, sayOrder, shown } from './finding.ts';
import { groupBy } from './lists.ts';
import { orderMonths } from './order-months.ts';
import { deliveryOrder, paymentOrder, type StateOrder } from './state-order.ts';

export const stateRegressed: Check = {
  code: 'state-regressed',
  severity: 'warning',
  needs: 'order-book',
  title: 'An order’s delivery and payment states move forwards only.',
  async find({ db }) {
    const regressions = [...(await findBackward(db, deliveryOrder)), ...(await findBackward(db, paymentOrder))];
    const months = await orderMonths(db, [...new Set(regressions.map(({ order_id }) => order_id))]);
    return regressions.map(({ order_id, reference, field, from, to, seen_at }): Finding => {
      const month = months.get(order_id);
      const what = field === 'delivery_state' ? 'delivery' : 'payment';
      return finding({
        period: month?.invoiced ?? month?.happened ?? '',
        order_id,
        reference_id: reference,
        field,
        message: `The ${what} state of ${sayOrder(order_id, reference)} moved back from ${shown(from)} to ${shown(to)}, as seen on ${seen_at.slice(0, 10)}: ask the delivery company why, and whether its amounts still hold.`,
      });
    });
  },
};

interface Move {
  readonly order_id: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly seen_at: string;
}

/** The first move backwards of each order that has not come as far again since. */
async function findBackward(
  db: CheckContext['db'],
  { field, backward, reaches }: StateOrder,
): Promise<(Move & Pick<StateOrder, 'field'>)[]> {
  const [from, to] = [sql.ref(`c.from_${field}`), sql.ref(`c.to_${field}`)];
  const moves = await sql<Move>`
    select c.order_id, b.reference_id as reference, ${from} as "from", ${to} as "to", c.seen_at
    from order_state_change c join courier_order b on b.order_id = c.order_id
    where b.vanished_at is null and c.order_id in (
      select c.order_id from order_state_change c
      where (${from}, ${to}) in (values ${sql.join(backward.map((pair) => sql`(${sql.join([...pair])})`))})
    )
    order by c.order_id, c.id`.execute(db);

  const isBackward = new Set(backward.map((pair) => pair.join('>')));
  return [...groupBy(moves.rows, ({ order_id }) => order_id).values()].flatMap((ofOrder) => {
    let open: Move | null = null;
    for (const move of ofOrder) {
      if (open && reaches(move.to, open.from)) open = null;
      if (!open && isBackward.has(`${move.from}>${move.to}`)) open = move;
    }
    return open ? [{ ...open, field }] : [];
  });
}
