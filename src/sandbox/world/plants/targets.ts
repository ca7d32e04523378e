import { UsageError } from '../../../base/errors.ts';
import { formatUnits } from '../../../money/units.ts';
import { timestamp } from '../../calendar.ts';
import type { Store } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import type { Shop } from '../shop.ts';

/** A row of an invoice on which a mismatch is planted. */
export interface RowTarget {
  invoice: number;
  position: number;
  orderId: string;
}

/** The world in which mismatches are planted: its months and `asOf`, after which nothing happens, in milliseconds. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly asOf: number;
  /** An unpaid invoice from before this is overdue. */
  readonly overdueBefore: number;
  readonly seed: string;
}

/** The SQL condition for a row `r` with amounts in dollars alone, so that a mismatch is found once, in one currency. */
const DOLLARS_ONLY = `not exists (select 1 from order_money m where m.order_id = r.order_id and m.currency <> 'USD')`;
/** The SQL condition for a row `r` whose order is paid on delivery. */
const COLLECTED = `exists (select 1 from order_money m where m.order_id = r.order_id and m.cod <> 0)`;

/** Chooses where to plant mismatches: on no invoice twice while there are others, and on no order twice at all. */
export class Targets {
  readonly store: Store;
  readonly shop: Shop;
  readonly frame: Frame;
  readonly #invoices: number[];
  /** The first invoice that is overdue if its payment is taken back; undefined if there is none. */
  readonly #overdue: number | undefined;
  readonly #usedOrders = new Set<string>();
  /** How many invoices were chosen, in turn: after the last comes the first again. */
  #turns = 0;

  constructor(store: Store, shop: Shop, frame: Frame) {
    this.store = store;
    this.shop = shop;
    this.frame = frame;
    this.#overdue = store.get<{ number: number }>(
      `select i.number from invoice i join invoice_money m on m.invoice_number = i.number and m.view = 'detail'
       where i.merchant_id = ? and i.issued_at < ? and m.currency = 'USD' and m.net_due_to_merchant > 0
       order by i.number limit 1`,
      shop.id,
      timestamp(frame.overdueBefore),
    )?.number;
    const others = 'select number from invoice where merchant_id = ? and number is not ? order by number';
    const invoices = store.all<{ number: number }>(others, shop.id, this.#overdue ?? null);
    this.#invoices = invoices.map(({ number }) => number);
  }

  hasOverdue(): boolean {
    return this.#overdue !== undefined;
  }

  /** The invoice that is to be overdue; nothing else is planted on it. */
  overdue(): number {
    return this.#overdue ?? tooSmall();
  }

  /** The next invoice in turn. */
  invoice(): number {
    const number = this.#invoices[this.#turns % this.#invoices.length];
    this.#turns += 1;
    return number ?? tooSmall();
  }

  /** The next invoice in turn that is not this one. */
  invoiceOtherThan(invoice: number): number {
    // As many tries as there are invoices.
    for (const _ of this.#invoices) {
      const number = this.invoice();
      if (number !== invoice) return number;
    }
    return tooSmall();
  }

  /** The next invoice in turn that was issued in another month than this one. */
  invoiceOfAnotherMonth(invoice: number): number {
    const sql = 'select substr(issued_at, 1, 7) as month from invoice where number = ?';
    const monthOf = (number: number) => this.store.get<{ month: string }>(sql, number)?.month;
    for (const _ of this.#invoices) {
      const number = this.invoiceOtherThan(invoice);
      if (monthOf(number) !== monthOf(invoice)) return number;
    }
    return tooSmall();
  }

  /** The next unused row of an order with a reference, paid for in dollars. @throws UsageError if none is left */
  deliveredRow(): RowTarget {
    for (const _ of this.#invoices) {
      const invoice = this.invoice();
      const rows = this.store.all<RowTarget>(
        `select r.invoice_number as invoice, r.position, r.order_id as orderId
         from invoice_row r join delivery_order o on o.order_id = r.order_id
         where r.invoice_number = ? and o.delivery_state = 'DELIVERED' and o.reference_id <> ''
           and ${DOLLARS_ONLY} and ${COLLECTED}
         order by r.position`,
        invoice,
      );
      const row = rows.find(({ orderId }) => !this.#usedOrders.has(orderId));
      if (!row) continue;
      this.#usedOrders.add(row.orderId);
      return row;
    }
    return tooSmall();
  }
}

/** What a check will report of a planted mismatch, without the fields that are null. */
export type PlantedFacts = Partial<Omit<Planted, 'code'>>;

/** A mismatch that can be planted, by the code of the check that finds it. */
export interface WorldPlant {
  readonly code: string;
  /** Tells apart the plants of one code; the simplest has none. */
  readonly variant?: string | undefined;
  plant(targets: Targets): PlantedFacts;
}

/** @throws UsageError because the world has too few orders for all mismatches */
export function tooSmall(): never {
  const hint = 'Give it more --orders or more --months; 100 orders over two months are enough.';
  throw new UsageError('the world is too small to hold every mismatch that --plant adds', hint);
}

/** The COD less fee in USD of an order's record, in units. */
export function worthOfOrder(store: Store, orderId: string): bigint {
  return unitsOf(
    store,
    `select cast(coalesce(sum(coalesce(cod, 0) - coalesce(delivery_fee, 0)), 0) as text) as units
     from order_money where order_id = ? and currency = 'USD'`,
    orderId,
  );
}

/** The net in USD that an invoice's detail states, in units. */
export function headerNet(store: Store, invoice: number): bigint {
  return unitsOf(
    store,
    `select cast(coalesce(sum(net_due_to_merchant), 0) as text) as units
     from invoice_money where invoice_number = ? and view = 'detail' and currency = 'USD'`,
    invoice,
  );
}

/** The fee of an order in USD, in units. */
export function feeOf(store: Store, orderId: string): bigint {
  return unitsOf(
    store,
    `select cast(coalesce(sum(delivery_fee), 0) as text) as units from order_money where order_id = ? and currency = 'USD'`,
    orderId,
  );
}

export function feeCurrencies(store: Store, orderId: string): string[] {
  const sql = 'select currency from order_money where order_id = ? and delivery_fee <> 0 order by currency';
  return store.all<{ currency: string }>(sql, orderId).map(({ currency }) => currency);
}

/** An effect in USD, as a planted mismatch states it. */
export function inDollars(units: bigint): { currency: 'USD'; effect: string } {
  return { currency: 'USD', effect: formatUnits(units) };
}

function unitsOf(store: Store, sql: string, key: string | number): bigint {
  return BigInt(store.get<{ units: string }>(sql, key)?.units ?? '0');
}
