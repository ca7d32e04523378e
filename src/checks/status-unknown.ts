import { sql } from 'kysely';
import { DELIVERY_STATES, INVOICE_STATUSES, PAYMENT_STATES } from '../states.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { finding, sayOrder, shown } from './finding.ts';
import { orderMonths } from './order-months.ts';
import { population } from './population.ts';
import { rowPlaces } from './row-place.ts';
import { rowsWhere } from './row-states.ts';

const named = (states: readonly string[]) => sql.join([...states]);
/** Whether a state is none of those named. The commonest is asked first, because a list is looked up in a tree. */
const isUnknown = (column: string, states: readonly string[], commonest: string) =>
  sql`(${sql.ref(column)} <> ${commonest} and ${sql.ref(column)} not in (${named(states)}))`;
const eitherUnknown = (order: string) =>
  sql`(${isUnknown(`${order}.delivery_state`, DELIVERY_STATES, 'DELIVERED')}
    or ${isUnknown(`${order}.payment_state`, PAYMENT_STATES, 'PAID_TO_MERCHANT')})`;
const KNOWN = { delivery_state: DELIVERY_STATES, payment_state: PAYMENT_STATES } as const;
const FIELDS = ['delivery_state', 'payment_state'] as const;
const NAMES = { delivery_state: 'delivery state', payment_state: 'payment state' } as const;

export const statusUnknown: Check = {
  code: 'status-unknown',
  severity: 'warning',
  requires: [],
  title: 'Every status is one that the delivery company’s documentation names.',
  async find(context) {
    const { invoices, rows, orders } = await population(context);
    const findings = [...(await findInvoices(context)), ...(await findRows(context)), ...(await findOrders(context))];
    return { findings, compared: invoices + rows + orders, notComparable: [] };
  },
};

async function findInvoices({ db, periods }: CheckContext): Promise<Finding[]> {
  const months = named(periods);
  const { rows } = await sql<{ number: number; period: string; status: string }>`
    select i.number, i.period, case when i.status in (${named(INVOICE_STATUSES)}) then l.status else i.status end as status
    from invoice i left join invoice_listed l on l.invoice_number = i.number and l.period = i.period
    where i.period in (${months}) and (
      i.status not in (${named(INVOICE_STATUSES)}) or l.status not in (${named(INVOICE_STATUSES)})
    )
    union all
    select l.invoice_number, l.period, l.status from invoice_listed l
    where l.period in (${months}) and l.vanished_at is null and l.status not in (${named(INVOICE_STATUSES)})
      and not exists (select 1 from invoice i where i.number = l.invoice_number)
    order by 1`.execute(db);
  return rows.map(({ number, period, status }) =>
    finding({
      period,
      invoice_number: number,
      field: 'status',
      message: `Invoice ${number} has the status ${shown(status)}, which the documentation does not name; an invoice that is not PAID counts as unpaid: ask the delivery company what it means.`,
    }),
  );
}

async function findRows(context: CheckContext): Promise<Finding[]> {
  const unknown = await rowsWhere(context, eitherUnknown('o'));
  const placeOf = await rowPlaces(context);
  return unknown.flatMap((row) =>
    FIELDS.filter((field) => !isNamed(field, row[field])).map((field) =>
      finding({
        period: row.period,
        invoice_number: row.number,
        order_id: row.order_id,
        reference_id: row.reference,
        field,
        place: placeOf(row).place,
        message: `On invoice ${row.number} the ${NAMES[field]} of ${sayOrder(row.order_id, row.reference)} is ${shown(row[field])}, which the documentation does not name: it counts as neither delivered nor paid; ask the delivery company what it means.`,
      }),
    ),
  );
}

async function findOrders({ db, knowledge }: CheckContext): Promise<Finding[]> {
  const { rows } = await sql<Record<'order_id' | 'reference' | 'delivery_state' | 'payment_state', string>>`
    with unknown as materialized (
      select order_id, reference_id as reference, delivery_state, payment_state from courier_order b
      where ${eitherUnknown('b')}
    )
    select * from unknown order by order_id`.execute(db);
  const months = await orderMonths(
    db,
    rows.map(({ order_id }) => order_id),
    knowledge,
  );
  return rows.flatMap((order) =>
    FIELDS.filter((field) => !isNamed(field, order[field])).map((field) =>
      finding({
        ...months.get(order.order_id)!.shown,
        order_id: order.order_id,
        reference_id: order.reference,
        field,
        message: `In the order book the ${NAMES[field]} of ${sayOrder(order.order_id, order.reference)} is ${shown(order[field])}, which the documentation does not name: it counts as neither delivered nor paid; ask the delivery company what it means.`,
      }),
    ),
  );
}

function isNamed(field: keyof typeof KNOWN, state: string): boolean {
  return (KNOWN[field] as readonly string[]).includes(state);
}
