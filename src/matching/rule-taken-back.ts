import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import type { Units } from '../money/units.ts';
import type { InvoiceShare, Match } from './model.ts';
import type { OpenItems, OpenReceipt } from './open-items.ts';
import { markAmbiguous, openReceipts, type Rule, sayInvoices, withNamed } from './rule.ts';

/**
 * A debit from a payer is money taken back. One of the same amount as an earlier receipt, at most `match_days` before, reverses it:
 * the invoices that the receipt paid are outstanding again. Where the receipt had paid none, the two cancel out. Of several receipts
 * that paid the same invoices the latest is reversed; otherwise none is chosen, nor where the debit names an invoice and the receipt
 * paid another.
 */
export const takenBackRule: Rule = (items, ambiguous) => {
  let booked = false;
  for (const debit of openReceipts(items, ambiguous, -1)) {
    const candidates = items.receipts.filter((credit) => whyNotTakenBack(items, debit, credit) === null);
    const byInvoices = groupBy(candidates, (credit) => keyOf(paidBy(items, credit.id)));
    if (byInvoices.size === 0) {
      sayNothing(items, debit);
      continue;
    }
    const ways = candidates.map(({ id }) => ({
      receipts: [id, debit.id],
      invoices: paidBy(items, id).map(({ number }) => number),
    }));
    if (byInvoices.size > 1 || items.namesOthers(debit, ways[0]!.invoices)) {
      const why: TriedSentence =
        byInvoices.size > 1 ? { id: 'tried-several', ways: byInvoices.size } : { id: 'tried-names-others' };
      for (const credit of candidates) say(items, debit, credit, why);
      markAmbiguous(items, ambiguous, debit, 'taken-back', withNamed(items, debit, ways), false);
      continue;
    }
    const credit = candidates.at(-1)!;
    for (const other of candidates.slice(0, -1)) {
      say(items, debit, other, { id: 'tried-later-receipt', receipt: credit.id });
    }
    say(items, debit, credit, { id: 'tried-matched', rule: 'taken-back' });
    takeBack(items, debit, credit);
    booked = true;
  }
  return booked;
};

/** Tells why a debit takes a receipt back, with the invoices that it paid, or does not. */
function say(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt, why: TriedSentence): void {
  if (items.tried === null) return;
  const invoices = items.invoicesOf(paidBy(items, credit.id).map(({ number }) => number));
  items.tried.say('taken-back', { receipts: [credit, debit], invoices }, why, debit.left);
}

/** Tells of each receipt of the debit's amount why it is not taken back. */
function sayNothing(items: OpenItems, debit: OpenReceipt): void {
  if (items.tried === null) return;
  const equal = items.receipts.filter(({ amount }) => amount === -debit.amount);
  for (const credit of equal) say(items, debit, credit, whyNotTakenBack(items, debit, credit)!);
  if (equal.length > 0) return;
  const why = { id: 'tried-nothing-to-take-back', days: items.options.matchDays } as const;
  items.tried.say('taken-back', { receipts: [debit], invoices: [] }, why);
}

function takeBack(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt): void {
  const paid = paidBy(items, credit.id);
  const evidence = `takes back receipt ${credit.id} of ${credit.date}`;
  if (paid.length === 0) {
    const shares = [credit, debit].map(({ id, left }) => ({ id, amount: left }));
    items.book('taken-back', shares, [], { evidence, reverses: credit.id });
    return;
  }
  const numbers = paid.map(({ number }) => number);
  items.book(
    'taken-back',
    [{ id: debit.id, amount: debit.left }],
    paid.map(({ number, amount }) => ({ number, amount: -amount })),
    { evidence: `${evidence}, which paid ${sayInvoices(numbers)}`, reverses: credit.id },
  );
}

const USED_IN_PART: TriedSentence = { id: 'tried-used-in-part' };

/** Why a debit does not take a receipt back; null where it may. */
function whyNotTakenBack(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt): TriedSentence | null {
  if (credit.amount !== -debit.left || debit.left !== debit.amount) return USED_IN_PART;
  const days = debit.day - credit.day;
  if (days < 0) return { id: 'tried-received-later', days: -days };
  const most = items.options.matchDays;
  if (days > most) return { id: 'tried-received-long-before', days, most };
  const matches = [...items.held, ...items.matches];
  if (matches.some(({ reverses }) => reverses === credit.id)) return { id: 'tried-taken-back-already' };
  if (debit.namesOtherCurrency) return { id: 'tried-names-other-currency' };
  const { strong } = debit.names;
  if (credit.left === credit.amount) return strong.length === 0 ? null : { id: 'tried-names-others' };
  const paid = paidBy(items, credit.id);
  // Only of a receipt that was used in full is every share known.
  if (credit.left !== 0n || sum(paid) !== credit.amount) return USED_IN_PART;
  const isNamed = strong.every((number) => paid.some((share) => share.number === number));
  return isNamed ? null : { id: 'tried-names-others' };
}

/** How much of one receipt went to which invoices, where its matches say so. */
function paidBy(items: OpenItems, id: string): InvoiceShare[] {
  const mine = [...items.held, ...items.matches].filter(
    ({ receipts, reverses }) => reverses === undefined && receipts.some((share) => share.id === id),
  );
  return mine.flatMap((match) => sharesOf(match, id));
}

function sharesOf(match: Match, id: string): readonly InvoiceShare[] {
  const alone = match.invoices.length === 1 ? match.invoices[0] : undefined;
  const own = match.receipts.find((share) => share.id === id)!;
  if (match.receipts.length === 1) return match.invoices;
  return alone ? [{ number: alone.number, amount: own.amount }] : [];
}

function keyOf(shares: readonly InvoiceShare[]): string {
  return shares.map(({ number, amount }) => `${number}:${amount}`).join();
}

function sum(shares: readonly InvoiceShare[]): Units {
  return shares.reduce((total, { amount }) => total + amount, 0n);
}
