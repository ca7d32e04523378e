import type { TriedSentence } from '../base/sentence.ts';
import { formatUnits } from '../money/units.ts';
import { type Ambiguity, type MatchRule, type MatchWay, MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';

/** Receipts for which a rule found more than one way. Later rules skip them. */
export type Ambiguous = Map<OpenReceipt, Ambiguity>;

/**
 * One rule over all open receipts. It books a receipt with one way, and adds one with several to `ambiguous`.
 *
 * @returns whether anything was booked
 */
export type Rule = (items: OpenItems, ambiguous: Ambiguous) => boolean;

/** A set of invoices that one receipt may pay. */
export type Choice = { readonly rule: MatchRule; readonly invoices: readonly OpenInvoice[] };

/** The receipts that are not used up and not ambiguous. @param sign 1 for credits, -1 for debits */
export function openReceipts(items: OpenItems, ambiguous: Ambiguous, sign: 1 | -1): OpenReceipt[] {
  return items.receipts.filter(
    (receipt) => isOpen(receipt, ambiguous) && (sign === 1 ? receipt.left > 0n : receipt.left < 0n),
  );
}

export function isOpen(receipt: OpenReceipt, ambiguous: Ambiguous): boolean {
  return receipt.left !== 0n && !ambiguous.has(receipt);
}

/** The {@link openReceipts} that may be matched by their amount: their text names no invoice of another currency. */
export function receiptsByAmount(
  items: OpenItems,
  ambiguous: Ambiguous,
  { rule, sign }: { readonly rule: MatchRule; readonly sign: 1 | -1 },
): OpenReceipt[] {
  return openReceipts(items, ambiguous, sign).filter((receipt) => {
    if (receipt.namesOtherCurrency) {
      items.tried?.say(rule, { receipts: [receipt], invoices: [] }, { id: 'tried-names-other-currency' });
    }
    return !receipt.namesOtherCurrency;
  });
}

/** Records that a receipt has several ways, or too many to try. */
export function markAmbiguous(
  items: OpenItems,
  ambiguous: Ambiguous,
  receipt: OpenReceipt,
  { rule, ways, tooMany = false }: Pick<Ambiguity, 'rule' | 'ways'> & { readonly tooMany?: boolean },
): void {
  const { id, left: amount } = receipt;
  const most = { ways: ways.slice(0, MOST_WAYS), tooMany: tooMany || ways.length > MOST_WAYS };
  ambiguous.set(receipt, { receipt: id, currency: items.currency, amount, rule, ...most });
}

/** Adds to the ways of a receipt that it pays what its text names, in part or too much. */
export function withNamed(items: OpenItems, receipt: OpenReceipt, ways: readonly MatchWay[]): readonly MatchWay[] {
  const named = items.namedBy(receipt);
  return named.length === 0 ? ways : [...ways, wayOf(receipt, named)];
}

export function wayOf(receipt: OpenReceipt, invoices: readonly OpenInvoice[]): MatchWay {
  return { receipts: [receipt.id], invoices: invoices.map(({ number }) => number) };
}

/** `invoice 10009`, `invoices 10009 and 10011`. */
export function sayInvoices(numbers: readonly number[]): string {
  if (numbers.length === 1) return `invoice ${numbers[0]}`;
  return `invoices ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** Why a choice is not booked: it is one of several, or there may be more. */
export function whySeveral(ways: number, tooMany: boolean): TriedSentence {
  return tooMany ? { id: 'tried-too-many' } : { id: 'tried-several', ways };
}

/** Why invoices are not matched with receipts: the amounts differ. */
export function whyAmountDiffers(
  currency: string,
  invoices: readonly Pick<OpenInvoice, 'outstanding'>[],
  receipts: readonly Pick<OpenReceipt, 'left'>[],
): TriedSentence {
  const asked = invoices.reduce((sum, { outstanding }) => sum + outstanding, 0n);
  const paid = receipts.reduce((sum, { left }) => sum + left, 0n);
  return { id: 'tried-amount', asked: formatUnits(asked), left: formatUnits(paid), currency };
}

/** Why an invoice's date rules a receipt out: it is later, or more than `most` days before; null if it does not. */
export function whyTooFarApart(
  receipt: Pick<OpenReceipt, 'day'>,
  invoice: Pick<OpenInvoice, 'day'>,
  most: number,
): TriedSentence | null {
  const days = receipt.day - invoice.day;
  if (days < 0) return { id: 'tried-issued-later', days: -days };
  return days > most ? { id: 'tried-issued-long-before', days, most } : null;
}
