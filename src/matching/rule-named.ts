import type { Units } from '../money/units.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { amountDiffers, markAmbiguous, openReceipts, type Rule, sayInvoices, several, wayOf } from './rule.ts';
import { SubsetSearch } from './subset-sum.ts';
import type { Tried } from './tried.ts';

const MOST_NAMED = 12;
const WORK = 2 ** MOST_NAMED;

/**
 * Rule 1: the invoices that the text names sum to the receipt: all of them, else those that it clearly names, else exactly one
 * choice of them. Receipts are taken by date. A debit tallies likewise with what a named invoice was overpaid, or what you owe on it.
 */
export const namedRule: Rule = (items, ambiguous) => {
  let booked = false;
  for (const receipt of [...openReceipts(items, ambiguous, 1), ...openReceipts(items, ambiguous, -1)]) {
    const { ways, tooMany } = tallies(items, receipt);
    if (items.tried?.isAbout({ receipts: [receipt], invoices: namedOf(items, receipt) })) {
      sayNamed(items, items.tried, receipt, { ways, tooMany });
    }
    if (ways.length === 0 && !tooMany) continue;
    if (ways.length > 1 || tooMany) {
      const listed = ways.map((invoices) => wayOf(receipt, invoices));
      markAmbiguous(items, ambiguous, receipt, 'named', listed, tooMany);
      continue;
    }
    const numbers = ways[0]!.map(({ number }) => number);
    items.bookExactly('named', receipt, ways[0]!, `the text names ${sayInvoices(numbers)}, and the sum tallies`);
    booked = true;
  }
  return booked;
};

/** Every invoice that the text may name. */
function namedOf(items: OpenItems, { names }: OpenReceipt): OpenInvoice[] {
  return items.invoicesOf([...names.strong, ...names.weak]);
}

/** Tells why what the text names is not what is left of the receipt. */
function sayNamed(items: OpenItems, tried: Tried, receipt: OpenReceipt, found: ReturnType<typeof tallies>): void {
  const receipts = [receipt];
  const named = namedOf(items, receipt);
  if (named.length === 0) tried.say('named', { receipts, invoices: [] }, { id: 'tried-names-none' });
  for (const invoice of named.filter(({ outstanding }) => outstanding === 0n)) {
    tried.say('named', { receipts, invoices: [invoice] }, { id: 'tried-paid' });
  }
  const { ways, tooMany } = found;
  if (ways.length > 1 || (tooMany && ways.length > 0)) {
    for (const invoices of ways) tried.say('named', { receipts, invoices }, several(ways.length, tooMany));
    return;
  }
  const open = named.filter(({ outstanding }) => outstanding !== 0n);
  if (ways.length === 1 || open.length === 0) return;
  if (tooMany) tried.say('named', { receipts, invoices: open }, { id: 'tried-too-many' });
  else if (choiceOf(open, receipt).length > MOST_NAMED) {
    const why = { id: 'tried-names-too-many', count: open.length, most: MOST_NAMED } as const;
    tried.say('named', { receipts, invoices: open }, why);
  } else tried.say('named', { receipts, invoices: open }, amountDiffers(items.currency, open, receipts));
}

/** Those of which some must tally: those that are clearly named, else all. */
function choiceOf(open: readonly OpenInvoice[], { names: { strong } }: OpenReceipt): readonly OpenInvoice[] {
  return strong.length > 0 ? open.filter(({ number }) => strong.includes(number)) : open;
}

function tallies(
  items: OpenItems,
  receipt: OpenReceipt,
): { readonly ways: readonly (readonly OpenInvoice[])[]; readonly tooMany: boolean } {
  const all = namedOf(items, receipt).filter(({ outstanding }) => outstanding !== 0n);
  const sure = all.filter(({ number }) => receipt.names.strong.includes(number));
  for (const named of [all, sure]) {
    if (named.length > 0 && sum(named) === receipt.left) return { ways: [named], tooMany: false };
  }
  const choice = choiceOf(all, receipt);
  if (choice.length > MOST_NAMED) return { ways: [], tooMany: false };
  const amounts = choice.map(({ outstanding }) => outstanding);
  const limits = { least: 1, most: MOST_NAMED, ways: MOST_WAYS, work: WORK };
  const found = new SubsetSearch().find(amounts, receipt.left, limits);
  return { ways: found.sets.map((set) => set.map((index) => choice[index]!)), tooMany: found.tooMany };
}

function sum(invoices: readonly OpenInvoice[]): bigint {
  return invoices.reduce((total, { outstanding }) => total + outstanding, 0n);
}

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
