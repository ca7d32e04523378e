import type { InvoiceDetail, InvoiceListItem, MoneyField } from '../../api/wire.ts';
import { amountOfUnits, formatAmount, parseUnits } from '../../money/index.ts';

/** A page of a list in whatever shape it is sent, and its innermost wrapper. */
export interface Wrapper {
  count: number;
  next: string | null;
  results: unknown;
}

/** By how much a restated invoice differs, in units: one dollar. */
const RESTATED = 10_000n;

/** Whether an answer is a page of a list. */
export function isPage(body: unknown): body is Wrapper {
  return typeof body === 'object' && body !== null && 'count' in body && 'results' in body;
}

/** The items of a page in any shape: the very array, so that changing it changes the page. */
export function itemsOf({ results }: Wrapper): unknown[] {
  if (isPage(results)) return itemsOf(results);
  if (!Array.isArray(results)) return [];
  const only: unknown = results.length === 1 ? results[0] : undefined;
  if (isPage(only)) return itemsOf(only);
  return Array.isArray(only) ? only : results;
}

/** Lowers the count that a page states, on its outer and its inner wrapper. */
export function lowerCount(page: Wrapper, by: number): void {
  page.count -= by;
  const { results } = page;
  const inner: unknown = Array.isArray(results) && results.length === 1 ? results[0] : results;
  if (isPage(inner)) lowerCount(inner, by);
}

/** Sets the link to the next page, on a page's outer and its inner wrapper. */
export function setNext(page: Wrapper, next: string | null): void {
  page.next = next;
  const { results } = page;
  const inner: unknown = Array.isArray(results) && results.length === 1 ? results[0] : results;
  if (isPage(inner)) setNext(inner, next);
}

/** An invoice with one dollar more of fees, in the list or in the detail, where the first order's fee is that dollar more. */
export function restate(invoice: InvoiceListItem | InvoiceDetail): void {
  if (!bump(invoice.delivery_fee, RESTATED)) return;
  bump(invoice.net_due_to_merchant, -RESTATED);
  if ('orders' in invoice) invoice.orders.some((order) => bump(order.delivery_fee, RESTATED));
}

/** Adds to the dollars of a money field. @returns whether it has any */
function bump(field: MoneyField, units: bigint): boolean {
  const pair = field.find(([currency]) => currency === 'USD');
  if (!pair) return false;
  pair[1] = formatAmount(amountOfUnits(parseUnits(pair[1] ?? '0') + units));
  return true;
}
