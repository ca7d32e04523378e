import type { Units } from '../../money/index.ts';
import { groupBy } from '../group.ts';
import type { CurrencyBooks, OpenReceipt } from './books-of-currency.ts';
import { type InvoiceShare, type Match, MOST_WAYS } from './model.ts';
import { openReceipts, type Rule, sayInvoices, setAside } from './rule.ts';

/**
 * A debit from a payer is money taken back. One that is an earlier receipt of the same amount, at most `match_days`
 * before, undoes it: the invoices that it paid ask for their money again. Where the receipt had met no invoice, the two
 * cancel out. Of receipts that paid the same invoices the latest is taken back; of others none is chosen.
 */
export const takenBackRule: Rule = (books, stuck) => {
  let booked = false;
  for (const debit of openReceipts(books, stuck, -1)) {
    const candidates = books.receipts.filter((credit) => mayBeTakenBack(books, debit, credit));
    const byInvoices = groupBy(candidates, (credit) => keyOf(paidBy(books, credit.id)));
    if (byInvoices.size === 0) continue;
    if (byInvoices.size > 1) {
      const ways = candidates.map(({ id }) => ({
        receipts: [id, debit.id],
        invoices: paidBy(books, id).map(({ number }) => number),
      }));
      setAside(books, stuck, debit, 'taken-back', ways.slice(0, MOST_WAYS), ways.length > MOST_WAYS);
      continue;
    }
    const credit = candidates.at(-1)!;
    takeBack(books, debit, credit);
    booked = true;
  }
  return booked;
};

function takeBack(books: CurrencyBooks, debit: OpenReceipt, credit: OpenReceipt): void {
  const paid = paidBy(books, credit.id);
  const evidence = `takes back receipt ${credit.id} of ${credit.date}`;
  if (paid.length === 0) {
    const shares = [credit, debit].map(({ id, left }) => ({ id, amount: left }));
    books.book('taken-back', shares, [], { evidence, reverses: credit.id });
    return;
  }
  const numbers = paid.map(({ number }) => number);
  books.book(
    'taken-back',
    [{ id: debit.id, amount: debit.left }],
    paid.map(({ number, amount }) => ({ number, amount: -amount })),
    { evidence: `${evidence}, which paid ${sayInvoices(numbers)}`, reverses: credit.id },
  );
}

function mayBeTakenBack(books: CurrencyBooks, debit: OpenReceipt, credit: OpenReceipt): boolean {
  if (credit.amount !== -debit.left || debit.left !== debit.amount) return false;
  const days = debit.day - credit.day;
  if (days < 0 || days > books.options.matchDays) return false;
  const matches = [...books.held, ...books.matches];
  if (matches.some(({ reverses }) => reverses === credit.id)) return false;
  if (credit.left === credit.amount) return debit.names.strong.length === 0;
  const paid = paidBy(books, credit.id);
  // Only a receipt that was used whole, and alone, is known to the last digit.
  if (credit.left !== 0n || sum(paid) !== credit.amount) return false;
  const { strong } = debit.names;
  return strong.length === 0 || strong.every((number) => paid.some((share) => share.number === number));
}

/** What one receipt brought to which invoices, where its matches say so without doubt. */
function paidBy(books: CurrencyBooks, id: string): InvoiceShare[] {
  const mine = [...books.held, ...books.matches].filter(
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
