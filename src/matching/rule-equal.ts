import { groupBy } from '../base/group.ts';
import { bookUnambiguous } from './book-unambiguous.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenReceipt } from './open-items.ts';
import { type Rule, receiptsByAmount, sayInvoices } from './rule.ts';

/**
 * Rule 2: one receipt is one invoice's outstanding, within `match_days` after its date. A debit is what one invoice was overpaid, or
 * what you owe on it, however late. A receipt that clearly names an invoice pays no other by its amount.
 */
export const equalRule: Rule = (items, ambiguous) => {
  const byOutstanding = groupBy(
    items.invoices.filter(({ outstanding }) => outstanding !== 0n),
    ({ outstanding }) => outstanding,
  );
  const fits = (receipt: OpenReceipt, invoice: OpenInvoice) => {
    const days = receipt.day - invoice.day;
    return days >= 0 && (receipt.left < 0n || days <= items.options.matchDays);
  };
  const receipts = [...receiptsByAmount(items, ambiguous, 1), ...receiptsByAmount(items, ambiguous, -1)].filter(
    ({ names }) => names.strong.length === 0,
  );
  const found = receipts.map((receipt) => {
    const equal = (byOutstanding.get(receipt.left) ?? []).filter((invoice) => fits(receipt, invoice));
    const choices = equal.slice(0, MOST_WAYS).map((invoice) => ({ rule: 'equal' as const, invoices: [invoice] }));
    return { receipt, choices, tooMany: equal.length > MOST_WAYS };
  });
  return bookUnambiguous(items, ambiguous, found, ({ invoices }) => {
    const numbers = invoices.map(({ number }) => number);
    return `the amount is what ${sayInvoices(numbers)} alone asks for within ${items.options.matchDays} days`;
  });
};
