import { dayIn } from '../../src/base/day.ts';
import { namedDifferences, receivedMoney } from '../../src/checks/facts/receipts/flows.ts';
import type { Settlements } from '../../src/checks/facts/receipts/settlements.ts';
import {
  type BookedReceipt,
  bookedOn,
  bookReceipt,
  type CloseOfMonth,
  dayToBook,
} from '../../src/ledger/queries/balances/movements.ts';
import type { Units } from '../../src/money/units.ts';
import type { JournalTransaction, ReceivableShare } from './model.ts';
import { postAllocated, postExchanged, postNamedDifference, postReceived } from './post.ts';

/**
 * Books each receipt of the courier, and each that a person matched, on its own day. An invoice's part is never booked
 * before the invoice is: until then, and if no invoice is known for it, it is unallocated. What was imported or matched
 * after the day's month was closed is booked on the day of the import or the match.
 */
export function postReceipts(settlements: Settlements, closed: readonly CloseOfMonth[]): JournalTransaction[] {
  const received = receivedMoney(settlements).receipts.flatMap((receipt) => postReceipt(bookReceipt(receipt, closed)));
  return [...received, ...postDifferences(settlements, closed)].filter((transaction) => transaction !== null);
}

/**
 * A receipt of 100.00 of 3 October pays 60.00 of an invoice of 1 October and 40.00 of one of 7 October: on the 3rd
 * 60.00 are booked to the first invoice and 40.00 are unallocated, until they are booked to the second on the 7th.
 */
function postReceipt({ receipt: id, date, currency, amount, shares }: BookedReceipt): (JournalTransaction | null)[] {
  const receipt = String(id);
  // `worth`: the share in the currency of its invoice, if that is not the receipt's.
  const exchanged = shares.flatMap(({ worth, ...share }) => (worth ? [{ ...share, worth }] : []));
  const sameCurrency = shares.filter(({ worth }) => !worth);
  const withReceipt = sameCurrency.filter((share) => share.date === date);
  const later = sameCurrency.filter((share) => share.date !== date);
  const withInvoice = sumByInvoice(later.filter(({ isLate }) => !isLate));
  // Matched only after the month of the receipt or invoice was closed: each is booked by its match.
  const withMatch = later.filter(({ isLate }) => isLate);
  const numbers = [...new Set(shares.map(({ number }) => number))];
  return [
    postReceived({
      receipt,
      date,
      currency,
      amount,
      allocated: sumOf(withReceipt),
      exchanged: sumOf(exchanged.filter((share) => share.date === date)),
      invoices: numbers,
      shares: numbers.length > 1 ? sharesOf(withReceipt) : [],
    }),
    ...exchanged.flatMap(({ worth, amount: paid, match, ...share }) =>
      postExchanged({
        receipt,
        ...share,
        ...worth,
        paid: { currency, amount: paid },
        isLater: share.date !== date,
        mark: `M${match}`,
      }),
    ),
    ...withInvoice.map((share) => postAllocated({ receipt, currency, ...share })),
    ...withMatch.map((share) => postAllocated({ receipt, currency, ...share, mark: `M${share.match}` })),
  ];
}

/** Books each agreed difference on the day of its decision or, if that is later, of its invoice. */
function postDifferences({ books, invoices }: Settlements, closed: readonly CloseOfMonth[]) {
  const invoiceDays = new Map(invoices.map((invoice) => [invoice.number, bookedOn(invoice)]));
  const matches = new Map(
    books.held.map(({ id, evidence_id, at }) => [id, { evidence_id, seen_on: dayIn(at, books.timeZone) }]),
  );
  return namedDifferences(books).map((difference) => {
    const { match, number, date: decidedOn } = difference;
    const invoiceOn = invoiceDays.get(number) ?? decidedOn;
    const date = dayToBook(decidedOn < invoiceOn ? invoiceOn : decidedOn, matches.get(match)!, closed);
    return postNamedDifference({ ...difference, id: `${match}-${number}`, date });
  });
}

type Share = Pick<BookedReceipt['shares'][number], 'number' | 'amount' | 'date'>;

function sumOf(shares: readonly { readonly amount: Units }[]): Units {
  return shares.reduce((sum, { amount }) => sum + amount, 0n);
}

/** What each invoice got, with the sign that the courier receivable has. */
function sharesOf(shares: readonly Share[]): ReceivableShare[] {
  return sumByInvoice(shares).map(({ number, amount }) => ({ number, amount: -amount }));
}

/** Two matches may give one invoice parts of one receipt. */
function sumByInvoice(shares: readonly Share[]): Share[] {
  const sums = new Map<number, Share>();
  for (const { number, amount, date } of shares) {
    sums.set(number, { number, date, amount: (sums.get(number)?.amount ?? 0n) + amount });
  }
  return [...sums.values()];
}
