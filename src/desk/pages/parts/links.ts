import type { Thing } from '../../../../reports/page.ts';

/** The pages of things, by the column or field that has the thing's number or id. */
const PAGES: Readonly<Record<string, string>> = {
  invoice_number: '/invoices/',
  invoice_number_text: '/invoices/',
  number: '/invoices/',
  merchant_invoice: '/invoices/',
  order_id: '/orders/',
  receipt: '/receipts/',
  receipt_id: '/receipts/',
  receipts: '/receipts/',
  run: '/runs/',
  run_id: '/runs/',
  period: '/months/',
  month: '/months/',
  mismatch_id: '/mismatches/',
  sha256: '/evidence/',
};

/** Pages of things that two couriers may number alike: their addresses name the courier. */
const OF_ONE_COURIER: ReadonlySet<string> = new Set(['/invoices/', '/orders/', '/mismatches/']);

/**
 * The address of the thing that a cell names; null if it names nothing that has a page.
 *
 * @param id the page to which a column named `id` leads here, such as `/mismatches/`; absent or empty for no page
 * @param courier the courier of the thing, if the books have several
 */
export function pagePathOf(column: string, value: string, id?: string, courier?: string | null): string | null {
  if (value === '') return null;
  const page = column === 'id' ? id : (PAGES[column] ?? (column.endsWith('sha256') ? PAGES.sha256 : undefined));
  if (page === undefined || page === '') return null;
  // A cell may list several months or receipts, which have no page together.
  if (page === '/months/' && !/^\d{4}-\d{2}$/.test(value)) return null;
  if (page === '/receipts/' && !/^\d+$/.test(value)) return null;
  const query = courier && OF_ONE_COURIER.has(page) ? `?courier=${encodeURIComponent(courier)}` : '';
  return `${page}${encodeURIComponent(value)}${query}`;
}

/** A column of {@link PAGES} for each kind of thing. */
const COLUMN_OF: Readonly<Record<Thing, string>> = {
  month: 'month',
  invoice: 'invoice_number',
  order: 'order_id',
  receipt: 'receipt',
  mismatch: 'mismatch_id',
  run: 'run',
  document: 'sha256',
};

/** The address of a thing. @param courier the courier of the thing, if the books have several */
export function thingPage(thing: Thing, name: string, courier: string | null): string | null {
  return pagePathOf(COLUMN_OF[thing], name, undefined, courier);
}
