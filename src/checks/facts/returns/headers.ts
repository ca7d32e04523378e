import { headerUnder, netUnder } from '../../../money/returns.ts';
import type { CheckContext, NotComparable } from '../../check.ts';
import { returnsOf } from './standing.ts';

/** Why the header of an invoice with RETURN rows cannot be compared. */
export type ReturnsUndecidedSentence = { id: 'returns-convention-unknown' };

/** One currency of an invoice with RETURN rows, its header as stated and as the convention makes it, in units. */
export interface HeaderWithReturns {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
  readonly header: Readonly<Record<'cod' | 'delivery_fee' | 'net_due_to_merchant', bigint>>;
  /** COD and fee as the rows make them, and the net that the header's own COD and fee leave. */
  readonly expected: Readonly<Record<'cod' | 'delivery_fee' | 'net_due_to_merchant', bigint>>;
}

/** The headers of these months' invoices that hold RETURN rows with money. */
export interface HeadersWithReturns {
  readonly headers: readonly HeaderWithReturns[];
  /** Of all such invoices, compared or not: what any other arithmetic says of their headers does not hold. */
  readonly invoiceNumbers: ReadonlySet<number>;
  /** What was not compared, because no convention is known. */
  readonly notComparable: readonly NotComparable[];
}

/** Sets the headers of these months' invoices with RETURN rows beside their rows, by the convention that holds. */
export function headersWithReturns(context: CheckContext): Promise<HeadersWithReturns> {
  return context.facts.once('headers-with-returns', async () => {
    const { returns, candidates, invoices, uncompared } = await returnsOf(context);
    const ofMonths = [...invoices.values()].filter(({ period }) => context.periods.includes(period));
    const uncomparedNumbers = new Set(uncompared.map(({ number }) => number));
    // Where the conventions give the same figures, any of them does.
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
