import type { ReadRow } from '../history/read.ts';
import type { Expected } from './finding.ts';
import type { Ledger } from './ledger.ts';
import { of } from './money.ts';
import { mayBeOnUnread } from './orders.ts';

const AGAINST_BOOK = ['order-amount-differs', 'order-unknown', 'order-invoice-link'];

const keyOf = ({ code, invoice_number, order_id, currency, field }: Expected): string =>
  JSON.stringify([code, invoice_number, order_id, currency, field]);

/**
 * What was open before, is not shown now, and yet is not resolved: no complete, newer look denies it. Rules 28 and 31.
 * It takes no money and its figures are those of an earlier night.
 */
export function stillOpen(before: readonly Expected[], shown: readonly Expected[], ledger: Ledger): Expected[] {
  const now = new Set(shown.map(keyOf));
  return before.filter((finding) => !now.has(keyOf(finding)) && undenied(finding, ledger)).map(bare);
}

/** Its key and severity, all else left open. */
function bare({ code, times, severity, invoice_number, order_id, currency, field, byRecord }: Expected): Expected {
  const key = { invoice_number, order_id, currency, field };
  const known = Object.fromEntries(Object.entries(key).filter(([, value]) => value !== undefined));
  return { code, times, ...(severity ? { severity } : {}), ...(byRecord ? { byRecord } : {}), ...known };
}

function undenied(finding: Expected, ledger: Ledger): boolean {
  const { code, order_id, invoice_number } = finding;
  if (typeof order_id !== 'string') return false;
  if (code === 'order-on-two-invoices') {
    const live = ledger.listing(order_id).length;
    return live < 2 && live + ledger.vanishedListing(order_id).length >= 2;
  }
  if (code === 'delivered-not-invoiced') return mayBeOnUnread(ledger, order_id);
  if (!AGAINST_BOOK.includes(code) && !finding.byRecord) return false;
  const rows = ledger.rows.filter(
    ({ row, invoice }) =>
      row.order_id === order_id && (invoice_number === undefined || invoice.number === invoice_number),
  );
  if (rows.some((placed) => !placed.comparable && !placed.unknown && stillThere(finding, placed.row))) return true;
  return code === 'order-invoice-link' && linkUndenied(ledger, order_id);
}

/**
 * No live invoice lists the order, and the one that it stood on is gone, or the one that it names was not read, or is
 * newer than its record.
 */
function linkUndenied(ledger: Ledger, order_id: string): boolean {
  if (ledger.listing(order_id).length > 0) return false;
  if (ledger.vanishedListing(order_id).length > 0) return true;
  const facts = ledger.facts(order_id);
  const named = ledger.invoices.get(facts?.now.merchant_invoice ?? Number.NaN);
  const last = named?.details.at(-1);
  return named?.live === true && (last === undefined || (facts?.seen ?? -1) < last.run);
}

/** What a finding by the record is about must still stand on the row. */
function stillThere({ code, currency }: Expected, row: ReadRow): boolean {
  if (code === 'cod-without-delivery') return of(row.cod, currency ?? '') !== 0n;
  if (code === 'fee-on-cancelled') return of(row.delivery_fee, currency ?? '') !== 0n;
  return true;
}
