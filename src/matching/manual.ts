import { UsageError } from '../base/errors.ts';
import { compareText } from '../base/text.ts';
import { type Fraction, sayFraction } from '../imports/rates.ts';
import { formatMoney } from '../money/decimal.ts';
import { amountOfUnits, inWholeCoins, sizeOf, type Units } from '../money/units.ts';
import { matchingError } from '../words/errors/matching.ts';
import { type Invoice, type InvoiceShare, type Match, oldestFirst, outstandingOf, type Receipt } from './model.ts';

/** The names that a person may give to a difference of a match. */
export const DIFFERENCE_KINDS = ['bank-charge', 'rounding', 'other'] as const;
/** `fx`: a realised exchange difference, of a receipt in another currency. */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number] | 'fx';

export interface ManualRequest {
  readonly receipts: readonly Receipt[];
  readonly invoices: readonly Invoice[];
  /** Why receipts and invoices differ, if they do. */
  readonly difference?: { readonly kind: DifferenceKind; readonly note: string | null };
}

/** A match of a receipt with invoices in another currency. */
export interface ExchangeRequest extends ManualRequest {
  /** So much of the receipt's currency for one of the invoices'. */
  readonly rate: Fraction;
  /** True if what the receipt does not pay stays open. */
  readonly inPart: boolean;
}

export interface ManualMatch extends Match {
  readonly rule: 'manual';
  readonly differenceKind: DifferenceKind | null;
  readonly note: string | null;
  /** By invoice, what its share leaves unpaid of it: the named difference, which is no longer outstanding. */
  readonly named: readonly InvoiceShare[];
  /** For a receipt in another currency: the match is then in the invoices' currency, but for the receipt's share. */
  readonly exchanged?: Exchanged;
}

/**
 * Matches what is left of receipts to what is outstanding of invoices. They tally, or the difference is named: 97 for
 * an invoice of 100, with a bank charge of 3.
 *
 * @throws UsageError for several currencies, nothing left of a receipt, one named twice, or a difference without a name
 */
export function matchByHand(request: ManualRequest): ManualMatch {
  const { receipts, difference } = request;
  if (receipts.length === 0) throw needsBoth();
  const currency = onlyCurrency(request);
  const invoices = invoicesToPay(request);
  const paid = receipts.reduce((sum, { left }) => sum + left, 0n);
  const due = dueOf(invoices);
  refuseUnnamed(paid, due, currency, difference);
  const shares = shareOut(invoices, paid);
  const used = receipts.map(({ id, left }) => ({ id, amount: left }));
  const match = { currency, receipts: used, invoices: shares, due, difference: paid - due };
  return byHand({ ...match, named: stillDue(invoices, shares) }, difference);
}

/** A match that a person made, and the difference that the person named, if any. */
function byHand(
  match: Pick<ManualMatch, 'currency' | 'receipts' | 'invoices' | 'due' | 'difference' | 'named'>,
  difference?: ManualRequest['difference'],
): ManualMatch {
  const { kind = null, note = null } = difference ?? {};
  return { rule: 'manual', ...match, evidence: note ?? 'matched by hand', differenceKind: kind, note };
}

/**
 * Matches one receipt to invoices that it pays in part: the oldest first, each with at most what is outstanding of it.
 * What is left of either stays open: 100 for invoices of 70 and 50 leaves 20 of the second.
 *
 * @throws UsageError for several receipts or currencies, nothing left, an invoice named twice, or if nothing is paid
 */
export function matchInPart(request: Pick<ManualRequest, 'receipts' | 'invoices'>): ManualMatch {
  const receipt = onlyReceipt(request);
  const currency = onlyCurrency(request);
  const invoices = invoicesToPay(request);
  let left = receipt.left;
  let due = 0n;
  const shares: InvoiceShare[] = [];
  for (const invoice of invoices) {
    const asked = outstandingOf(invoice);
    // A credit pays only what is owed to you, and a debit only what you owe.
    if (!haveSameSign(asked, left)) continue;
    const amount = sizeOf(asked) < sizeOf(left) ? asked : left;
    shares.push({ number: invoice.number, amount });
    due += asked;
    left -= amount;
  }
  const paid = receipt.left - left;
  if (paid === 0n) throw new UsageError(matchingError({ id: 'nothing-to-pay', receipt: receipt.id }));
  const receipts = [{ id: receipt.id, amount: paid }];
  return byHand({ currency, receipts, invoices: shares, due, difference: paid - due, named: [] });
}

/** False if one of them is zero. */
function haveSameSign(a: Units, b: Units): boolean {
  return (a > 0n && b > 0n) || (a < 0n && b < 0n);
}

/**
 * Matches one receipt in another currency to invoices, by what it is worth at a rate. The difference between that and
 * what is outstanding is a realised exchange difference, unless it has another name or stays open.
 *
 * @throws UsageError for one currency, several receipts, nothing left, a worthless receipt, or too large a difference
 */
export function matchAtRate(request: ExchangeRequest): ManualMatch {
  const { difference, rate, inPart } = request;
  const receipt = onlyReceipt(request);
  const { id, left, currency: paidIn } = receipt;
  const currency = onlyCurrency({ receipts: [], invoices: request.invoices });
  if (currency === paidIn)
    throw new UsageError(matchingError({ id: 'receipt-in-their-currency', receipt: id, currency }));
  const invoices = invoicesToPay(request);
  const paid = divideByRate(left, rate);
  const due = dueOf(invoices);
  const unpaid = due - paid;
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  const worth = { paid: say(paid), due: say(due), rate: sayFraction(rate) };
  if (paid === 0n) throw new UsageError(matchingError({ id: 'worth-nothing', receipt: id, ...worth }));
  if (inPart && (unpaid <= 0n || paid <= 0n || difference)) {
    throw new UsageError(matchingError({ id: 'nothing-stays-open', ...worth }));
  }
  if (!inPart && !difference && !mayBeExchangeDifference(unpaid, due)) {
    throw new UsageError(matchingError({ id: 'more-than-exchange-difference', ...worth, rest: say(sizeOf(unpaid)) }));
  }
  if (difference) refuseUnexplained(difference, say(unpaid));
  const hasNoDifference = inPart || unpaid === 0n;
  const shares = shareOut(invoices, paid).filter(({ amount }) => amount !== 0n);
  const match = { currency, receipts: [{ id, amount: left }], invoices: shares, due, difference: -unpaid };
  return {
    ...byHand({ ...match, named: inPart ? [] : stillDue(invoices, shares) }, difference),
    differenceKind: hasNoDifference ? null : (difference?.kind ?? 'fx'),
    exchanged: { rate: sayFraction(rate, RATE_DIGITS), currency: paidIn, amount: left },
  };
}

/** False for more than a tenth of what is due: then the rate is more likely wrong, and the difference needs a name. */
function mayBeExchangeDifference(difference: Units, due: Units): boolean {
  return sizeOf(difference) * 10n <= sizeOf(due);
}

function dueOf(invoices: readonly Invoice[]): Units {
  return invoices.reduce((sum, invoice) => sum + outstandingOf(invoice), 0n);
}

/**
 * Pays the oldest invoice first, each what is outstanding of it; the last takes what is left, less or more. An invoice
 * on which you owe leaves more for the others.
 */
function shareOut(invoices: readonly Invoice[], paid: Units): InvoiceShare[] {
  let left = paid;
  return invoices.map((invoice, at) => {
    const asked = outstandingOf(invoice);
    const isLast = at === invoices.length - 1;
    const asksForMore = asked > 0n && left >= 0n && asked > left;
    const amount = isLast || asksForMore ? left : asked;
    left -= amount;
    return { number: invoice.number, amount };
  });
}

/** What is outstanding of each invoice beyond its share; negative if the share is too large. */
function stillDue(invoices: readonly Invoice[], shares: readonly InvoiceShare[]): InvoiceShare[] {
  const paid = new Map(shares.map(({ number, amount }) => [number, amount]));
  return invoices
    .map((invoice) => ({ number: invoice.number, amount: outstandingOf(invoice) - (paid.get(invoice.number) ?? 0n) }))
    .filter(({ amount }) => amount !== 0n);
}

function onlyReceipt({ receipts }: Pick<ManualRequest, 'receipts'>): Receipt {
  const [receipt] = receipts;
  if (!receipt || receipts.length > 1) throw needsBoth();
  return receipt;
}

function onlyCurrency({ receipts, invoices }: ManualRequest): string {
  if (invoices.length === 0) throw needsBoth();
  const currencies = [...new Set([...receipts, ...invoices].map(({ currency }) => currency))];
  if (currencies.length > 1) {
    throw new UsageError(matchingError({ id: 'currencies-cannot-match', currencies: currencies.sort(compareText) }));
  }
  return currencies[0]!;
}

function needsBoth(): UsageError {
  return new UsageError(matchingError({ id: 'match-needs-both' }));
}

/**
 * The invoices, the oldest first.
 *
 * @throws UsageError if an invoice or receipt is named twice, or a receipt is used up
 */
function invoicesToPay({ receipts, invoices }: ManualRequest): Invoice[] {
  const byDate = invoices.toSorted(oldestFirst);
  const ids = receipts.map(({ id }) => id);
  const numbers = byDate.map(({ number }) => number);
  refuseRepeated('receipt', ids);
  refuseRepeated('invoice', numbers);
  const used = receipts.find(({ left }) => left === 0n);
  if (used) throw new UsageError(matchingError({ id: 'receipt-used-up', receipt: used.id }));
  return byDate;
}

function refuseRepeated(what: 'receipt' | 'invoice', names: readonly (string | number)[]): void {
  const name = names.find((each, at) => names.indexOf(each) !== at);
  if (name !== undefined) throw new UsageError(matchingError({ id: 'named-twice', what, name }));
}

/** Refuses receipts that pay more or less than is due without a named difference, and a name where nothing differs. */
function refuseUnnamed(paid: Units, due: Units, currency: string, difference: ManualRequest['difference']): void {
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  if (paid === due) {
    if (!difference) return;
    throw new UsageError(matchingError({ id: 'no-difference-to-name', amount: say(paid) })).at('difference');
  }
  if (!difference) {
    const sums = { paid: say(paid), due: say(due), difference: say(sizeOf(paid - due)) };
    throw new UsageError(matchingError({ id: 'match-does-not-add-up', ...sums, kinds: DIFFERENCE_KINDS }));
  }
  if (difference.kind === 'fx')
    throw new UsageError(matchingError({ id: 'exchange-needs-two-currencies' })).at('difference');
  refuseUnexplained(difference, say(paid - due));
}

/** Refuses a difference of the kind `other` without a note. */
function refuseUnexplained({ kind, note }: NonNullable<ManualRequest['difference']>, amount: string): void {
  if (kind !== 'other' || note?.trim()) return;
  throw new UsageError(matchingError({ id: 'other-without-note', amount })).at('note');
}

/** The part of a receipt that pays invoices in another currency. */
interface Exchanged {
  /** So much of the receipt's currency for one of the invoices', as decimal text: `89500`. */
  readonly rate: string;
  /** The receipt's currency, and the amount that is used. */
  readonly currency: string;
  readonly amount: Units;
}

/** 0.01 in ledger units: an exchanged amount is rounded to it, whatever the currency. */
const HUNDREDTH = 100n;
/** Significant digits of a rate that are kept on record. */
const RATE_DIGITS = 20;

/**
 * Converts an amount at a rate, rounded to 0.01, halves away from zero: 895,000 LBP at 89,500 are 10.00 USD.
 *
 * @param rate so much of the receipt's currency for one of the invoices', not zero; 89,500 is `above` 89500, `below` 1
 */
export function divideByRate(paid: Units, { above, below }: Fraction): Units {
  return inWholeCoins(HUNDREDTH, paid * below, above);
}
