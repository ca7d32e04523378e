import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { bookUnambiguous, type ReceiptChoices } from './book-unambiguous.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { type Ambiguous, type Rule, receiptsByAmount, sayInvoices, whyAmountDiffers, whyTooFarApart } from './rule.ts';

/**
 * `equal`: one receipt is exactly what is outstanding of one invoice, within `match_days` after its date. A debit is
 * what one invoice was overpaid, or what you owe on it, however late. A receipt that clearly names an invoice is not
 * matched to another by its amount.
 */
export const equalRule: Rule = (items, ambiguous) => {
  const receipts = receiptsWithoutNames(items, ambiguous);
  const byOutstanding = groupBy(
    items.invoices.filter(({ outstanding }) => outstanding !== 0n),
    ({ outstanding }) => outstanding,
  );
  // For `match explain` alone: why the nearest pairs are not equal.
  for (const [receipt, invoice] of items.tried?.nearestPairs(receipts, [...byOutstanding.values()].flat()) ?? []) {
    const why = whyNotEqual(items, receipt, invoice);
    if (why !== null) items.tried!.say('equal', { receipts: [receipt], invoices: [invoice] }, why);
  }
  const receiptChoices = receipts.map((receipt): ReceiptChoices => {
    const sameAmount = byOutstanding.get(receipt.left) ?? [];
    const equal = sameAmount.filter((invoice) => whyNotEqual(items, receipt, invoice) === null);
    const choices = equal.slice(0, MOST_WAYS).map((invoice) => ({ rule: 'equal' as const, invoices: [invoice] }));
    return { receipt, choices, tooMany: equal.length > MOST_WAYS };
  });
  return bookUnambiguous(items, ambiguous, receiptChoices, ({ invoices }, { left }) => {
    const invoice = sayInvoices(invoices.map(({ number }) => number));
    return left > 0n
      ? `the amount is what ${invoice} alone asks for within ${items.options.matchDays} days`
      : `the amount is what ${invoice} alone was overpaid, or is owed on it`;
  });
};

/** The receipts that clearly name no invoice, credits first. */
function receiptsWithoutNames(items: OpenItems, ambiguous: Ambiguous): OpenReceipt[] {
  const credits = receiptsByAmount(items, ambiguous, { rule: 'equal', sign: 1 });
  const debits = receiptsByAmount(items, ambiguous, { rule: 'equal', sign: -1 });
  return [...credits, ...debits].filter((receipt) => {
    const { strong } = receipt.names;
    if (strong.length === 0) return true;
    const invoices = items.invoicesOf(strong);
    items.tried?.say('equal', { receipts: [receipt], invoices }, { id: 'tried-names-by-name' });
    return false;
  });
}

/** Why a receipt is not the payment of an invoice; null if it may be. */
function whyNotEqual(items: OpenItems, receipt: OpenReceipt, invoice: OpenInvoice): TriedSentence | null {
  if (invoice.outstanding !== receipt.left) return whyAmountDiffers(items.currency, [invoice], [receipt]);
  const mostDays = receipt.left < 0n ? Number.POSITIVE_INFINITY : items.options.matchDays;
  return whyTooFarApart(receipt, invoice, mostDays);
}
