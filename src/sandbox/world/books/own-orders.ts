import type { Store } from '../../store/store.ts';
import { BOOK_NOTES } from '../words.ts';
import { type Differences, NEVER_ARRIVED } from './differences.ts';
import type { OwnOrder } from './shop-books.ts';

interface Sold {
  seq: number;
  order_id: string;
  reference_id: string;
  created_at: string;
  delivery_state: string;
  hidden: 0 | 1;
  district: string;
  currency: string | null;
  cod: string | null;
}

/**
 * The shop's own order book: what it asks the courier to collect, one row an order and currency, oldest first. It
 * agrees with the courier's records except for the planned differences.
 */
export function ownOrders(store: Store, merchant: number, differences: Differences): OwnOrder[] {
  const sold = store.all<Sold>(
    `select o.seq, o.order_id, o.reference_id, o.created_at, o.delivery_state, o.hidden, a.district, m.currency,
       cast(m.cod as text) as cod
     from delivery_order o
     join customer_location l on l.id = o.customer_location_id join area a on a.id = l.area_id
     left join order_money m on m.order_id = o.order_id and m.cod is not null
     where o.merchant_id = ? order by o.created_at, o.seq, m.position`,
    merchant,
  );
  const written = new Set<string>();
  const rows: OwnOrder[] = [];
  for (const each of sold) {
    const asked = askedOf(each, differences);
    // The courier added the blanks around a reference: the shop has one such order.
    const reference = each.reference_id.trim();
    const key = `${reference}/${asked.currency}`;
    if (differences.leftOut.has(each.order_id) || written.has(key)) continue;
    written.add(key);
    rows.push({
      reference,
      orderedOn: each.created_at.slice(0, 10),
      status: statusOf(each),
      ...asked,
      district: each.district,
      note: BOOK_NOTES[each.seq % BOOK_NOTES.length] ?? '',
    });
  }
  const [first] = rows;
  if (differences.neverArrived && first)
    rows.push({ ...first, reference: NEVER_ARRIVED, status: 'handed_over', note: '' });
  return rows;
}

/** What the courier is to collect: nothing if the order was paid online or its record is negative. */
function askedOf(
  { order_id, currency, cod }: Sold,
  { askedMore, askedDollars }: Differences,
): Pick<OwnOrder, 'currency' | 'cod'> {
  const dollars = askedDollars.get(order_id);
  if (dollars !== undefined) return { currency: 'USD', cod: dollars };
  const units = BigInt(cod ?? '0');
  const more = currency === 'USD' ? (askedMore.get(order_id) ?? 0n) : 0n;
  return { currency: currency ?? 'USD', cod: units < 0n ? 0n : units + more };
}

/** An order that the courier's book hides is open: nothing shows that it was handed over. */
function statusOf({ delivery_state, hidden }: Sold): OwnOrder['status'] {
  if (hidden === 1) return 'open';
  return delivery_state === 'CANCELLED' ? 'cancelled' : 'handed_over';
}
