import { UsageError } from '../../../base/errors.ts';
import { type Store, timestamp } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import type { Shop } from '../shop.ts';

/** A row of an invoice, by its place and its order. */
export interface RowTarget {
  invoice: number;
  position: number;
  orderId: string;
}

/** The times of the world that is planted in, in milliseconds. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly asOf: number;
  /** An unpaid invoice from before this is overdue. */
  readonly overdueBefore: number;
  readonly seed: string;
}

/** Rows that concern dollars alone, so that what is planted on one is found in one currency and once. */
const DOLLARS_ONLY = `not exists (select 1 from order_money m where m.order_id = r.order_id and m.currency <> 'USD')`;
const COLLECTED = `exists (select 1 from order_money m where m.order_id = r.order_id and m.cod <> 0)`;

const KINDS = {
  /** Delivered against cash, in dollars. */
  delivered: `o.delivery_state = 'DELIVERED' and o.reference_id <> '' and ${DOLLARS_ONLY} and ${COLLECTED}`,
};

/** Chooses what to plant on: no invoice twice while there are others, and no order twice at all. */
export class Targets {
  readonly store: Store;
  readonly shop: Shop;
  readonly frame: Frame;
  readonly #invoices: number[];
  readonly #overdue: number | undefined;
  readonly #usedOrders = new Set<string>();
  /** How many turns there were: each takes the next invoice, and after the last the first again. */
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
      timestamp(new Date(frame.overdueBefore)),
    )?.number;
    this.#invoices = store
      .all<{ number: number }>(
        'select number from invoice where merchant_id = ? and number is not ? order by number',
        shop.id,
        this.#overdue ?? null,
      )
      .map(({ number }) => number);
  }

  hasOverdue(): boolean {
    return this.#overdue !== undefined;
  }

  /** The invoice that is to be overdue; nothing else is planted on it. */
  overdue(): number {
    return this.#overdue ?? tooSmall();
  }

  /** The next invoice in turn. @param other an invoice that it must not be */
  invoice(other?: number): number {
    for (const _ of this.#invoices) {
      const number = this.#invoices[this.#turns % this.#invoices.length];
      this.#turns += 1;
      if (number !== undefined && number !== other) return number;
    }
    return tooSmall();
  }

  /** The next invoice in turn that was issued in another month than this one. */
  invoiceOfAnotherMonth(than: number): number {
    const monthOf = (number: number) =>
      this.store.get<{ month: string }>('select substr(issued_at, 1, 7) as month from invoice where number = ?', number)
        ?.month;
    for (const _ of this.#invoices) {
      const number = this.invoice(than);
      if (monthOf(number) !== monthOf(than)) return number;
    }
    return tooSmall();
  }

  /** A row of a kind: of the next invoice in turn, or of one after it that has such a row left. @throws UsageError when none has */
  row(kind: keyof typeof KINDS): RowTarget {
    for (const _ of this.#invoices) {
      const invoice = this.invoice();
      const row = this.store
        .all<RowTarget>(
          `select r.invoice_number as invoice, r.position, r.order_id as orderId
           from invoice_row r join delivery_order o on o.order_id = r.order_id
           where r.invoice_number = ? and ${KINDS[kind]} order by r.position`,
          invoice,
        )
        .find(({ orderId }) => !this.#usedOrders.has(orderId));
      if (row) {
        this.#usedOrders.add(row.orderId);
        return row;
      }
    }
    return tooSmall();
  }
}

export interface Plant {
  readonly code: string;
  /** Tells plants of one code apart; the plainest has none. */
  readonly variant?: string;
  /** Plants it; answers what a check will name, where that is not null. */
  plant(targets: Targets): Partial<Omit<Planted, 'code'>>;
}

/** @throws UsageError: a world has no room for all that is to be planted in it */
export function tooSmall(): never {
  throw new UsageError(
    'the world is too small to hold every mismatch that --plant adds',
    'Give it more --orders or more --months; 100 orders over two months are enough.',
  );
}
