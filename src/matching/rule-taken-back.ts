import { groupBy } from '../base/group.ts';
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
    const candidates = items.receipts.filter((credit) => mayBeTakenBack(items, debit, credit));
    const byInvoices = groupBy(candidates, (credit) => keyOf(paidBy(items, credit.id)));
    if (byInvoices.size === 0) continue;
    const ways = candidates.map(({ id }) => ({
      receipts: [id, debit.id],
      invoices: paidBy(items, id).map(({ number }) => number),
    }));
    if (byInvoices.size > 1 || items.namesOthers(debit, ways[0]!.invoices)) {
      markAmbiguous(items, ambiguous, debit, 'taken-back', withNamed(items, debit, ways), false);
      continue;
    }
    const credit = candidates.at(-1)!;
    takeBack(items, debit, credit);
    booked = true;
  }
  return booked;
};

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

function mayBeTakenBack(items: OpenItems, debit: OpenReceipt, credit: OpenReceipt): boolean {
  if (credit.amount !== -debit.left || debit.left !== debit.amount) return false;
  const days = debit.day - credit.day;
  if (days < 0 || days > items.options.matchDays) return false;
  const matches = [...items.held, ...items.matches];
  if (matches.some(({ reverses }) => reverses === credit.id)) return false;
  if (debit.namesOtherCurrency) return false;
  if (credit.left === credit.amount) return debit.names.strong.length === 0;
  const paid = paidBy(items, credit.id);
  // Only of a receipt that was used in full is every share known.
  if (credit.left !== 0n || sum(paid) !== credit.amount) return false;
  const { strong } = debit.names;
  return strong.length === 0 || strong.every((number) => paid.some((share) => share.number === number));
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
