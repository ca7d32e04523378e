import { groupBy } from '../base/group.ts';
import { bookUnambiguous } from './book-unambiguous.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenReceipt } from './open-items.ts';
import { amountDiffers, type Rule, receiptsByAmount, sayInvoices, tooFarApart } from './rule.ts';

/**
 * Rule 2: one receipt is one invoice's outstanding, within `match_days` after its date. A debit is what one invoice was overpaid, or
 * what you owe on it, however late. A receipt that clearly names an invoice pays no other by its amount.
 */
export const equalRule: Rule = (items, ambiguous) => {
  const byOutstanding = groupBy(
    items.invoices.filter(({ outstanding }) => outstanding !== 0n),
    ({ outstanding }) => outstanding,
  );
  const whyNot = (receipt: OpenReceipt, invoice: OpenInvoice) => {
    if (invoice.outstanding !== receipt.left) return amountDiffers(items.currency, [invoice], [receipt]);
    const most = receipt.left < 0n ? Number.POSITIVE_INFINITY : items.options.matchDays;
    return tooFarApart(receipt, invoice, most);
  };
  const fits = (receipt: OpenReceipt, invoice: OpenInvoice) => whyNot(receipt, invoice) === null;
  const byAmount = [1, -1] as const;
  const receipts = byAmount
    .flatMap((sign) => receiptsByAmount(items, ambiguous, { rule: 'equal', sign }))
    .filter((receipt) => {
      const isNamed = receipt.names.strong.length > 0;
      const invoices = isNamed ? items.invoicesOf(receipt.names.strong) : [];
      if (isNamed) items.tried?.say('equal', { receipts: [receipt], invoices }, { id: 'tried-names-by-name' });
      return !isNamed;
    });
  for (const [receipt, invoice] of items.tried?.near(receipts, [...byOutstanding.values()].flat()) ?? []) {
    const why = whyNot(receipt, invoice);
    if (why !== null) items.tried!.say('equal', { receipts: [receipt], invoices: [invoice] }, why);
  }
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
