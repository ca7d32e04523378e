import { dayIn } from '../../../base/day.ts';
import { groupBy } from '../../../base/group.ts';
import {
  bookedOn,
  type InvoiceMoney,
  type ReceiptShare,
  type ReceivedMoney,
} from '../../../ledger/queries/balances/movements.ts';
import type { Known } from '../../../ledger/queries/invoices/history.ts';
import type { SettledBy } from '../../../matching/settle.ts';
import type { Units } from '../../../money/units.ts';
import type { InvoiceBooks, MatchBooks } from './match-books.ts';

/** What one receipt brought to one invoice; negative where it took back. */
export interface Flow {
  readonly match: number;
  readonly receipt: number;
  /** The receipt's day. */
  readonly date: string;
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
  readonly paid?: { readonly currency: string; readonly amount: Units };
}

/** A difference that a person named on an invoice, with a receipt or without. */
export interface NamedDifference {
  readonly match: number;
  /** The day on which it was decided. */
  readonly date: string;
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
  /** `bank-charge`, `rounding`, `other`; of a settlement also `write-off` and `fx`. */
  readonly kind: string;
}

/**
 * The matches in force, receipt by receipt and invoice by invoice, in their order. A match has one receipt or one invoice, so that its
 * shares say which brought what; a receipt that was taken back before it met an invoice brought nothing.
 */
export function flowsOf({ held, receipts }: Pick<MatchBooks, 'held' | 'receipts'>): Flow[] {
  return held.flatMap(({ id: match, currency, paid_currency, receipts: own, invoices }) => {
    const dateOf = (receipt: number) => receipts.get(receipt)!.date;
    const single = own.length === 1 ? own[0] : undefined;
    if (single) {
      const brought = invoices.filter(({ amount }) => amount !== 0n);
      const paid =
        paid_currency === null
          ? []
          : inProportion(single.amount, brought).map((amount) => ({ currency: paid_currency, amount }));
      return brought.map(({ number, amount }, at) => ({
        match,
        receipt: single.id,
        date: dateOf(single.id),
        number,
        currency,
        amount,
        ...(paid[at] ? { paid: paid[at] } : {}),
      }));
    }
    const [invoice] = invoices;
    if (!invoice) return [];
    return own.map(({ id, amount }) => ({
      match,
      receipt: id,
      date: dateOf(id),
      number: invoice.number,
      currency,
      amount,
    }));
  });
}

/** An amount, shared out as others are; the last takes what rounding leaves. */
function inProportion(amount: Units, others: readonly { readonly amount: Units }[]): Units[] {
  const total = others.reduce((sum, other) => sum + other.amount, 0n);
  let rest = amount;
  return others.map((other, at) => {
    const share = at === others.length - 1 ? rest : (amount * other.amount) / total;
    rest -= share;
    return share;
  });
}

/** The differences that are named in matches in force. */
export function namedDifferences({ held, timeZone }: Pick<MatchBooks, 'held' | 'timeZone'>): NamedDifference[] {
  return held.flatMap(({ id: match, at, currency, difference_kind, invoices }) =>
    invoices
      .filter(({ named }) => named !== 0n)
      .map(({ number, named }) => ({
        match,
        date: dayIn(at, timeZone),
        number,
        currency,
        amount: named,
        kind: difference_kind ?? 'other',
      })),
  );
}

function knownByMatch({ held, timeZone }: MatchBooks): (match: number) => Known {
  const matches = new Map(held.map((match) => [match.id, match]));
  return (match) => {
    const { evidence_id, at } = matches.get(match)!;
    return { evidence_id, seen_on: dayIn(at, timeZone) };
  };
}

/** What receipts brought to an invoice, and the differences that were agreed on it. */
export function invoiceMoney(books: MatchBooks): ReceivedMoney['of'] {
  const knownBy = knownByMatch(books);
  const moneyOf =
    (kind: InvoiceMoney['kind']) =>
    ({ match, number, date, currency, amount }: Flow | NamedDifference) => {
      return { number, kind, date, currency, amount, ...knownBy(match) };
    };
  const all = [...flowsOf(books).map(moneyOf('received')), ...namedDifferences(books).map(moneyOf('difference'))];
  const byNumber = groupBy(all, ({ number }) => number);
  return (number) => byNumber.get(number) ?? [];
}

/** What receipts say of invoices, for their balances. @param settled by what each invoice is settled, in each currency */
export function receivedMoney(settled: {
  readonly books: MatchBooks;
  readonly by: (invoice: { readonly number: number; readonly issued_on: string }, currency: string) => SettledBy;
  readonly invoices: readonly InvoiceBooks[];
}): ReceivedMoney {
  const { books, by, invoices } = settled;
  const knownBy = knownByMatch(books);
  const flows = flowsOf(books);
  const bookedOns = new Map(invoices.map((invoice) => [invoice.number, bookedOn(invoice)]));
  const byReceipt = groupBy(flows, ({ receipt }) => receipt);
  return {
    settles: (invoice, currency) => by(invoice, currency) === 'receipts',
    of: invoiceMoney(books),
    receipts: [...books.receipts.values()].flatMap(({ id, evidence_id, seen_at, date, currency, amount, left }) => {
      const own = byReceipt.get(id) ?? [];
      const isTheirs = books.theirs.has(id);
      if (own.length === 0 && !isTheirs) return [];
      // Whose it is shows the line itself, or only the match.
      const known = isTheirs
        ? { evidence_id, seen_on: dayIn(seen_at, books.timeZone) }
        : knownBy(Math.min(...own.map(({ match }) => match)));
      const shares = own.map(({ match, number, paid, ...flow }): ReceiptShare => {
        const worth = paid && { currency: flow.currency, amount: flow.amount };
        const booked = bookedOns.get(number) ?? date;
        return { match, number, amount: paid?.amount ?? flow.amount, worth, booked, ...knownBy(match) };
      });
      return [{ receipt: id, date, currency, amount: isTheirs ? amount : amount - left, shares, ...known }];
    }),
  };
}
