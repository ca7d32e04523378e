import type { TriedSentence } from '../base/sentence.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { type Ambiguous, type Choice, markAmbiguous, several, wayOf, withNamed } from './rule.ts';

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
      const why = choices.length > 1 || tooMany ? several(choices.length, tooMany) : NAMES_OTHERS;
      if (only === undefined) items.tried?.say('set', { receipts: [receipt], invoices: [] }, why);
      for (const { rule, invoices } of choices) items.tried?.say(rule, { receipts: [receipt], invoices }, why);
      const found = choices.map(({ invoices }) => wayOf(receipt, invoices));
      const ways = withNamed(items, receipt, found);
      markAmbiguous(items, ambiguous, receipt, only?.rule ?? 'set', ways, tooMany);
      continue;
    }
    const key = keyOf(only.invoices);
    const earlier = claims.get(key)?.receipt;
    if (earlier === undefined) claims.set(key, { receipt, choice: only });
    else sayLost(items, receipt, only, { id: 'tried-earlier-receipt', receipt: earlier.id });
  }
  const contested = contestedInvoices([...claims.values()].map(({ choice }) => choice));
  let booked = false;
  for (const { receipt, choice } of claims.values()) {
    if (choice.invoices.some((invoice) => contested.has(invoice))) {
      sayLost(items, receipt, choice, CONTESTED);
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
      sayLost(items, receipt, only, CONTESTED);
      markAmbiguous(items, ambiguous, receipt, only.rule, [wayOf(receipt, only.invoices)], false);
    }
  }
  return booked;
}

const NAMES_OTHERS: TriedSentence = { id: 'tried-names-others' };
const CONTESTED: TriedSentence = { id: 'tried-contested' };

function sayLost(items: OpenItems, receipt: OpenReceipt, { rule, invoices }: Choice, why: TriedSentence): void {
  items.tried?.say(rule, { receipts: [receipt], invoices }, why);
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
