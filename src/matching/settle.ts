import { UsageError } from '../base/errors.ts';
import { formatMoney } from '../money/decimal.ts';
import { amountOfUnits, type Units } from '../money/units.ts';
import { because } from '../words/errors/matching.ts';

/** What may be taken off what is open of an invoice without a receipt. */
export type SettlementKind = 'write-off' | 'bank-charge' | 'rounding' | 'fx' | 'other';

/** One currency of an invoice, and what is open of it; negative where you owe. */
export interface OpenAmount {
  readonly number: number;
  readonly currency: string;
  readonly open: Units;
}

export interface SettleRequest {
  readonly kind: SettlementKind;
  /** What to take off each; null for all that is open. */
  readonly amount: Units | null;
  /** The most that may be called rounding on one invoice, in a currency. */
  readonly roundingLimit: (currency: string) => Units;
}

/** What is taken off what is open of an invoice, with the sign of what is open. */
export interface PlannedSettlement extends OpenAmount {
  readonly amount: Units;
}

/**
 * What a settlement takes off one currency of an invoice.
 *
 * @throws UsageError where nothing is open, less than that amount is, or more than the limit would be called rounding
 */
export function planSettlement(
  invoice: OpenAmount,
  { kind, amount: asked, roundingLimit }: SettleRequest,
): PlannedSettlement {
  const { number, currency, open } = invoice;
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  if (open === 0n) {
    throw new UsageError(because({ id: 'nothing-open', number, currency })).at('amount');
  }
  const amount = asked === null ? open : open < 0n && asked > 0n ? -asked : asked;
  if (amount === 0n || amount < 0n !== open < 0n || sizeOf(amount) > sizeOf(open)) {
    throw new UsageError(because({ id: 'more-than-open', open: say(open), number, amount: say(amount) })).at('amount');
  }
  const limit = roundingLimit(currency);
  if (kind === 'rounding' && sizeOf(amount) > limit) {
    throw new UsageError(
      because({
        id: 'more-than-rounding',
        amount: say(amount),
        number,
        limit: say(limit),
        setting: `rounding_limit = { ${currency} = "${amountOfUnits(sizeOf(amount)).toFixed()}" }`,
      }),
    );
  }
  return { ...invoice, amount };
}

function sizeOf(units: Units): Units {
  return units < 0n ? -units : units;
}
