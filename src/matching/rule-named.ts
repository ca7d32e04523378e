import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { markAmbiguous, openReceipts, type Rule, sayInvoices, wayOf } from './rule.ts';
import { SubsetSearch } from './subset-sum.ts';

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

function tallies(
  items: OpenItems,
  receipt: OpenReceipt,
): { readonly ways: readonly (readonly OpenInvoice[])[]; readonly tooMany: boolean } {
  const { strong, weak } = receipt.names;
  const all = items.invoicesOf([...strong, ...weak]).filter(({ outstanding }) => outstanding !== 0n);
  const sure = all.filter(({ number }) => strong.includes(number));
  for (const named of [all, sure]) {
    if (named.length > 0 && sum(named) === receipt.left) return { ways: [named], tooMany: false };
  }
  const choice = strong.length > 0 ? sure : all;
  if (choice.length > MOST_NAMED) return { ways: [], tooMany: false };
  const amounts = choice.map(({ outstanding }) => outstanding);
  const limits = { least: 1, most: MOST_NAMED, ways: MOST_WAYS, work: WORK };
  const found = new SubsetSearch().find(amounts, receipt.left, limits);
  return { ways: found.sets.map((set) => set.map((index) => choice[index]!)), tooMany: found.tooMany };
}

function sum(invoices: readonly OpenInvoice[]): bigint {
  return invoices.reduce((total, { outstanding }) => total + outstanding, 0n);
}
