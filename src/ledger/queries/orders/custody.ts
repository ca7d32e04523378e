/**
 * Payment states, which say who holds the COD of delivered orders: those of an order's record, or if only invoices show
 * the order, that of its row.
 */
import { groupBy } from '../../../base/group.ts';
import { DELIVERED_STATES } from '../../../base/states.ts';
import { chunks } from '../../chunks.ts';
import { isOneOf, ROW_AMOUNTS, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import { listingsOf, type OneDelivery, ParsedTexts } from './deliveries.ts';

export interface PaymentStates {
  /** The state that was known at the moment asked about, or now. */
  readonly known: string;
  /** In the order of the record, as received. */
  readonly stamps: readonly { readonly payment_state: string; readonly stamped_at: string }[];
}

/**
 * The payment states of these orders' records, by id.
 *
 * @param before a row of evidence: `known` is the state that was known before it; null for the state that is known now
 */
export async function readPaymentStates(db: LedgerReader, ids: readonly string[], before: number | null) {
  const states = new Map<string, { known: string; stamps: PaymentStates['stamps'][number][] }>();
  for (const page of chunks(ids)) {
    const orders = db.selectFrom('courier_order').select(['order_id', 'payment_state']);
    const records = await orders.where('order_id', 'in', page).execute();
    for (const { order_id, payment_state } of records) states.set(order_id, { known: payment_state, stamps: [] });
    const ofOrders = db.selectFrom('statestamp').select(['order_id', 'payment_state', 'stamped_at']);
    const stamps = await ofOrders.where('order_id', 'in', page).orderBy('order_id').orderBy('position').execute();
    for (const { order_id, ...stamp } of stamps) states.get(order_id)?.stamps.push(stamp);
    if (before === null) continue;
    const changes = await db
      .selectFrom('order_change')
      .select(['order_id', 'from_payment_state'])
      .where('order_id', 'in', page)
      .where('evidence_id', '>=', before)
      .orderBy('evidence_id', 'desc')
      .execute();
    // They come newest first, so the earliest change after that moment is set last. It says what the state was until
    // then.
    for (const { order_id, from_payment_state } of changes) states.get(order_id)!.known = from_payment_state;
  }
  return states;
}

/** A delivered order that invoices show and the order book lacks, with the payment state of its first row. */
export interface UnrecordedDelivery {
  readonly delivery: OneDelivery;
  readonly payment_state: string;
}

/** The first row of an order that the order book lacks, in one currency. {@link ParsedTexts} reads `listings`. */
interface UnrecordedRow
  extends Record<'order_id' | 'reference_id' | 'workflow' | 'payment_state' | 'delivered_at' | 'seen_at', string>,
    Record<'listings' | 'currency' | 'cod' | 'delivery_fee', string> {
  readonly evidence_id: number;
}

/**
 * The delivered orders that the order book lacks, by id, with the date and the amounts of their first invoice.
 *
 * @param zone the time zone of the days
 */
export async function readUnrecordedDeliveries(db: LedgerReader, zone: string): Promise<UnrecordedDelivery[]> {
  // Only an order's first row: none is on an invoice with a lower number, and none above it on the same invoice. `v` is
  // that invoice's first version: its evidence counts as the first that showed the delivery.
  const rows = await rowsOf<UnrecordedRow>(db)`
    select o.order_id, o.reference_id, o.workflow, o.payment_state, i.issued_at as delivered_at,
      a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as delivery_fee,
      v.evidence_id, v.seen_at, ${listingsOf('o.order_id')} as listings
    from invoice_order o
    join invoice i on i.number = o.invoice_number
    join invoice_version v on v.invoice_number = i.number and v.version = 1
    join ${ROW_AMOUNTS}
    where ${isOneOf('o.delivery_state', DELIVERED_STATES)}
      and o.order_id in (select order_id from invoice_order except select order_id from courier_order)
      and not exists (
        select 1 from invoice_order earlier where earlier.order_id = o.order_id
          and (earlier.invoice_number < o.invoice_number
            or (earlier.invoice_number = o.invoice_number and earlier.position < o.position))
      )
    order by o.order_id, a.currency`;
  const texts = new ParsedTexts(zone);
  return [...groupBy(rows, ({ order_id }) => order_id).values()].map((lines) => {
    const { order_id, reference_id, payment_state } = lines[0]!;
    const amounts = lines.map(({ currency, cod, delivery_fee }) => {
      return { currency, orders: 1, cod: BigInt(cod), delivery_fee: BigInt(delivery_fee) };
    });
    const order = { order_id, reference_id, pricedBy: null };
    return { delivery: { order, ...texts.read(lines[0]!), amounts }, payment_state };
  });
}
