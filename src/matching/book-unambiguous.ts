import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { type Ambiguous, type Choice, markAmbiguous, wayOf, withNamed } from './rule.ts';

/** The ways that a rule found for one receipt. */
export interface ReceiptChoices {
  readonly receipt: OpenReceipt;
  readonly choices: readonly Choice[];
  readonly tooMany: boolean;
}

/**
 * Books the receipts that have exactly one way, unless their text names another invoice: then they are ambiguous. Where several receipts have the same way, the earliest takes it. Where the ways of
 * several receipts overlap without being the same, nothing says which is right, and none is booked.
 *
 * @returns whether anything was booked
 */
export function bookUnambiguous(
  items: OpenItems,
  ambiguous: Ambiguous,
  found: readonly ReceiptChoices[],
  evidence: (choice: Choice) => string,
): boolean {
  const claims = new Map<string, { readonly receipt: OpenReceipt; readonly choice: Choice }>();
  for (const { receipt, choices, tooMany } of found) {
    const only = choices[0];
    if (only === undefined && !tooMany) continue;
    const isNamed = ({ invoices }: Choice) => !items.namesOthers(receipt, numbersOf(invoices));
    if (only === undefined || tooMany || choices.length > 1 || !isNamed(only)) {
      const found = choices.map(({ invoices }) => wayOf(receipt, invoices));
      const ways = withNamed(items, receipt, found);
      markAmbiguous(items, ambiguous, receipt, only?.rule ?? 'set', ways, tooMany);
      continue;
    }
    const key = keyOf(only.invoices);
    if (!claims.has(key)) claims.set(key, { receipt, choice: only });
  }
  const contested = contestedInvoices([...claims.values()].map(({ choice }) => choice));
  let booked = false;
  for (const { receipt, choice } of claims.values()) {
    if (choice.invoices.some((invoice) => contested.has(invoice))) {
      markAmbiguous(items, ambiguous, receipt, choice.rule, [wayOf(receipt, choice.invoices)], false);
      continue;
    }
    items.bookExactly(choice.rule, receipt, choice.invoices, evidence(choice));
    booked = true;
  }
  // A later receipt with the same way as a contested one is ambiguous too.
  for (const { receipt, choices } of found) {
    const only = choices.length === 1 ? choices[0] : undefined;
    if (only === undefined || ambiguous.has(receipt) || receipt.left === 0n) continue;
    if (only.invoices.some((invoice) => contested.has(invoice))) {
      markAmbiguous(items, ambiguous, receipt, only.rule, [wayOf(receipt, only.invoices)], false);
    }
  }
  return booked;
}

function keyOf(invoices: readonly OpenInvoice[]): string {
  return numbersOf(invoices).join();
}

function numbersOf(invoices: readonly OpenInvoice[]): number[] {
  return invoices.map(({ number }) => number);
}

function contestedInvoices(choices: readonly Choice[]): Set<OpenInvoice> {
  const seen = new Set<OpenInvoice>();
  const contested = new Set<OpenInvoice>();
  for (const { invoices } of choices) {
    for (const invoice of invoices) (seen.has(invoice) ? contested : seen).add(invoice);
  }
  return contested;
}
