import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { deliveryOrder, paymentOrder, type StateOrder } from '../state-order.ts';
import type { Check } from './check.ts';
import { finding, sayOrder, shown } from './finding.ts';
import { orderMonths } from './order-months.ts';
import { population } from './population.ts';
import { twoOrderBooks } from './requirement.ts';

export const stateRegressed: Check = {
  code: 'state-regressed',
  severity: 'warning',
  requires: [twoOrderBooks],
  title: 'An order’s delivery and payment states move forwards only.',
  async find(context) {
    const { db, knowledge } = context;
    const changes = await sql<Change>`
      select c.order_id, b.reference_id as reference, e.at,
        c.from_delivery_state, c.to_delivery_state, c.from_payment_state, c.to_payment_state
      from order_change c
      join courier_order b on b.order_id = c.order_id
      join evidence e on e.id = c.evidence_id
      where c.order_id in (select order_id from order_change where backward = 1)
      order by c.order_id, c.evidence_id`.execute(db);
    const open = [...groupBy(changes.rows, ({ order_id }) => order_id).values()].flatMap((own) =>
      [deliveryOrder, paymentOrder].flatMap((order) => stillBehind(own, order) ?? []),
    );
    const months = await orderMonths(
      db,
      open.map(({ order_id }) => order_id),
      knowledge,
    );
    const findings = open.map(({ order_id, reference, field, from, to, at }) =>
      finding({
        ...months.get(order_id)!.shown,
        order_id,
        reference_id: reference,
        field,
        message: `The ${field === 'delivery_state' ? 'delivery' : 'payment'} state of ${sayOrder(order_id, reference)} moved back from ${shown(from)} to ${shown(to)}, as seen on ${at.slice(0, 10)}: ask the delivery company why, and whether its amounts still hold.`,
      }),
    );
    return { findings, compared: (await population(context)).orders, notComparable: [] };
  },
};

type Change = Record<
  | 'order_id'
  | 'reference'
  | 'at'
  | 'from_delivery_state'
  | 'to_delivery_state'
  | 'from_payment_state'
  | 'to_payment_state',
  string
>;

interface Move {
  readonly order_id: string;
  readonly reference: string;
  readonly at: string;
  readonly field: StateOrder['field'];
  readonly from: string;
  readonly to: string;
}

/** The first move backwards of an order that has not come as far again since; null where there is none. */
function stillBehind(changes: readonly Change[], { field, backward, reaches }: StateOrder): Move | null {
  const isBackward = new Set(backward.map((pair) => pair.join('>')));
  let open: Move | null = null;
  for (const change of changes) {
    const { order_id, reference, at } = change;
    const [from, to] = [change[`from_${field}`], change[`to_${field}`]];
    if (open && reaches(to, open.from)) open = null;
    if (!open && isBackward.has(`${from}>${to}`)) open = { order_id, reference, at, field, from, to };
  }
  return open;
}
