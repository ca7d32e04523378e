import type { CurrencyBooks, OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { MOST_WAYS } from './model.ts';
import { openReceipts, type Rule, sayInvoices, setAside, wayOf } from './rule.ts';
import { SubsetSearch } from './subset-search.ts';

const MOST_NAMED = 12;
const WORK = 2 ** MOST_NAMED;

/**
 * Rule 1: the invoices that the text names come to the receipt, all of them, else those that it surely names, else
 * exactly one choice of them. Receipts are taken by date, because each says for itself which invoices it means.
 * A debit that names an invoice which was paid too much by as much, or is owed by the merchant, tallies likewise.
 */
export const namedRule: Rule = (books, stuck) => {
  let booked = false;
  for (const receipt of [...openReceipts(books, stuck, 1), ...openReceipts(books, stuck, -1)]) {
    const { ways, tooMany } = tallies(books, receipt);
    if (ways.length === 0 && !tooMany) continue;
    if (ways.length > 1 || tooMany) {
      const listed = ways.map((invoices) => wayOf(receipt, invoices));
      setAside(books, stuck, receipt, 'named', listed, tooMany);
      continue;
    }
    const numbers = ways[0]!.map(({ number }) => number);
    books.bookExactly('named', receipt, ways[0]!, `the text names ${sayInvoices(numbers)}, and the sum tallies`);
    booked = true;
  }
  return booked;
};

function tallies(
  books: CurrencyBooks,
  receipt: OpenReceipt,
): { readonly ways: readonly (readonly OpenInvoice[])[]; readonly tooMany: boolean } {
  const { strong, weak } = receipt.names;
  const all = books.invoicesOf([...strong, ...weak]).filter(({ outstanding }) => outstanding !== 0n);
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
