import type { CurrencyBooks, OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { type Choice, type Stuck, setAside, wayOf } from './rule.ts';

/** What a rule found for one receipt. */
export interface Found {
  readonly receipt: OpenReceipt;
  readonly choices: readonly Choice[];
  readonly tooMany: boolean;
}

/**
 * Books the receipts that have exactly one way. Receipts with the very same way ask for the same money: the earliest
 * takes it, and no figure depends on which. Ways of different receipts that overlap without being the same exclude
 * each other, and which is right is not to be known: none is booked.
 *
 * @returns whether anything was booked
 */
export function bookClearOnes(
  books: CurrencyBooks,
  stuck: Stuck,
  found: readonly Found[],
  evidence: (choice: Choice) => string,
): boolean {
  const claims = new Map<string, { readonly receipt: OpenReceipt; readonly choice: Choice }>();
  for (const { receipt, choices, tooMany } of found) {
    const only = choices[0];
    if (only === undefined && !tooMany) continue;
    if (only === undefined || tooMany || choices.length > 1) {
      const ways = choices.map(({ invoices }) => wayOf(receipt, invoices));
      setAside(books, stuck, receipt, only?.rule ?? 'set', ways, tooMany);
      continue;
    }
    const key = keyOf(only.invoices);
    if (!claims.has(key)) claims.set(key, { receipt, choice: only });
  }
  const contested = contestedInvoices([...claims.values()].map(({ choice }) => choice));
  let booked = false;
  for (const { receipt, choice } of claims.values()) {
    if (choice.invoices.some((invoice) => contested.has(invoice))) {
      setAside(books, stuck, receipt, choice.rule, [wayOf(receipt, choice.invoices)], false);
      continue;
    }
    books.bookExactly(choice.rule, receipt, choice.invoices, evidence(choice));
    booked = true;
  }
  // One that wanted what an earlier receipt was denied is denied it too.
  for (const { receipt, choices } of found) {
    const only = choices.length === 1 ? choices[0] : undefined;
    if (only === undefined || stuck.has(receipt) || receipt.left === 0n) continue;
    if (only.invoices.some((invoice) => contested.has(invoice))) {
      setAside(books, stuck, receipt, only.rule, [wayOf(receipt, only.invoices)], false);
    }
  }
  return booked;
}

function keyOf(invoices: readonly OpenInvoice[]): string {
  return invoices.map(({ number }) => number).join();
}

function contestedInvoices(choices: readonly Choice[]): Set<OpenInvoice> {
  const seen = new Set<OpenInvoice>();
  const contested = new Set<OpenInvoice>();
  for (const { invoices } of choices) {
    for (const invoice of invoices) (seen.has(invoice) ? contested : seen).add(invoice);
  }
  return contested;
}
