import { UsageError } from '../base/errors.ts';
import { compareText } from '../base/text.ts';
import { type Fraction, sayFraction } from '../imports/rates.ts';
import { formatMoney } from '../money/format.ts';
import { amountOfUnits, type Units } from '../money/units.ts';
import { because } from '../words/errors/matching.ts';
import { type Exchanged, rateText, worthOf } from './exchange.ts';
import type { Invoice, InvoiceShare, Match, Receipt } from './model.ts';

/** What a difference of a match by hand may be called. */
export const DIFFERENCE_KINDS = ['bank-charge', 'rounding', 'other'] as const;
/** The same, and a realised exchange difference: of a receipt in another currency. */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number] | 'fx';

export interface ManualRequest {
  readonly receipts: readonly Receipt[];
  readonly invoices: readonly Invoice[];
  /** Why the two sides differ, where they do. */
  readonly difference?: { readonly kind: DifferenceKind; readonly note: string | null };
}

/** A receipt and invoices in another currency, of which the receipt is worth some. */
export interface ExchangeRequest extends ManualRequest {
  /** Units of the receipt's currency for one of the invoices'. */
  readonly rate: Fraction;
  /** What the receipt does not pay stays open. */
  readonly inPart: boolean;
}

/** A match that a person made. */
export interface ManualMatch extends Match {
  readonly rule: 'manual';
  readonly differenceKind: DifferenceKind | null;
  readonly note: string | null;
  /** The difference by invoice: no longer outstanding. */
  readonly named: readonly InvoiceShare[];
  /** Of a receipt in another currency; the match's own is then the invoices'. */
  readonly exchanged?: Exchanged;
}

/**
 * Makes a match by hand: the rest of some receipts for the outstanding of some invoices. The two tally, or the difference is named.
 *
 * @throws UsageError for several currencies, nothing left of a receipt, one named twice, or a difference without a name
 */
export function validateManualMatch(request: ManualRequest): ManualMatch {
  const { receipts, difference } = request;
  const invoices = [...request.invoices].sort((a, b) => compareText(a.date, b.date) || a.number - b.number);
  if (receipts.length === 0) throw nothingNamed();
  const currency = onlyCurrency(request);
  refuseRepeated(
    'receipt',
    receipts.map(({ id }) => id),
  );
  refuseRepeated(
    'invoice',
    invoices.map(({ number }) => number),
  );
  refuseUsedUp(receipts);
  const paid = receipts.reduce((sum, { left }) => sum + left, 0n);
  const due = invoices.reduce((sum, invoice) => sum + outstandingOf(invoice), 0n);
  refuseUnnamed(paid, due, currency, difference);
  const shares = shareOut(invoices, paid);
  return {
    rule: 'manual',
    currency,
    receipts: receipts.map(({ id, left }) => ({ id, amount: left })),
    invoices: shares,
    due,
    difference: paid - due,
    evidence: difference?.note ?? 'matched by hand',
    differenceKind: difference?.kind ?? null,
    note: difference?.note ?? null,
    named: restOf(invoices, shares),
  };
}

/**
 * Makes a match by hand of what a receipt pays in part: the oldest invoice first, each what it asks for at most. What is left of either
 * stays open.
 *
 * @throws UsageError for several currencies, nothing left of a receipt, one named twice, or where nothing is paid
 */
export function validatePart({ receipts, ...request }: Pick<ManualRequest, 'receipts' | 'invoices'>): ManualMatch {
  const [receipt] = receipts;
  if (!receipt || receipts.length > 1) throw nothingNamed();
  const currency = onlyCurrency({ receipts, ...request });
  refuseRepeated(
    'invoice',
    request.invoices.map(({ number }) => number),
  );
  refuseUsedUp(receipts);
  const invoices = [...request.invoices].sort((a, b) => compareText(a.date, b.date) || a.number - b.number);
  let left = receipt.left;
  const shares: InvoiceShare[] = [];
  let due = 0n;
  for (const invoice of invoices) {
    const asked = outstandingOf(invoice);
    // What came in pays what is owed to you, and what was taken back what you owe.
    if (left === 0n || asked === 0n || asked > 0n !== left > 0n) continue;
    const amount = asked > 0n === asked > left ? left : asked;
    shares.push({ number: invoice.number, amount });
    due += asked;
    left -= amount;
  }
  const paid = receipt.left - left;
  if (paid === 0n) throw new UsageError(because({ id: 'nothing-to-pay', receipt: receipt.id }));
  return {
    rule: 'manual',
    currency,
    receipts: [{ id: receipt.id, amount: paid }],
    invoices: shares,
    due,
    difference: paid - due,
    evidence: 'matched by hand',
    differenceKind: null,
    note: null,
    named: [],
  };
}

/** What is left of an exchange may be so much of what was asked, one in so many, before it needs a name of its own. */
const MOST_LEFT = 10n;

/**
 * Makes a match by hand of a receipt in another currency: what it is worth at a rate, for the outstanding of invoices. What is left, or is
 * too much, is a realised exchange difference, unless it has another name or stays open.
 *
 * @throws UsageError for one currency, several receipts, nothing left, a receipt that is worth nothing, or a rest that is too large for an exchange difference
 */
export function validateExchange(request: ExchangeRequest): ManualMatch {
  const { receipts, difference, rate, inPart } = request;
  const [receipt] = receipts;
  const invoices = [...request.invoices].sort((a, b) => compareText(a.date, b.date) || a.number - b.number);
  if (!receipt || receipts.length > 1) throw nothingNamed();
  const { id, left, currency: paidIn } = receipt;
  const currency = onlyCurrency({ receipts: [], invoices });
  if (currency === paidIn) throw new UsageError(because({ id: 'receipt-in-their-currency', receipt: id, currency }));
  refuseRepeated(
    'invoice',
    invoices.map(({ number }) => number),
  );
  refuseUsedUp(receipts);
  const paid = worthOf(left, rate);
  const due = invoices.reduce((sum, invoice) => sum + outstandingOf(invoice), 0n);
  const rest = due - paid;
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  const worth = { paid: say(paid), due: say(due), rate: sayFraction(rate) };
  if (paid === 0n) throw new UsageError(because({ id: 'worth-nothing', receipt: id, ...worth }));
  if (inPart && (rest <= 0n || paid <= 0n || difference))
    throw new UsageError(because({ id: 'nothing-stays-open', ...worth }));
  const size = (units: Units) => (units < 0n ? -units : units);
  if (!inPart && !difference && size(rest) * MOST_LEFT > size(due)) {
    throw new UsageError(
      because({
        id: 'more-than-exchange-difference',
        ...worth,
        rest: say(size(rest)),
      }),
    );
  }
  if (difference) refuseUnexplained(difference, say(rest));
  const kind = inPart || rest === 0n ? null : (difference?.kind ?? 'fx');
  const shares = shareOut(invoices, paid).filter(({ amount }) => amount !== 0n);
  return {
    rule: 'manual',
    currency,
    receipts: [{ id, amount: left }],
    invoices: shares,
    due,
    difference: -rest,
    evidence: difference?.note ?? 'matched by hand',
    differenceKind: kind,
    note: difference?.note ?? null,
    named: inPart ? [] : restOf(invoices, shares),
    exchanged: { rate: rateText(rate), currency: paidIn, amount: left },
  };
}

/** What is still asked for, by invoice. */
function restOf(invoices: readonly Invoice[], shares: readonly InvoiceShare[]): InvoiceShare[] {
  const paid = new Map(shares.map(({ number, amount }) => [number, amount]));
  return invoices
    .map((invoice) => ({ number: invoice.number, amount: outstandingOf(invoice) - (paid.get(invoice.number) ?? 0n) }))
    .filter(({ amount }) => amount !== 0n);
}

function refuseUsedUp(receipts: readonly Receipt[]): void {
  const used = receipts.find(({ left }) => left === 0n);
  if (!used) return;
  throw new UsageError(because({ id: 'receipt-used-up', receipt: used.id }));
}

/** Outstanding = net − matched − agreed differences. */
export function outstandingOf({ net, matched, named }: Pick<Invoice, 'net' | 'matched' | 'named'>): Units {
  return net - matched - (named ?? 0n);
}

/** Pays the oldest invoice first, each its outstanding; the last takes the rest, be it less or more. */
function shareOut(invoices: readonly Invoice[], paid: Units): InvoiceShare[] {
  let rest = paid;
  return invoices.map((invoice, at) => {
    const asked = outstandingOf(invoice);
    const last = at === invoices.length - 1;
    const amount = last || (asked > 0n && asked > rest && rest >= 0n) ? rest : asked;
    rest -= amount;
    return { number: invoice.number, amount };
  });
}

function onlyCurrency({ receipts, invoices }: ManualRequest): string {
  if (invoices.length === 0) throw nothingNamed();
  const currencies = [...new Set([...receipts, ...invoices].map(({ currency }) => currency))];
  if (currencies.length > 1) {
    throw new UsageError(because({ id: 'currencies-cannot-match', currencies: currencies.sort(compareText) }));
  }
  return currencies[0]!;
}

function nothingNamed(): UsageError {
  return new UsageError(because({ id: 'match-needs-both' }));
}

function refuseRepeated(what: 'receipt' | 'invoice', names: readonly (string | number)[]): void {
  const name = names.find((one, at) => names.indexOf(one) !== at);
  if (name !== undefined) throw new UsageError(because({ id: 'named-twice', what, name }));
}

function refuseUnnamed(paid: Units, due: Units, currency: string, difference: ManualRequest['difference']): void {
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  if (paid === due) {
    if (!difference) return;
    throw new UsageError(because({ id: 'no-difference-to-name', amount: say(paid) })).at('difference');
  }
  if (!difference) {
    throw new UsageError(
      because({
        id: 'match-does-not-add-up',
        paid: say(paid),
        due: say(due),
        difference: say(paid < due ? due - paid : paid - due),
        kinds: DIFFERENCE_KINDS,
      }),
    );
  }
  if (difference.kind === 'fx') throw new UsageError(because({ id: 'exchange-needs-two-currencies' })).at('difference');
  refuseUnexplained(difference, say(paid - due));
}

function refuseUnexplained({ kind, note }: NonNullable<ManualRequest['difference']>, amount: string): void {
  if (kind !== 'other' || note?.trim()) return;
  throw new UsageError(because({ id: 'other-without-note', amount })).at('note');
}
