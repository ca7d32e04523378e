import type { Thing } from '../../../../reports/page.ts';

/** Where the names of things lead, by the column or field that holds them. */
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

/** Pages of what two couriers may number alike. */
const OF_ONE_COURIER: ReadonlySet<string> = new Set(['/invoices/', '/orders/', '/mismatches/']);

/**
 * The page of what a cell names; null where it names nothing that has one.
 *
 * @param id where a column `id` leads
 * @param courier whose number it is, where there are several
 */
export function pageOf(column: string, value: string, id?: string, courier?: string | null): string | null {
  if (value === '') return null;
  const page = column === 'id' ? id : (PAGES[column] ?? (column.endsWith('sha256') ? PAGES.sha256 : undefined));
  if (page === undefined || page === '') return null;
  // Several months or receipts have no page of theirs.
  if (page === '/months/' && !/^\d{4}-\d{2}$/.test(value)) return null;
  if (page === '/receipts/' && !/^\d+$/.test(value)) return null;
  const whose = courier && OF_ONE_COURIER.has(page) ? `?courier=${encodeURIComponent(courier)}` : '';
  return `${page}${encodeURIComponent(value)}${whose}`;
}

/** The column that names each thing. */
const THINGS: Readonly<Record<Thing, string>> = {
  month: 'month',
  invoice: 'invoice_number',
  order: 'order_id',
  receipt: 'receipt',
  mismatch: 'mismatch_id',
  run: 'run',
  document: 'sha256',
};

/** The page of a thing. @param courier whose it is, where there are several */
export function thingPage(thing: Thing, name: string, courier: string | null): string | null {
  return pageOf(THINGS[thing], name, undefined, courier);
}
