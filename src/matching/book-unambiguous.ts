import type { TriedSentence } from '../base/sentence.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { type Ambiguous, type Choice, markAmbiguous, wayOf, whySeveral, withNamed } from './rule.ts';

/** The sets of invoices that a rule found for one receipt. */
export interface ReceiptChoices {
  readonly receipt: OpenReceipt;
  readonly choices: readonly Choice[];
  /** There are more than `choices`, or the search stopped at its limit of work. */
  readonly tooMany: boolean;
}

const NAMES_OTHERS: TriedSentence = { id: 'tried-names-others' };
const CONTESTED: TriedSentence = { id: 'tried-contested' };

/**
 * Books the receipts that have exactly one choice. A receipt is ambiguous if it has several, or if its text names other
 * invoices. Of several receipts with the same choice the earliest is booked. If the choices of receipts overlap without
 * being the same, none is booked: one would pay invoices 1 and 2, another 2 and 3.
 *
 * @returns whether anything was booked
 */
export function bookUnambiguous(
  items: OpenItems,
  ambiguous: Ambiguous,
  receiptChoices: readonly ReceiptChoices[],
  evidence: (choice: Choice, receipt: OpenReceipt) => string,
): boolean {
  const onlyChoices = findOnlyChoices(items, ambiguous, receiptChoices);
  const contested = contestedInvoices(onlyChoices.map(({ choice }) => choice));
  const isContested = ({ invoices }: Choice) => invoices.some((invoice) => contested.has(invoice));
  const markContested = (receipt: OpenReceipt, choice: Choice) => {
    sayNotTaken(items, receipt, choice, CONTESTED);
    markAmbiguous(items, ambiguous, receipt, { rule: choice.rule, ways: [wayOf(receipt, choice.invoices)] });
  };
  let booked = false;
  for (const { receipt, choice } of onlyChoices) {
    if (isContested(choice)) {
      markContested(receipt, choice);
      continue;
    }
    items.bookExactly(choice.rule, receipt, choice.invoices, evidence(choice, receipt));
    booked = true;
  }
  // A later receipt with the same choice as a contested one is not among `onlyChoices`, and is ambiguous too.
  for (const { receipt, choices } of receiptChoices) {
    const only = choices.length === 1 ? choices[0] : undefined;
    if (only === undefined || ambiguous.has(receipt) || receipt.left === 0n) continue;
    if (isContested(only)) markContested(receipt, only);
  }
  return booked;
}

type OnlyChoice = { readonly receipt: OpenReceipt; readonly choice: Choice };

/** The receipts with one choice, the earliest of each choice; marks as ambiguous those with several. */
function findOnlyChoices(items: OpenItems, ambiguous: Ambiguous, receiptChoices: readonly ReceiptChoices[]) {
  const byInvoices = new Map<string, OnlyChoice>();
  for (const { receipt, choices, tooMany } of receiptChoices) {
    const only = choices[0];
    if (only === undefined && !tooMany) continue;
    const isUndecided = only === undefined || tooMany || choices.length > 1;
    if (isUndecided || items.namesOthers(receipt, numbersOf(only))) {
      const why = isUndecided ? whySeveral(choices.length, tooMany) : NAMES_OTHERS;
      // Only the search for sets can stop before it has found a choice.
      if (only === undefined) items.tried?.say('set', { receipts: [receipt], invoices: [] }, why);
      for (const choice of choices) sayNotTaken(items, receipt, choice, why);
      const waysFound = choices.map(({ invoices }) => wayOf(receipt, invoices));
      const ways = withNamed(items, receipt, waysFound);
      markAmbiguous(items, ambiguous, receipt, { rule: only?.rule ?? 'set', ways, tooMany });
      continue;
    }
    const key = numbersOf(only).join();
    const earlier = byInvoices.get(key)?.receipt;
    if (earlier === undefined) byInvoices.set(key, { receipt, choice: only });
    else sayNotTaken(items, receipt, only, { id: 'tried-earlier-receipt', receipt: earlier.id });
  }
  return [...byInvoices.values()];
}

function sayNotTaken(items: OpenItems, receipt: OpenReceipt, { rule, invoices }: Choice, why: TriedSentence): void {
  items.tried?.say(rule, { receipts: [receipt], invoices }, why);
}

function numbersOf({ invoices }: Choice): number[] {
  return invoices.map(({ number }) => number);
}

/** The invoices that more than one choice takes. */
function contestedInvoices(choices: readonly Choice[]): Set<OpenInvoice> {
  const seen = new Set<OpenInvoice>();
  const contested = new Set<OpenInvoice>();
  for (const { invoices } of choices) {
    for (const invoice of invoices) {
      if (seen.has(invoice)) contested.add(invoice);
      seen.add(invoice);
    }
  }
  return contested;
}
