/** Cuts a month's invoice rows into windows of limited size, so that they are read with bounded memory. */
import { type RawBuilder, sql } from 'kysely';
import { pages } from '../../chunks.ts';
import type { LedgerReader } from '../snapshot.ts';

/** How many rows a window has at most, unless the caller gives a size. */
const ROWS = 250;

/** How many invoices a page of numbers has. */
const INVOICES = 1_000;

const EVERY_POSITION = Number.MAX_SAFE_INTEGER;

/** A window of a month's invoice rows: several whole invoices, or a part of one. All bounds are inclusive. */
export interface Window {
  readonly period: string;
  readonly fromInvoice: number;
  readonly toInvoice: number;
  readonly fromPosition: number;
  readonly toPosition: number;
}

const NO_INVOICE = Number.MIN_SAFE_INTEGER;

/** The month's invoice numbers from one on, ascending, a page at a time. Vanished invoices are left out. */
export function readInvoicePages(db: LedgerReader, period: string, from = NO_INVOICE + 1) {
  const ofMonth = db.selectFrom('invoice').select(['number', 'row_count as rows']).where('period', '=', period);
  const live = ofMonth.where('vanished_at', 'is', null).orderBy('number').limit(INVOICES);
  const readPage = (after: number) => live.where('number', '>', after).execute();
  return pages(from - 1, readPage, ({ number }) => number);
}

/** The windows of a month, of at most `size` rows each, by invoice number and position, from an invoice on. */
export async function* rowWindows(db: LedgerReader, period: string, size = ROWS, fromNumber?: number) {
  for await (const page of readInvoicePages(db, period, fromNumber)) {
    let rowsSoFar = 0;
    let fromInvoice: number | null = null;
    let toInvoice = 0;
    for (const { number, rows } of page) {
      if (fromInvoice !== null && rowsSoFar + rows > size) {
        yield { period, fromInvoice, toInvoice, fromPosition: 0, toPosition: EVERY_POSITION };
        fromInvoice = null;
      }
      // An invoice that is too large for one window is cut by position.
      if (rows > size) {
        for (let from = 0; from < rows; from += size) {
          const toPosition = from + size < rows ? from + size - 1 : EVERY_POSITION;
          yield { period, fromInvoice: number, toInvoice: number, fromPosition: from, toPosition };
        }
        continue;
      }
      if (fromInvoice === null) {
        fromInvoice = number;
        rowsSoFar = 0;
      }
      toInvoice = number;
      rowsSoFar += rows;
    }
    if (fromInvoice !== null) yield { period, fromInvoice, toInvoice, fromPosition: 0, toPosition: EVERY_POSITION };
  }
}

/** The condition that keeps a statement over `invoice i` joined with `invoice_order o` within a window. */
export function within(window: Window): RawBuilder<boolean> {
  const { period, fromInvoice, toInvoice, fromPosition, toPosition } = window;
  return sql<boolean>`i.period = ${period} and i.vanished_at is null
    and i.number between ${fromInvoice} and ${toInvoice} and o.position between ${fromPosition} and ${toPosition}`;
}
