import type { Units } from '../../money/index.ts';
import type { OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { openReceipts, type Rule, sayInvoices } from './rule.ts';

/**
 * Rule 5: invoices that the text surely names take the whole receipt, though the sum does not tally. Each gets what it
 * asks for, the oldest first, so that the last is paid in part; what is too much goes to the last. A debit takes back
 * from the newest first, no more than each received, and the rest from the oldest.
 */
export const namedPartRule: Rule = (books, stuck) => {
  let booked = false;
  for (const receipt of [...openReceipts(books, stuck, 1), ...openReceipts(books, stuck, -1)]) {
    const named = books.invoicesOf(receipt.names.strong);
    if (named.length === 0) continue;
    const due = named.reduce((sum, { outstanding }) => sum + outstanding, 0n);
    const shares = receipt.left > 0n ? paidOut(receipt, named) : takenFrom(receipt, named.toReversed());
    const invoices = [...shares].map(([{ number }, amount]) => ({ number, amount }));
    const how = receipt.left < 0n ? 'takes money back' : receipt.left < due ? 'pays in part' : 'pays too much';
    const evidence = `the text names ${sayInvoices(named.map(({ number }) => number))}, and ${how}`;
    books.book('named-part', [{ id: receipt.id, amount: receipt.left }], invoices, { evidence });
    booked = true;
  }
  return booked;
};

function paidOut(receipt: OpenReceipt, named: readonly OpenInvoice[]): Map<OpenInvoice, Units> {
  const shares = new Map<OpenInvoice, Units>();
  let rest = receipt.left;
  // What the merchant owes on one of them was set against the others by whoever paid.
  for (const invoice of named.filter(({ outstanding }) => outstanding < 0n)) {
    if (named.length === 1) break;
    shares.set(invoice, invoice.outstanding);
    rest -= invoice.outstanding;
  }
  for (const invoice of named) {
    if (invoice.outstanding <= 0n || rest === 0n) continue;
    const share = invoice.outstanding < rest ? invoice.outstanding : rest;
    shares.set(invoice, share);
    rest -= share;
  }
  return withRest(shares, named.at(-1)!, rest);
}

function takenFrom(receipt: OpenReceipt, named: readonly OpenInvoice[]): Map<OpenInvoice, Units> {
  const shares = new Map<OpenInvoice, Units>();
  let rest = receipt.left;
  for (const invoice of named) {
    if (invoice.received <= 0n || rest === 0n) continue;
    const share = -invoice.received > rest ? -invoice.received : rest;
    shares.set(invoice, share);
    rest -= share;
  }
  return withRest(shares, named.at(-1)!, rest);
}

function withRest(shares: Map<OpenInvoice, Units>, last: OpenInvoice, rest: Units): Map<OpenInvoice, Units> {
  if (rest !== 0n) shares.set(last, (shares.get(last) ?? 0n) + rest);
  return shares;
}
