import type { Units } from '../money/units.ts';
import type { OpenInvoice, OpenReceipt } from './open-items.ts';
import { openReceipts, type Rule, sayInvoices } from './rule.ts';

/**
 * Rule 5: invoices that the text clearly names take the whole receipt, though the sum does not tally. Each gets its outstanding, the
 * oldest first, so that the last is paid in part; an overpayment goes to the last. A debit takes back from the newest first, no more
 * than each received, and the rest from the oldest.
 */
export const namedPartRule: Rule = (items, ambiguous) => {
  let booked = false;
  for (const receipt of [...openReceipts(items, ambiguous, 1), ...openReceipts(items, ambiguous, -1)]) {
    const named = items.invoicesOf(receipt.names.strong);
    if (named.length === 0) {
      items.tried?.say('named-part', { receipts: [receipt], invoices: [] }, { id: 'tried-names-none' });
      continue;
    }
    items.tried?.say(
      'named-part',
      { receipts: [receipt], invoices: named },
      { id: 'tried-matched', rule: 'named-part' },
    );
    const due = named.reduce((sum, { outstanding }) => sum + outstanding, 0n);
    const shares = receipt.left > 0n ? paidOut(receipt, named) : takenFrom(receipt, named.toReversed());
    const invoices = [...shares].map(([{ number }, amount]) => ({ number, amount }));
    const how = receipt.left < 0n ? 'takes money back' : receipt.left < due ? 'pays in part' : 'pays too much';
    const evidence = `the text names ${sayInvoices(named.map(({ number }) => number))}, and ${how}`;
    items.book('named-part', [{ id: receipt.id, amount: receipt.left }], invoices, { evidence });
    booked = true;
  }
  return booked;
};

function paidOut(receipt: OpenReceipt, named: readonly OpenInvoice[]): Map<OpenInvoice, Units> {
  const shares = new Map<OpenInvoice, Units>();
  let rest = receipt.left;
  // The payer has set what you owe on one of them off against the others.
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
