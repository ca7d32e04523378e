import { dayIn } from '../../../base/day.ts';
import { groupBy } from '../../../base/group.ts';
import {
  bookedOn,
  type InvoiceMoney,
  type MatchedShare,
  type ReceivedMoney,
} from '../../../ledger/queries/balances/movements.ts';
import type { Known } from '../../../ledger/queries/invoices/history.ts';
import type { Units } from '../../../money/units.ts';
import type { InvoiceBooks, MatchBooks } from './match-books.ts';

/** The money that one receipt brought to one invoice; negative if the courier took it back. */
export interface Flow {
  readonly match: number;
  readonly receipt: number;
  /** The receipt's day. */
  readonly date: string;
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
  /** The amount in the receipt's currency, if that differs from the invoice's. */
  readonly paid?: { readonly currency: string; readonly amount: Units };
}

/** A difference that a person named on an invoice, with a receipt or without. `date`: the day of the decision. */
export interface NamedDifference extends Omit<Flow, 'receipt' | 'paid'> {
  /** `bank-charge`, `rounding`, `other`; of a settlement also `write-off` and `fx`. */
  readonly kind: string;
}

/**
 * The matches in force as one entry per receipt and invoice, in the order of the matches. A match has one receipt or
 * one invoice, so that its shares tell which receipt paid which invoice. It has no entry if a debit took the receipt
 * back before it paid any invoice, and none for an invoice of which it only takes a difference off.
 */
export function flowsOf({ held, receipts }: Pick<MatchBooks, 'held' | 'receipts'>): Flow[] {
  return held.flatMap(({ id: match, currency, paid_currency, receipts: matchedReceipts, invoices }) => {
    const ofReceipt = (receipt: number) => ({ match, receipt, date: receipts.get(receipt)!.date, currency });
    const [receipt] = matchedReceipts;
    if (receipt && matchedReceipts.length === 1) {
      const paidInvoices = invoices.filter(({ amount }) => amount !== 0n);
      const paid = paid_currency === null ? [] : inProportion(receipt.amount, paidInvoices);
      return paidInvoices.map(({ number, amount }, at) => ({
        ...ofReceipt(receipt.id),
        number,
        amount,
        ...(paid_currency === null ? {} : { paid: { currency: paid_currency, amount: paid[at]! } }),
      }));
    }
    const [invoice] = invoices;
    if (!invoice) return [];
    return matchedReceipts.map(({ id, amount }) => ({ ...ofReceipt(id), number: invoice.number, amount }));
  });
}

/** Shares an amount out in the proportions of others; the last takes what rounding leaves: 10 by 1, 1, 1 is 3, 3, 4. */
function inProportion(amount: Units, parts: readonly { readonly amount: Units }[]): Units[] {
  const total = parts.reduce((sum, part) => sum + part.amount, 0n);
  let left = amount;
  return parts.map((part, at) => {
    const isLast = at === parts.length - 1;
    const share = isLast ? left : (amount * part.amount) / total;
    left -= share;
    return share;
  });
}

/** The differences that people named in matches in force. */
export function namedDifferences({ held, timeZone }: Pick<MatchBooks, 'held' | 'timeZone'>): NamedDifference[] {
  return held.flatMap(({ id: match, at, currency, difference_kind, invoices }) => {
    const decided = { match, date: dayIn(at, timeZone), currency, kind: difference_kind ?? 'other' };
    const differing = invoices.filter(({ named }) => named !== 0n);
    return differing.map(({ number, named }) => ({ ...decided, number, amount: named }));
  });
}

/** Makes the function that says when a match became known, by its id. */
function knownByMatch({ held, timeZone }: MatchBooks): (match: number) => Known {
  const matches = new Map(held.map((match) => [match.id, match]));
  return (match) => {
    const { evidence_id, at } = matches.get(match)!;
    return { evidence_id, seen_on: dayIn(at, timeZone) };
  };
}

/** Makes the function that finds an invoice's shares of receipts and its agreed differences, by its number. */
export function invoiceMoney(books: MatchBooks): ReceivedMoney['of'] {
  const knownBy = knownByMatch(books);
  const moneyOf =
    (kind: InvoiceMoney['kind']) =>
    ({ match, number, date, currency, amount }: Flow | NamedDifference) => {
      return { number, kind, date, currency, amount, ...knownBy(match) };
    };
  const received = flowsOf(books).map(moneyOf('received'));
  const differences = namedDifferences(books).map(moneyOf('difference'));
  const byNumber = groupBy([...received, ...differences], ({ number }) => number);
  return (number) => byNumber.get(number) ?? [];
}

/** The part of the settlements that balances rest on. */
interface SettledBooks extends Pick<ReceivedMoney, 'settles'> {
  readonly books: MatchBooks;
  readonly invoices: readonly InvoiceBooks[];
}

/** The receipts' part in the balances. */
export function receivedMoney({ books, settles, invoices }: SettledBooks): ReceivedMoney {
  const knownBy = knownByMatch(books);
  const flows = flowsOf(books);
  const bookedOns = new Map(invoices.map((invoice) => [invoice.number, bookedOn(invoice)]));
  const byReceipt = groupBy(flows, ({ receipt }) => receipt);
  return {
    settles,
    of: invoiceMoney(books),
    receipts: [...books.receipts.values()].flatMap(({ id, evidence_id, seen_at, date, currency, amount, left }) => {
      const receiptFlows = byReceipt.get(id) ?? [];
      const isCouriersByLine = books.courierReceipts.has(id);
      if (receiptFlows.length === 0 && !isCouriersByLine) return [];
      // That it is the courier's is known from the line itself, or only from the match.
      const known = isCouriersByLine
        ? { evidence_id, seen_on: dayIn(seen_at, books.timeZone) }
        : knownBy(Math.min(...receiptFlows.map(({ match }) => match)));
      const shares = receiptFlows.map(({ match, number, paid, ...flow }): MatchedShare => {
        const worth = paid && { currency: flow.currency, amount: flow.amount };
        const booked = bookedOns.get(number) ?? date;
        return { match, number, amount: paid?.amount ?? flow.amount, worth, booked, ...knownBy(match) };
      });
      // If only a match makes the receipt the courier's, only the part that matches use is the courier's.
      return [{ receipt: id, date, currency, amount: isCouriersByLine ? amount : amount - left, shares, ...known }];
    }),
  };
}
