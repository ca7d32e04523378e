import type { TriedSentence } from '../base/sentence.ts';
import type { InvoiceShare, Match } from './model.ts';
import type { OpenItems, OpenReceipt } from './open-items.ts';
import { type Rule, sayInvoices, whySeveral, withNamed } from './rule.ts';

/**
 * `taken-back`: a debit from a payer is money taken back. It reverses an earlier receipt of its amount: the invoices
 * that the receipt paid are outstanding again, or if it had paid none, the two cancel out. {@link whyNotTakenBack} says
 * which receipts it may reverse; if all of them paid the same invoices, it reverses the latest. If they did not, or the
 * debit's text names invoices, but not all that a receipt paid, the debit is ambiguous.
 */
export const takenBackRule: Rule = (items) => {
  let booked = false;
  for (const debit of items.openReceipts(-1)) {
    const candidates = items.receipts.filter((credit) => whyNotTakenBack(items, debit, credit) === null);
    if (candidates.length === 0) {
      sayNoneTakenBack(items, debit);
      continue;
    }
    const ways = candidates.map(({ id }) => ({
      receipts: [id, debit.id],
      invoices: paidBy(items, id).map(({ number }) => number),
    }));
    // Receipts that paid the same invoices are one choice.
    const choiceCount = new Set(candidates.map((credit) => keyOf(paidBy(items, credit.id)))).size;
    if (choiceCount > 1 || items.namesOthers(debit, ways[0]!.invoices)) {
      const why: TriedSentence = choiceCount > 1 ? whySeveral(choiceCount, false) : NAMES_OTHERS;
      for (const credit of candidates) say(items, debit, credit, why);
      // It may also be money back on the invoices that its text names: one more way.
      items.markAmbiguous(debit, { rule: 'taken-back', ways: withNamed(items, debit, ways) });
      continue;
    }
    const latest = candidates.at(-1)!;
    for (const earlier of candidates.slice(0, -1)) {
      say(items, debit, earlier, { id: 'tried-later-receipt', receipt: latest.id });
    }
    say(items, debit, latest, { id: 'tried-matched', rule: 'taken-back' });
    takeBack(items, debit, latest);
    booked = true;
  }
  return booked;
};

/** Records why a debit takes a receipt back or does not, with the invoices that the receipt paid. */
function say(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt, why: TriedSentence): void {
  if (items.tried === null) return;
  const invoices = items.invoicesOf(paidBy(items, credit.id).map(({ number }) => number));
  items.tried.say('taken-back', [credit, debit], invoices, why, debit.left);
}

/** Records for each receipt of the debit's amount why it is not taken back. */
function sayNoneTakenBack(items: OpenItems, debit: OpenReceipt): void {
  if (items.tried === null) return;
  const sameAmount = items.receipts.filter(({ amount }) => amount === -debit.amount);
  for (const credit of sameAmount) say(items, debit, credit, whyNotTakenBack(items, debit, credit)!);
  if (sameAmount.length > 0) return;
  items.tried.say('taken-back', [debit], [], { id: 'tried-nothing-to-take-back', days: items.matchDays });
}

function takeBack(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt): void {
  const paid = paidBy(items, credit.id);
  const evidence = `takes back receipt ${credit.id} of ${credit.date}`;
  if (paid.length === 0) {
    const shares = [credit, debit].map(({ id, left }) => ({ id, amount: left }));
    items.book('taken-back', shares, [], { evidence, reverses: credit.id });
    return;
  }
  items.book(
    'taken-back',
    [{ id: debit.id, amount: debit.left }],
    paid.map(({ number, amount }) => ({ number, amount: -amount })),
    { evidence: `${evidence}, which paid ${sayInvoices(paid)}`, reverses: credit.id },
  );
}

const USED_IN_PART: TriedSentence = { id: 'tried-used-in-part' };
const NAMES_OTHERS: TriedSentence = { id: 'tried-names-others' };

/** Why a debit does not take a receipt back; null if it may. */
function whyNotTakenBack(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt): TriedSentence | null {
  if (debit.left !== debit.amount) return USED_IN_PART;
  // Nobody reads the reason for a receipt of another amount.
  if (credit.amount !== -debit.amount) return USED_IN_PART;
  const days = debit.day - credit.day;
  if (days < 0) return { id: 'tried-received-later', days: -days };
  const most = items.matchDays;
  if (days > most) return { id: 'tried-received-long-before', days, most };
  const matches = [...items.held, ...items.matches];
  if (matches.some(({ reverses }) => reverses === credit.id)) return { id: 'tried-taken-back-already' };
  if (debit.namesOtherCurrency) return { id: 'tried-names-other-currency' };
  const isUnused = credit.left === credit.amount;
  const paid = isUnused ? [] : paidBy(items, credit.id);
  // Of a receipt that was matched with others to several invoices, not every share is known.
  const isUsedUp = credit.left === 0n && paid.reduce((sum, { amount }) => sum + amount, 0n) === credit.amount;
  if (!isUnused && !isUsedUp) return USED_IN_PART;
  // The debit may clearly name only what the receipt paid.
  const areNamedPaid = debit.names.strong.every((number) => paid.some((share) => share.number === number));
  return areNamedPaid ? null : NAMES_OTHERS;
}

/** The shares that invoices got of one receipt; none of a match of several receipts with several invoices. */
function paidBy(items: OpenItems, id: string): InvoiceShare[] {
  const payments = [...items.held, ...items.matches].filter(({ reverses }) => reverses === undefined);
  return payments.flatMap((match) => sharesOf(match, id));
}

function sharesOf({ receipts, invoices }: Match, id: string): readonly InvoiceShare[] {
  const receiptShare = receipts.find((share) => share.id === id);
  if (!receiptShare) return [];
  if (receipts.length === 1) return invoices;
  return invoices.length === 1 ? [{ number: invoices[0]!.number, amount: receiptShare.amount }] : [];
}

function keyOf(shares: readonly InvoiceShare[]): string {
  return shares.map(({ number, amount }) => `${number}:${amount}`).join();
}
