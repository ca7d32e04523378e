import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { InvoiceDetail, InvoiceListItem, MoneyPairs } from '../../api/wire.ts';
import { formatAmount } from '../../money/decimal.ts';
import { amountOfUnits, parseUnits } from '../../money/units.ts';

/** A page of a list as it is sent; the nested result shapes have a second such wrapper inside. */
export interface Wrapper {
  count: number;
  next: string | null;
  results: unknown;
}

/** The dollar by which a restated invoice charges more, in units. */
const ONE_DOLLAR = 10_000n;

export function isPage(body: unknown): body is Wrapper {
  return typeof body === 'object' && body !== null && 'count' in body && 'results' in body;
}

/** The items of a page in any result shape. Changing this array changes the page. */
export function itemsOf({ results }: Wrapper): unknown[] {
  if (isPage(results)) return itemsOf(results);
  if (!Array.isArray(results)) return [];
  const only: unknown = results.length === 1 ? results[0] : undefined;
  if (isPage(only)) return itemsOf(only);
  return Array.isArray(only) ? only : results;
}

/** Lowers the count that a page states, in the outer and the inner wrapper. */
export function lowerCount(page: Wrapper, by: number): void {
  for (const wrapper of wrappersOf(page)) wrapper.count -= by;
}

/** Sets the link to the next page, in the outer and the inner wrapper. */
export function setNext(page: Wrapper, next: string | null): void {
  for (const wrapper of wrappersOf(page)) wrapper.next = next;
}

/** The page itself, and the second wrapper of a nested result shape. */
function wrappersOf(page: Wrapper): Wrapper[] {
  const { results } = page;
  const inner: unknown = Array.isArray(results) && results.length === 1 ? results[0] : results;
  return isPage(inner) ? [page, ...wrappersOf(inner)] : [page];
}

/**
 * Adds a dollar to an invoice's fee, and takes it from the net. In the detail, the fee of the first order with a fee in
 * dollars grows too.
 */
export function restate(invoice: InvoiceListItem | InvoiceDetail): void {
  if (!addDollars(invoice.delivery_fee, ONE_DOLLAR)) return;
  addDollars(invoice.net_due_to_merchant, -ONE_DOLLAR);
  if (!('orders' in invoice)) return;
  for (const { delivery_fee } of invoice.orders) if (addDollars(delivery_fee, ONE_DOLLAR)) return;
}

/** Adds to the USD amount of a money field. @returns false if it has none */
function addDollars(field: MoneyPairs, units: bigint): boolean {
  const pair = field.find(([currency]) => currency === 'USD');
  if (!pair) return false;
  pair[1] = formatAmount(amountOfUnits(parseUnits(pair[1] ?? '0') + units));
  return true;
}

/** Stands for a value that is nested too deep for `JSON.stringify`. */
const PLACEHOLDER = '(as deep as it goes)';

/** Adds a field to a page's first item, with lists nested this deep. @returns the page as text */
export function withDepth(body: unknown, items: unknown[], depth: number): string {
  const [first] = items;
  if (typeof first !== 'object' || first === null) return JSON.stringify(body);
  Object.assign(first, { custom_fields: PLACEHOLDER });
  const nested = '['.repeat(depth) + ']'.repeat(depth);
  return JSON.stringify(body).replace(JSON.stringify(PLACEHOLDER), () => nested);
}

/** A gzipped page of this many megabytes of empty lists, packed to about a thousandth of that. */
export function zipBomb(megabytes: number): Readable {
  const part = '[],'.repeat(349_525); // a megabyte
  function* parts() {
    yield '{"count":1,"next":null,"previous":null,"results":[';
    for (let i = 0; i < megabytes; i++) yield part;
    yield '[]]}';
  }
  return Readable.from(parts()).pipe(createGzip());
}

/** Gives the orders of a page new ids, so that an endless list has none twice. */
export function renewIds(items: unknown[], page: number): void {
  for (const item of items as { order_id: string }[]) item.order_id = `${item.order_id}-${page}`;
}
