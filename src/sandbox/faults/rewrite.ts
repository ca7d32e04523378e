import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { InvoiceDetail, InvoiceListItem, MoneyPairs } from '../../api/wire.ts';
import { formatAmount } from '../../money/format.ts';
import { amountOfUnits, parseUnits } from '../../money/units.ts';

/** A page of a list as it is sent; the nested forms have a second such wrapper inside. */
export interface Wrapper {
  count: number;
  next: string | null;
  results: unknown;
}

/** The dollar that a restated invoice charges more, in units. */
const RESTATED = 10_000n;

export function isPage(body: unknown): body is Wrapper {
  return typeof body === 'object' && body !== null && 'count' in body && 'results' in body;
}

/** The items of a page in any form. It is the page's own array: changing it changes the page. */
export function itemsOf({ results }: Wrapper): unknown[] {
  if (isPage(results)) return itemsOf(results);
  if (!Array.isArray(results)) return [];
  const only: unknown = results.length === 1 ? results[0] : undefined;
  if (isPage(only)) return itemsOf(only);
  return Array.isArray(only) ? only : results;
}

/** Lowers the count that a page states, in the outer and the inner wrapper. */
export function lowerCount(page: Wrapper, by: number): void {
  page.count -= by;
  const { results } = page;
  const inner: unknown = Array.isArray(results) && results.length === 1 ? results[0] : results;
  if (isPage(inner)) lowerCount(inner, by);
}

/** Sets the link to the next page, in the outer and the inner wrapper. */
export function setNext(page: Wrapper, next: string | null): void {
  page.next = next;
  const { results } = page;
  const inner: unknown = Array.isArray(results) && results.length === 1 ? results[0] : results;
  if (isPage(inner)) setNext(inner, next);
}

/**
 * Adds one dollar to an invoice's fee, and takes it from the net. In the detail the first order's fee grows by it too.
 */
export function restate(invoice: InvoiceListItem | InvoiceDetail): void {
  if (!bump(invoice.delivery_fee, RESTATED)) return;
  bump(invoice.net_due_to_merchant, -RESTATED);
  if ('orders' in invoice) invoice.orders.some((order) => bump(order.delivery_fee, RESTATED));
}

/** Adds to the USD amount of a money field. @returns whether there is one */
function bump(field: MoneyPairs, units: bigint): boolean {
  const pair = field.find(([currency]) => currency === 'USD');
  if (!pair) return false;
  pair[1] = formatAmount(amountOfUnits(parseUnits(pair[1] ?? '0') + units));
  return true;
}

/** Placeholder for a value that is nested too deep for `JSON.stringify`. */
const PLACE = '(as deep as it goes)';

/** Adds a field to a page's first item that nests lists this deep. @returns the page as text */
export function withDepth(body: unknown, items: unknown[], depth: number): string {
  const [first] = items;
  if (typeof first !== 'object' || first === null) return JSON.stringify(body);
  Object.assign(first, { custom_fields: PLACE });
  const nested = '['.repeat(depth) + ']'.repeat(depth);
  return JSON.stringify(body).replace(JSON.stringify(PLACE), () => nested);
}

/** A gzipped page of this many megabytes of empty lists; it is sent at about a thousandth of that. */
export function bomb(megabytes: number): Readable {
  const part = '[],'.repeat(349_525);
  function* parts() {
    yield '{"count":1,"next":null,"previous":null,"results":[';
    for (let i = 0; i < megabytes; i++) yield part;
    yield '[]]}';
  }
  return Readable.from(parts()).pipe(createGzip());
}

/** Gives the orders of an endless list new ids on each page. */
export function renamed(items: unknown[], page: number): void {
  for (const item of items as { order_id: string }[]) item.order_id = `${item.order_id}-${page}`;
}
