import { DAY, dateText, spanOf } from '../../calendar.ts';
import { RATE_CARD, zoneOf } from '../../rules/rate-card.ts';
import { DISTRICTS } from '../../store/areas.ts';
import type { Store } from '../../store/store.ts';
import type { WorldOptions } from '../planted.ts';
import type { Shop } from '../shop.ts';
import { BOOK_NOTES } from '../words.ts';
import {
  type Differences,
  NEVER_ARRIVED,
  NO_DIFFERENCES,
  prepareDifferences,
  UNPRICED_DISTRICT,
} from './differences.ts';
import { otherLines, receipts } from './receipts.ts';
import type { Price, Rate, ShopBooks, ShopOrder } from './shop-books.ts';

/**
 * The merchant's own side of a seeded world: its order book, the money received for its paid invoices, the agreed
 * prices. It agrees with the service; with `differ`, orders and invoices are added on which the sides differ in every
 * way they can. Orders without a reference get one, because only a reference links them to the own book. Only within
 * `store.write`.
 */
export function keepBooks(store: Store, shop: Shop, options: WorldOptions, differ: boolean): ShopBooks {
  const { start, end } = spanOf(options.months);
  const asOf = options.asOf.getTime();
  store.run(`update delivery_order set reference_id = '#' || seq where reference_id = '' and merchant_id = ?`, shop.id);
  const differences = differ
    ? prepareDifferences({ store, shop, frame: { end, asOf, seed: options.seed } })
    : NO_DIFFERENCES;
  const lastMoment = Math.min(end, asOf);
  const months = monthsBetween(start, lastMoment);
  return {
    orders: ownOrders(store, shop.id, differences),
    receipts: receipts(store, shop.id, { differences, seed: options.seed, asOf }),
    inCash: differences.inCash,
    others: otherLines(months, dateText(lastMoment - DAY)),
    prices: prices(differ ? UNPRICED_DISTRICT : null),
    rates: rates(months),
    planted: differences.planted,
  };
}

/** The months, `YYYY-MM`, from one moment up to another. */
function monthsBetween(start: number, end: number): string[] {
  const months: string[] = [];
  for (let day = start; day < end; day += DAY) {
    const month = dateText(day).slice(0, 7);
    if (months.at(-1) !== month) months.push(month);
  }
  return months;
}

/** The agreed prices: the courier's rate card for each district. @param unpriced a district that they leave out */
function prices(unpriced: string | null): Price[] {
  const districts = Object.keys(DISTRICTS).filter((district) => district !== unpriced);
  // The newest card comes first, and the oldest holds from ever.
  return RATE_CARD.flatMap((card, index) => {
    const newer = RATE_CARD[index - 1];
    const from = index === RATE_CARD.length - 1 ? '' : card.from;
    const to = newer === undefined ? '' : dateText(Date.parse(`${newer.from}T00:00:00Z`) - DAY);
    return Object.entries(card.usd).flatMap(([workflow, usd]) =>
      districts.flatMap((district) => {
        const zone = zoneOf(district);
        const line = { workflow, district, from, to };
        const surcharge = card.lbp[zone];
        return [
          { ...line, currency: 'USD', fee: usd[zone] },
          ...(surcharge === undefined ? [] : [{ ...line, currency: 'LBP', fee: surcharge }]),
        ];
      }),
    );
  });
}

/** The rate of a dollar in pounds, from the first day of each month. */
function rates(months: readonly string[]): Rate[] {
  return months.map((month) => ({ date: `${month}-01`, from: 'USD', to: 'LBP', rate: '89500' }));
}

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
function ownOrders(store: Store, merchant: number, differences: Differences): ShopOrder[] {
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
  const rows: ShopOrder[] = [];
  for (const order of sold) {
    const asked = askedOf(order, differences);
    // The courier added the blanks around a reference: the shop has one such order.
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
  if (differences.neverArrived && first)
    rows.push({ ...first, reference: NEVER_ARRIVED, status: 'handed_over', note: '' });
  return rows;
}

/** What the courier is to collect: nothing if the order was paid online or its record is negative. */
function askedOf(
  { order_id, currency, cod }: Sold,
  { askedMore, askedDollars }: Differences,
): Pick<ShopOrder, 'currency' | 'cod'> {
  const dollars = askedDollars.get(order_id);
  if (dollars !== undefined) return { currency: 'USD', cod: dollars };
  const units = BigInt(cod ?? '0');
  const more = currency === 'USD' ? (askedMore.get(order_id) ?? 0n) : 0n;
  return { currency: currency ?? 'USD', cod: units < 0n ? 0n : units + more };
}

/** An order that the courier's book hides is open: nothing shows that it was handed over. */
function statusOf({ delivery_state, hidden }: Sold): ShopOrder['status'] {
  if (hidden === 1) return 'open';
  return delivery_state === 'CANCELLED' ? 'cancelled' : 'handed_over';
}
