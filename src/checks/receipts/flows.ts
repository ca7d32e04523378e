import { groupBy } from '../../books/group.ts';
import type { InvoiceMoney, ReceivedMoney } from '../../ledger/read/index.ts';
import type { Units } from '../../money/index.ts';
import type { MatchBooks } from './match-books.ts';
import type { Settlements } from './settlements.ts';

/** What one receipt brought to one invoice; negative where it took back. */
export interface Flow {
  readonly match: number;
  readonly receipt: number;
  /** The receipt's day. */
  readonly date: string;
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
}

/** A difference that a person named on an invoice. */
export interface NamedDifference {
  readonly match: number;
  /** The day of the last receipt of the match. */
  readonly date: string;
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
  /** `bank-charge`, `rounding`, `other`. */
  readonly kind: string;
}

/**
 * The matches in force, receipt by receipt and invoice by invoice, in their order. A match has one receipt or one invoice, so that its
 * shares say which brought what; a receipt that was taken back before it met an invoice brought nothing.
 */
export function flowsOf({ held, receipts }: Pick<MatchBooks, 'held' | 'receipts'>): Flow[] {
  return held.flatMap(({ id: match, currency, receipts: own, invoices }) => {
    const dateOf = (receipt: number) => receipts.get(receipt)!.date;
    const single = own.length === 1 ? own[0] : undefined;
    if (single) {
      return invoices
        .filter(({ amount }) => amount !== 0n)
        .map(({ number, amount }) => ({
          match,
          receipt: single.id,
          date: dateOf(single.id),
          number,
          currency,
          amount,
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

/** The differences that are named in matches in force. */
export function namedDifferences({ held, receipts }: Pick<MatchBooks, 'held' | 'receipts'>): NamedDifference[] {
  return held.flatMap(({ id: match, currency, difference_kind, receipts: own, invoices }) => {
    const date = own
      .map(({ id }) => receipts.get(id)!.date)
      .sort()
      .at(-1)!;
    return invoices
      .filter(({ named }) => named !== 0n)
      .map(({ number, named }) => ({ match, date, number, currency, amount: named, kind: difference_kind ?? 'other' }));
  });
}

/** What receipts say of invoices, for their balances. */
export function receivedMoney({ books, by }: Settlements): ReceivedMoney {
  const matches = new Map(books.held.map((match) => [match.id, match]));
  const moneyOf =
    (kind: InvoiceMoney['kind']) =>
    ({ match, number, date, currency, amount }: Flow | NamedDifference) => {
      const { evidence_id, at: seen_at } = matches.get(match)!;
      return { number, kind, date, currency, amount, evidence_id, seen_at };
    };
  const all = [...flowsOf(books).map(moneyOf('received')), ...namedDifferences(books).map(moneyOf('difference'))];
  const byNumber = groupBy(all, ({ number }) => number);
  return {
    settles: (invoice, currency) => by(invoice, currency) === 'receipts',
    of: (number) => byNumber.get(number) ?? [],
  };
}
