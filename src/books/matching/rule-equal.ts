import { groupBy } from '../group.ts';
import type { OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { bookClearOnes } from './choose.ts';
import { MOST_WAYS } from './model.ts';
import { openReceipts, type Rule, sayInvoices } from './rule.ts';

/**
 * Rule 2: one receipt is what one invoice still asks for, within `match_days` after its date. A debit is what one
 * invoice was paid too much, or what the merchant owes on it; no last day limits taking back.
 */
export const equalRule: Rule = (books, stuck) => {
  const byOutstanding = groupBy(
    books.invoices.filter(({ outstanding }) => outstanding !== 0n),
    ({ outstanding }) => outstanding,
  );
  const fits = (receipt: OpenReceipt, invoice: OpenInvoice) => {
    const days = receipt.day - invoice.day;
    return days >= 0 && (receipt.left < 0n || days <= books.options.matchDays);
  };
  const receipts = [...openReceipts(books, stuck, 1), ...openReceipts(books, stuck, -1)];
  const found = receipts.map((receipt) => {
    const equal = (byOutstanding.get(receipt.left) ?? []).filter((invoice) => fits(receipt, invoice));
    const choices = equal.slice(0, MOST_WAYS).map((invoice) => ({ rule: 'equal' as const, invoices: [invoice] }));
    return { receipt, choices, tooMany: equal.length > MOST_WAYS };
  });
  return bookClearOnes(books, stuck, found, ({ invoices }) => {
    const numbers = invoices.map(({ number }) => number);
    return `the amount is what ${sayInvoices(numbers)} alone asks for within ${books.options.matchDays} days`;
  });
};
