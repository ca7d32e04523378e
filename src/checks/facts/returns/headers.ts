import { headerUnder, netUnder } from '../../../money/returns.ts';
import type { CheckContext, NotComparable } from '../../check.ts';
import { returnsOf } from './convention.ts';

/** Why the header of an invoice with RETURN rows cannot be compared. */
export type ReturnsUndecidedSentence = { id: 'returns-convention-unknown' };

/** One currency of an invoice with RETURN rows: its header as stated, and as the convention would have it, in units. */
export interface HeaderWithReturns {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
  readonly header: Readonly<Record<'cod' | 'delivery_fee' | 'net_due_to_merchant', bigint>>;
  /** COD and fee by the rows, and the net by the header's own COD and fee. */
  readonly expected: Readonly<Record<'cod' | 'delivery_fee' | 'net_due_to_merchant', bigint>>;
}

/** The headers of these months' invoices that have RETURN rows with money. */
export interface HeadersWithReturns {
  readonly headers: readonly HeaderWithReturns[];
  /** All such invoices, compared or not: the plain sums of their rows must not be compared with their headers. */
  readonly invoiceNumbers: ReadonlySet<number>;
  /** The invoices whose convention is not known. */
  readonly notComparable: readonly NotComparable[];
}

/** Computes what the headers of invoices with RETURN rows should state, by the convention that is in force. */
export function headersWithReturns(context: CheckContext): Promise<HeadersWithReturns> {
  return context.facts.once('headers-with-returns', async () => {
    const { returns, candidates, invoices, uncompared } = await returnsOf(context);
    const ofMonths = [...invoices.values()].filter(({ period }) => context.periods.includes(period));
    const uncomparedNumbers = new Set(uncompared.map(({ number }) => number));
    // Without a known convention, what is compared has the same figures under every candidate.
    const convention = returns ?? candidates[0]!.convention;
    const headers = ofMonths
      .filter(({ number }) => !uncomparedNumbers.has(number))
      .flatMap(({ number, period, vanished_at, lines }) =>
        lines.map(({ currency, header, standard, returned }) => ({
          ...{ number, period, vanished_at, currency, header },
          expected: {
            ...headerUnder(convention, standard, returned),
            net_due_to_merchant: netUnder(convention, header, returned),
          },
        })),
      );
    const count = ofMonths.filter(({ number }) => uncomparedNumbers.has(number)).length;
    const why: ReturnsUndecidedSentence = { id: 'returns-convention-unknown' };
    return {
      headers,
      invoiceNumbers: new Set(ofMonths.map(({ number }) => number)),
      notComparable: count === 0 ? [] : [{ why, commands: [], count }],
    };
  });
}
