/** The rules that match a receipt to the invoices that its text names. */
import type { Units } from '../money/units.ts';
import { isYear } from './invoice-numbers.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { type Rule, sayInvoices, wayOf, whyAmountDiffers, whySeveral } from './rule.ts';
import { SubsetSearch } from './subset-sum.ts';
import type { Tried } from './tried-log.ts';

/** If more invoices are named, no choice of them is searched. */
const MOST_NAMED = 12;
/** Enough for every choice of them. */
const WORK = 2 ** MOST_NAMED;

/**
 * `named`: the invoices that the text names add up to the receipt: all of them, or else those that it clearly names, or
 * else exactly one choice of them. Receipts are taken by date. A debit is compared with what the named invoices were
 * overpaid, or what you owe on them.
 */
export const namedRule: Rule = (items) => {
  let booked = false;
  for (const receipt of [...items.openReceipts(1), ...items.openReceipts(-1)]) {
    const { ways, tooMany } = tallyingInvoices(items, receipt);
    if (items.tried?.isAbout([receipt], namedOf(items, receipt))) {
      sayNotTallying(items, items.tried, receipt, { ways, tooMany });
    }
    if (ways.length === 0 && !tooMany) continue;
    if (ways.length > 1 || tooMany) {
      const listed = ways.map((invoices) => wayOf(receipt, invoices));
      items.markAmbiguous(receipt, { rule: 'named', ways: listed, tooMany });
      continue;
    }
    const invoices = ways[0]!;
    items.bookExactly('named', receipt, invoices, `the text names ${sayInvoices(invoices)}, and the sum tallies`);
    booked = true;
  }
  return booked;
};

/** Every invoice that the text may name. */
function namedOf(items: OpenItems, { names }: OpenReceipt): OpenInvoice[] {
  return items.invoicesOf([...names.strong, ...names.weak]);
}

/** Records why the invoices that the text names do not add up to what is left of the receipt; nothing if they do. */
function sayNotTallying(items: OpenItems, tried: Tried, receipt: OpenReceipt, { ways, tooMany }: TallyingInvoices) {
  const named = namedOf(items, receipt);
  if (named.length === 0) tried.say('named', [receipt], [], { id: 'tried-names-none' });
  for (const invoice of named) {
    if (invoice.outstanding === 0n) tried.say('named', [receipt], [invoice], { id: 'tried-paid' });
  }
  if (ways.length > 1 || (tooMany && ways.length > 0)) {
    for (const invoices of ways) tried.say('named', [receipt], invoices, whySeveral(ways.length, tooMany));
    return;
  }
  const open = named.filter(({ outstanding }) => outstanding !== 0n);
  if (ways.length === 1 || open.length === 0) return;
  const isLong = choosableInvoices(open, receipt).length > MOST_NAMED;
  let why = whyAmountDiffers(items.currency, open, [receipt]);
  if (tooMany) why = { id: 'tried-too-many' };
  else if (isLong) why = { id: 'tried-names-too-many', count: open.length, most: MOST_NAMED };
  tried.say('named', [receipt], open, why);
}

/** The invoices to choose from: those that are clearly named, or else all. */
function choosableInvoices(open: readonly OpenInvoice[], { names: { strong } }: OpenReceipt): readonly OpenInvoice[] {
  return strong.length > 0 ? open.filter(({ number }) => strong.includes(number)) : open;
}

/** The choices of named invoices that add up to what is left of a receipt. */
type TallyingInvoices = { readonly ways: readonly (readonly OpenInvoice[])[]; readonly tooMany: boolean };

function tallyingInvoices(items: OpenItems, receipt: OpenReceipt): TallyingInvoices {
  const open = namedOf(items, receipt).filter(({ outstanding }) => outstanding !== 0n);
  const clearlyNamed = open.filter(({ number }) => receipt.names.strong.includes(number));
  for (const invoices of [open, clearlyNamed]) {
    if (invoices.length > 0 && dueOf(invoices) === receipt.left) return { ways: [invoices], tooMany: false };
  }
  const candidates = choosableInvoices(open, receipt);
  // Not `tooMany`, which would make the receipt ambiguous: the later rules may still match it.
  if (candidates.length > MOST_NAMED) return { ways: [], tooMany: false };
  const amounts = candidates.map(({ outstanding }) => outstanding);
  const limits = { least: 1, most: MOST_NAMED, ways: MOST_WAYS, work: WORK };
  const { sets, tooMany } = new SubsetSearch().find(amounts, receipt.left, limits);
  return { ways: sets.map((set) => set.map((index) => candidates[index]!)), tooMany };
}

function dueOf(invoices: readonly OpenInvoice[]): bigint {
  return invoices.reduce((total, { outstanding }) => total + outstanding, 0n);
}

/**
 * `named-part`: invoices that the text clearly names take the whole receipt, although the sum does not tally. Each gets
 * what is outstanding of it, the oldest first, so that the last is paid in part; an overpayment goes to the last. A
 * debit is taken from the newest first, no more than each received, and what remains from the oldest. An invoice to
 * which a person matched a part of the receipt gets no more of it. A receipt with a bare number that may be an open
 * invoice's or a year is ambiguous.
 */
export const namedPartRule: Rule = (items) => {
  let booked = false;
  for (const receipt of [...items.openReceipts(1), ...items.openReceipts(-1)]) {
    const clearlyNamed = items.invoicesOf(receipt.names.strong);
    if (clearlyNamed.length === 0) {
      leaveUnclear(items, receipt);
      continue;
    }
    const matchedByHand = clearlyNamed.filter((invoice) => items.isMatchedByHand(receipt, invoice));
    for (const invoice of matchedByHand) {
      items.tried?.say('named-part', [receipt], [invoice], { id: 'tried-part-by-hand' });
    }
    const named = clearlyNamed.filter((invoice) => !matchedByHand.includes(invoice));
    if (named.length === 0) continue;
    items.tried?.say('named-part', [receipt], named, { id: 'tried-matched', rule: 'named-part' });
    const due = dueOf(named);
    const shares = receipt.left > 0n ? paidOut(receipt, named) : takenFrom(receipt, named.toReversed());
    const invoices = [...shares].map(([{ number }, amount]) => ({ number, amount }));
    let effect = receipt.left < due ? 'pays in part' : 'pays too much';
    if (receipt.left < 0n) effect = 'takes money back';
    const evidence = `the text names ${sayInvoices(named)}, and ${effect}`;
    items.book('named-part', [{ id: receipt.id, amount: receipt.left }], invoices, { evidence });
    booked = true;
  }
  return booked;
};

/**
 * Leaves a receipt that clearly names no invoice, and records that. It is marked as ambiguous if a year in its text may
 * be an open invoice's number.
 */
function leaveUnclear(items: OpenItems, receipt: OpenReceipt): void {
  const invoices = items.invoicesOf(receipt.names.weak);
  const id = invoices.length === 0 ? 'tried-names-none' : 'tried-names-unclear';
  items.tried?.say('named-part', [receipt], invoices, { id });
  const ways = items
    .namedBy(receipt)
    .filter((invoice) => isYear(invoice.number) && !items.isMatchedByHand(receipt, invoice))
    .map((invoice) => wayOf(receipt, [invoice]));
  if (ways.length > 0) items.markAmbiguous(receipt, { rule: 'named-part', ways });
}

/** A credit's shares, from the oldest invoice on: of 60 and 70, a credit of 100 pays 60 and 40, of 150 60 and 90. */
function paidOut(receipt: OpenReceipt, named: readonly OpenInvoice[]): Map<OpenInvoice, Units> {
  const shares = new Map<OpenInvoice, Units>();
  let remaining = receipt.left;
  // If you owe on one of several, the payer has taken that off what it pays for the others.
  const takenOff = named.length > 1 ? named.filter(({ outstanding }) => outstanding < 0n) : [];
  for (const invoice of takenOff) {
    shares.set(invoice, invoice.outstanding);
    remaining -= invoice.outstanding;
  }
  for (const invoice of named) {
    if (invoice.outstanding <= 0n || remaining === 0n) continue;
    const share = invoice.outstanding < remaining ? invoice.outstanding : remaining;
    shares.set(invoice, share);
    remaining -= share;
  }
  return withRemaining(shares, named.at(-1)!, remaining);
}

/** A debit's shares, all negative: of -50, the newer invoice, which received 30, gives 30; the older gives 20. */
function takenFrom(receipt: OpenReceipt, newestFirst: readonly OpenInvoice[]): Map<OpenInvoice, Units> {
  const shares = new Map<OpenInvoice, Units>();
  let remaining = receipt.left;
  for (const invoice of newestFirst) {
    if (invoice.received <= 0n || remaining === 0n) continue;
    // Both are negative: the greater is the smaller amount.
    const share = -invoice.received > remaining ? -invoice.received : remaining;
    shares.set(invoice, share);
    remaining -= share;
  }
  return withRemaining(shares, newestFirst.at(-1)!, remaining);
}

function withRemaining(shares: Map<OpenInvoice, Units>, last: OpenInvoice, remaining: Units): Map<OpenInvoice, Units> {
  if (remaining !== 0n) shares.set(last, (shares.get(last) ?? 0n) + remaining);
  return shares;
}
