import type { TriedSentence } from '../base/sentence.ts';
import { formatUnits } from '../money/units.ts';
import type { MatchRule, MatchWay } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';

/**
 * One rule over all open receipts. It books a receipt with one way, and marks one with several as ambiguous. What it
 * tries is recorded in `items.tried` for `match explain`.
 *
 * @returns whether anything was booked
 */
export type Rule = (items: OpenItems) => boolean;

/** A set of invoices that one receipt may pay. */
export type Choice = { readonly rule: MatchRule; readonly invoices: readonly OpenInvoice[] };

/** The sets of invoices that a rule found for one receipt. */
export interface ReceiptChoices {
  readonly receipt: OpenReceipt;
  readonly choices: readonly Choice[];
  /** There are more than `choices`, or the search stopped at its limit of work. */
  readonly tooMany: boolean;
}

/** The open receipts that may be matched by their amount: their text names no invoice of another currency. */
export function receiptsByAmount(items: OpenItems, rule: MatchRule, sign: 1 | -1): OpenReceipt[] {
  return items.openReceipts(sign).filter((receipt) => {
    if (receipt.namesOtherCurrency) items.tried?.say(rule, [receipt], [], { id: 'tried-names-other-currency' });
    return !receipt.namesOtherCurrency;
  });
}

/**
 * Books the receipts that have exactly one choice. A receipt is ambiguous if it has several, or if its text names other
 * invoices. Of several receipts with the same choice the earliest is booked. If the choices of receipts overlap without
 * being the same, none is booked: one would pay invoices 1 and 2, another 2 and 3.
 *
 * @returns whether anything was booked
 */
export function bookUnambiguous(
  items: OpenItems,
  receiptChoices: readonly ReceiptChoices[],
  evidence: (choice: Choice, receipt: OpenReceipt) => string,
): boolean {
  const onlyChoices = findOnlyChoices(items, receiptChoices);
  const contested = contestedInvoices(onlyChoices.map(({ choice }) => choice));
  const isContested = ({ invoices }: Choice) => invoices.some((invoice) => contested.has(invoice));
  const markContested = (receipt: OpenReceipt, { rule, invoices }: Choice) => {
    items.tried?.say(rule, [receipt], invoices, { id: 'tried-contested' });
    items.markAmbiguous(receipt, { rule, ways: [wayOf(receipt, invoices)] });
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
    if (only !== undefined && items.isOpen(receipt) && isContested(only)) markContested(receipt, only);
  }
  return booked;
}

/** The receipts with one choice, the earliest of each choice; marks as ambiguous those with several. */
function findOnlyChoices(items: OpenItems, receiptChoices: readonly ReceiptChoices[]) {
  const byInvoices = new Map<string, { readonly receipt: OpenReceipt; readonly choice: Choice }>();
  for (const { receipt, choices, tooMany } of receiptChoices) {
    const [first] = choices;
    if (first === undefined && !tooMany) continue;
    const isUndecided = first === undefined || tooMany || choices.length > 1;
    if (isUndecided || items.namesOthers(receipt, numbersOf(first.invoices))) {
      const why = isUndecided ? whySeveral(choices.length, tooMany) : ({ id: 'tried-names-others' } as const);
      // Only the search for sets can stop before it has found a choice.
      if (first === undefined) items.tried?.say('set', [receipt], [], why);
      for (const { rule, invoices } of choices) items.tried?.say(rule, [receipt], invoices, why);
      const waysFound = choices.map(({ invoices }) => wayOf(receipt, invoices));
      const ways = withNamed(items, receipt, waysFound);
      items.markAmbiguous(receipt, { rule: first?.rule ?? 'set', ways, tooMany });
      continue;
    }
    const key = numbersOf(first.invoices).join();
    const earlier = byInvoices.get(key)?.receipt;
    if (earlier === undefined) byInvoices.set(key, { receipt, choice: first });
    else items.tried?.say(first.rule, [receipt], first.invoices, { id: 'tried-earlier-receipt', receipt: earlier.id });
  }
  return [...byInvoices.values()];
}

/** The invoices that more than one choice takes. */
function contestedInvoices(choices: readonly Choice[]): Set<OpenInvoice> {
  const seen = new Set<OpenInvoice>();
  const contested = new Set<OpenInvoice>();
  for (const invoice of choices.flatMap(({ invoices }) => invoices)) {
    if (seen.has(invoice)) contested.add(invoice);
    seen.add(invoice);
  }
  return contested;
}

/** Adds to the ways of a receipt that it pays what its text names, in part or too much. */
export function withNamed(items: OpenItems, receipt: OpenReceipt, ways: readonly MatchWay[]): readonly MatchWay[] {
  const named = items.namedBy(receipt);
  return named.length === 0 ? ways : [...ways, wayOf(receipt, named)];
}

export function wayOf(receipt: OpenReceipt, invoices: readonly OpenInvoice[]): MatchWay {
  return { receipts: [receipt.id], invoices: numbersOf(invoices) };
}

function numbersOf(invoices: readonly { readonly number: number }[]): number[] {
  return invoices.map(({ number }) => number);
}

/** `invoice 10009`, `invoices 10009 and 10011`. */
export function sayInvoices(invoices: readonly { readonly number: number }[]): string {
  const numbers = numbersOf(invoices);
  if (numbers.length === 1) return `invoice ${numbers[0]}`;
  return `invoices ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** Why a choice is not booked: it is one of several, or there may be more. */
export function whySeveral(ways: number, tooMany: boolean): TriedSentence {
  return tooMany ? { id: 'tried-too-many' } : { id: 'tried-several', ways };
}

/** Why invoices are not matched with receipts: the amounts differ. */
export function whyAmountDiffers(
  currency: string,
  invoices: readonly OpenInvoice[],
  receipts: readonly OpenReceipt[],
): TriedSentence {
  const asked = invoices.reduce((sum, { outstanding }) => sum + outstanding, 0n);
  const paid = receipts.reduce((sum, { left }) => sum + left, 0n);
  return { id: 'tried-amount', asked: formatUnits(asked), left: formatUnits(paid), currency };
}

/** Why an invoice's date rules a receipt out: it is later, or more than `most` days before; null if it does not. */
export function whyTooFarApart(receipt: OpenReceipt, invoice: OpenInvoice, most: number): TriedSentence | null {
  const days = receipt.day - invoice.day;
  if (days < 0) return { id: 'tried-issued-later', days: -days };
  return days > most ? { id: 'tried-issued-long-before', days, most } : null;
}
