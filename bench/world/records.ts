import { createHash } from 'node:crypto';
import { moneyOf, pairs } from './amounts.ts';

/**
 * An order of the world: its serial number, the invoice that bills it, and how many more states it has had than at
 * first.
 */
export interface WorldOrder {
  readonly serial: number;
  readonly invoice: number | null;
  readonly month: string;
  readonly moves: number;
}

function orderId(serial: number): string {
  return `ORD${String(serial).padStart(9, '0')}`;
}

/** A row of an invoice (spec, 'Invoice'). */
export function rowOf(serial: number) {
  const { usd, lbp, fee } = moneyOf(serial);
  return {
    order_id: orderId(serial),
    reference_id: `SHOP-${String(serial).padStart(7, '0')}`,
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    cod: pairs(usd, lbp),
    delivery_fee: pairs(fee, 0),
  };
}

/**
 * A record of the order book (spec, 'Order') of about 1.3 kB, as the service's own are, with names and places that
 * differ from order to order.
 */
export function recordOf({ serial, invoice, month, moves }: WorldOrder): object {
  const seed = createHash('sha256').update(orderId(serial)).digest('hex');
  const number = (from: number, digits: number) => Number.parseInt(seed.slice(from, from + digits), 16);
  const day = 1 + (serial % 28);
  const stamps = [
    stamp(month, 'CREATED', day, 8),
    stamp(month, 'IN_TRANSIT', day, 10),
    stamp(month, 'DELIVERED', day, 14),
  ];
  for (let move = 0; move < moves; move += 1) stamps.push(stamp(month, 'DELIVERED', 28, 15 + (move % 8)));
  const area = {
    id: number(0, 3),
    name_en: `Area ${seed.slice(0, 6)}`,
    name_ar: `منطقة ${seed.slice(0, 6)}`,
    district: 'Beirut',
  };
  return {
    ...rowOf(serial),
    tracking_link: `https://courier.example/track/${seed.slice(0, 32)}`,
    order_url: `https://courier.example/orders/${seed.slice(24, 56)}`,
    is_exchange: false,
    number_of_packages: 1 + (serial % 3),
    merchant_location: 1 + (serial % 5),
    merchant_invoice: invoice,
    return_reason: null,
    customer: {
      id: number(8, 6),
      first_name: `Nour ${seed.slice(8, 13)}`,
      last_name: `Haddad ${seed.slice(13, 17)}`,
      phone_number: `+9617${String(number(17, 6) % 10_000_000).padStart(7, '0')}`,
    },
    customer_location: {
      id: number(20, 6),
      area,
      street: `Rue ${seed.slice(26, 34)}, building ${number(34, 2)}`,
      directions: `second floor, ring ${seed.slice(36, 40)} and wait at the door; if nobody answers, the shop at the corner takes it`,
      latitude: `33.8${number(40, 5)}`,
      longitude: `35.5${number(45, 5)}`,
    },
    note: `Call before you come: ${seed.slice(10, 40)}. The customer pays in both currencies, ${seed.slice(40)}.`,
    package: { description: `Parcel ${seed.slice(4, 12)}`, size: 'SMALL', weight_kg: '1.2' },
    statestamps: stamps,
  };
}

function stamp(month: string, delivery_state: string, day: number, hour: number) {
  const [date, time] = [String(day).padStart(2, '0'), String(hour).padStart(2, '0')];
  return { delivery_state, payment_state: 'UNPAID', timestamp: `${month}-${date}T${time}:12:41.018273+02:00` };
}
