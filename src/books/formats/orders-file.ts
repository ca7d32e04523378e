import type { Skipped } from './receipts-file.ts';
import type { Format } from './recognise.ts';

export const ORDER_STATUSES = ['open', 'cancelled', 'handed_over'] as const;
/** Where an order of the shop's own book stands. */
export type OwnOrderStatus = (typeof ORDER_STATUSES)[number];

/** What the courier must collect in one currency: an exact decimal text, 0 where it was paid before. */
export interface OwnOrderAmount {
  readonly currency: string;
  readonly cod: string;
}

/** An order of the shop's own book. What the file does not name is null, or no amounts: an import changes only what it names. */
export interface OwnOrder {
  /** The order's first row. */
  readonly line: number;
  readonly reference: string;
  readonly ordered_on: string | null;
  readonly status: OwnOrderStatus | null;
  readonly amounts: readonly OwnOrderAmount[];
  readonly district: string | null;
  readonly note: string | null;
}

/** What a file of a shop says. */
export interface OrdersFile {
  readonly format: Format;
  /** The map that it was read by. */
  readonly map: string;
  readonly orders: readonly OwnOrder[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly string[];
}
