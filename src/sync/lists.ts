import type { InvoiceListItem } from '../api/wire.ts';
import type { Begun, Page } from '../courier/index.ts';
import { type BegunBook, beginOrderBook } from './order-book.ts';
import type { SyncOptions } from './session.ts';

export type BegunList = Begun<Page<InvoiceListItem>>;

/** Asks for a month's list. */
export function beginList({ client }: Pick<SyncOptions, 'client'>, period: string): BegunList {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return client.beginInvoices({ year, month });
}

/**
 * The lists of a sync in their order: those of its months, and the order book where it is asked for. The first page of each may be asked
 * for a little before its turn, so that no slot is idle meanwhile.
 */
export class Lists {
  readonly #options: SyncOptions;
  readonly #periods: readonly string[];
  #list: { readonly period: string; readonly begun: BegunList } | null = null;
  #book: Promise<BegunBook> | null = null;

  constructor(options: SyncOptions, periods: readonly string[]) {
    this.#options = options;
    this.#periods = periods;
  }

  /** Asks for the list that comes after a month's; after null, for the first. Not before all of that month is asked for: a page must not be old when its turn comes. */
  beginAfter(period: string | null): void {
    const next = this.#periods[period === null ? 0 : this.#periods.indexOf(period) + 1];
    if (next !== undefined) {
      if (this.#list?.period !== next) this.#list = { period: next, begun: beginList(this.#options, next) };
    } else if (this.#options.orders && this.#book === null) {
      this.#book = beginOrderBook(this.#options);
      // Avoids an unhandled rejection; awaited when it is its turn.
      this.#book.catch(() => {});
    }
  }

  /** A month's list, which is asked for unless it was. */
  take(period: string): BegunList {
    const begun = this.#list?.period === period ? this.#list.begun : beginList(this.#options, period);
    this.#list = null;
    return begun;
  }

  /** The order book, likewise. */
  takeBook(): Promise<BegunBook> {
    return this.#book ?? beginOrderBook(this.#options);
  }

  /** Waits until nothing is being read of the ledger. */
  async settled(): Promise<void> {
    await this.#book?.catch(() => {});
  }
}
