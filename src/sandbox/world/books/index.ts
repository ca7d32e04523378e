import { addDays } from '../../../base/day.ts';
import { eachMonth } from '../../../base/period.ts';
import { DAY, dateText, spanOf } from '../../calendar.ts';
import { RATE_CARD, zoneOfDistrict } from '../../rules/rate-card.ts';
import { DISTRICTS } from '../../store/areas.ts';
import type { OrderRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { BOOK_NOTES } from '../names.ts';
import type { WorldOptions } from '../planted.ts';
import type { Shop } from '../shop.ts';
import {
  type Differences,
  NEVER_ARRIVED,
  NO_DIFFERENCES,
  prepareDifferences,
  UNPRICED_DISTRICT,
} from './differences.ts';
import { makeReceipts, otherLines } from './receipts.ts';
import type { Price, ShopBooks, ShopOrder, ShopRate } from './shop-books.ts';

/**
 * Makes the merchant's books of a seeded world: its orders, the receipts for its paid invoices, the agreed prices.
 * They agree with the courier's documents; with `differ`, orders and invoices are added on which the two differ in
 * every way. Orders without a reference get one, because only a reference links them to the books. Call it within
 * `store.write`.
 */
export function makeShopBooks(
  store: Store,
  shop: Shop,
  options: WorldOptions,
  { differ }: { readonly differ: boolean },
): ShopBooks {
  const { end } = spanOf(options.months);
  const asOf = options.asOf.getTime();
  store.run(`update delivery_order set reference_id = '#' || seq where reference_id = '' and merchant_id = ?`, shop.id);
  const differences = differ
    ? prepareDifferences({ store, shop, frame: { end, asOf, seed: options.seed } })
    : NO_DIFFERENCES;
  const lastMoment = Math.min(end, asOf);
  const months = eachMonth(options.months.from, dateText(lastMoment - 1).slice(0, 7));
  return {
    orders: shopOrders(store, shop.id, differences),
    receipts: makeReceipts(store, shop.id, { differences, seed: options.seed, asOf }),
    inCash: differences.inCash,
    others: otherLines(months, dateText(lastMoment - DAY)),
    prices: prices(differ ? UNPRICED_DISTRICT : null),
    rates: rates(months),
    planted: differences.planted,
  };
}

/** The agreed prices: the courier's rate card for each district but the unpriced one. */
function prices(unpriced: string | null): Price[] {
  const districts = Object.keys(DISTRICTS).filter((district) => district !== unpriced);
  // The newest card comes first; the oldest has no first day.
  return RATE_CARD.flatMap((card, index) => {
    const newer = RATE_CARD[index - 1];
    const firstDay = index === RATE_CARD.length - 1 ? '' : card.from;
    const lastDay = newer === undefined ? '' : addDays(newer.from, -1);
    return Object.entries(card.usd).flatMap(([workflow, usd]) =>
      districts.flatMap((district) => {
        const zone = zoneOfDistrict(district);
        const line = { workflow, district, firstDay, lastDay };
        const surcharge = card.lbp[zone];
        return [
          { ...line, currency: 'USD', fee: usd[zone] },
          ...(surcharge === undefined ? [] : [{ ...line, currency: 'LBP', fee: surcharge }]),
        ];
      }),
    );
  });
}

/** The rate of the dollar in pounds, on the first day of each month. */
function rates(months: readonly string[]): ShopRate[] {
  return months.map((month) => ({ date: `${month}-01`, from: 'USD', to: 'LBP', rate: '89500' }));
}

/** A courier's record of an order, one row for each currency of its COD; nulls if it has none. */
interface SoldOrder
  extends Pick<OrderRow, 'seq' | 'order_id' | 'reference_id' | 'created_at' | 'delivery_state' | 'hidden'> {
  district: string;
  currency: string | null;
  cod: string | null;
}

/**
 * The shop's order book: what the courier is to collect, one row per order and currency, oldest first. It agrees
 * with the courier's records except for the differences.
 */
function shopOrders(store: Store, merchant: number, differences: Differences): ShopOrder[] {
  const sold = store.all<SoldOrder>(
    `select o.seq, o.order_id, o.reference_id, o.created_at, o.delivery_state, o.hidden, a.district, m.currency,
       cast(m.cod as text) as cod
     from delivery_order o
     join customer_location l on l.id = o.customer_location_id join area a on a.id = l.area_id
     left join order_money m on m.order_id = o.order_id and m.cod is not null
     where o.merchant_id = ? order by o.created_at, o.seq, m.position`,
    merchant,
  );
  const written = new Set<string>();
  const rows: ShopOrder[] = [];
  for (const order of sold) {
    const asked = askedOf(order, differences);
    // A planted second order has the reference with blanks around it: the shop has one order.
    const reference = order.reference_id.trim();
    const key = `${reference}/${asked.currency}`;
    if (differences.leftOut.has(order.order_id) || written.has(key)) continue;
    written.add(key);
    rows.push({
      reference,
      orderedOn: order.created_at.slice(0, 10),
      status: statusOf(order),
      ...asked,
      district: order.district,
      note: BOOK_NOTES[order.seq % BOOK_NOTES.length] ?? '',
    });
  }
  const [first] = rows;
  if (!differences.neverArrived || !first) return rows;
  return [...rows, { ...first, reference: NEVER_ARRIVED, status: 'handed_over', note: '' }];
}

/** The COD in the shop's book: zero if the order was paid online, or if the courier's record is negative. */
function askedOf({ order_id, currency, cod }: SoldOrder, { codAbove, codInDollars }: Differences) {
  const dollars = codInDollars.get(order_id);
  if (dollars !== undefined) return { currency: 'USD', cod: dollars };
  const units = BigInt(cod ?? '0');
  const extra = currency === 'USD' ? (codAbove.get(order_id) ?? 0n) : 0n;
  return { currency: currency ?? 'USD', cod: units < 0n ? 0n : units + extra };
}

/** An order that the courier's book hides is open: nothing shows that it was handed over. */
function statusOf({ delivery_state, hidden }: SoldOrder): ShopOrder['status'] {
  if (hidden === 1) return 'open';
  return delivery_state === 'CANCELLED' ? 'cancelled' : 'handed_over';
}
