import { addDays } from '../base/day.ts';
import { UsageError } from '../base/errors.ts';
import { formatMoney } from '../money/format.ts';
import { amountOfUnits, sizeOf, type Units } from '../money/units.ts';
import { because } from '../words/errors/matching.ts';
import { outstandingOf } from './model.ts';
import type { RemittanceInput } from './remittance.ts';
import type { Days } from './statement-chain.ts';

/** One currency of an invoice, with what may settle it. */
export interface SettlementInput extends Omit<RemittanceInput, 'matches' | 'paid'> {
  /** How many of its matches have receipts: a settlement alone shows no money. */
  readonly paying: number;
  /** What the courier's Paid flag cleared: what was still asked for when it was first seen. Nothing where the flag was taken back. */
  readonly flagged: Units;
}

/** An invoice counts as paid by matched receipts, or by the courier's Paid flag. */
export type SettledBy = 'receipts' | 'courier';

/** How one currency of an invoice was settled. The four amounts sum to its net. */
export interface Settlement {
  readonly by: SettledBy;
  /** Matched receipts, less what was taken back. */
  readonly received: Units;
  readonly differences: Units;
  /** What was asked for when it was first seen as PAID, where no receipts were imported that could show the money. */
  readonly paid_on_word: Units;
  readonly outstanding: Units;
}

/**
 * Decides whether receipts or the Paid flag count for an invoice; nothing else does.
 *
 * An invoice is settled by receipts when a match in force with receipts uses it, or when receipts were imported for its payment window: every day
 * from its date to `remittance_lag_days` after it, in its currency. Outstanding is then net less received and agreed differences. Until
 * then the courier's Paid flag decides: what a `PAID` invoice asked for when the flag was first seen is not outstanding. What a restatement changed
 * since is, and so is what was paid of an invoice that vanished. Once receipts were imported for the windows of a whole month, all of its
 * invoices are settled by receipts.
 *
 * @param held the days for which receipts in its currency were imported
 * @param lagDays `remittance_lag_days`
 */
export function settlementOf(invoice: SettlementInput, held: readonly Days[], lagDays: number): Settlement {
  const { net, matched, named, flagged } = invoice;
  if (settledBy(invoice, held, lagDays) === 'receipts') {
    const outstanding = outstandingOf(invoice);
    return { by: 'receipts', received: matched, differences: named, paid_on_word: 0n, outstanding };
  }
  return { by: 'courier', received: 0n, differences: named, paid_on_word: flagged, outstanding: net - named - flagged };
}

/** See {@link settlementOf}; it may be asked of a currency, too, that the invoice no longer states. */
export function settledBy(
  { date, paying }: Pick<SettlementInput, 'date' | 'paying'>,
  held: readonly Days[],
  lagDays: number,
): SettledBy {
  return paying > 0 || holdsAll(held, date, addDays(date, lagDays)) ? 'receipts' : 'courier';
}

function holdsAll(held: readonly Days[], from: string, to: string): boolean {
  return held.some((days) => days.from <= from && days.to >= to);
}

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
  const amount = asked === null ? open : withSignOf(open, asked);
  const isOtherWay = amount < 0n !== open < 0n;
  if (amount === 0n || isOtherWay || sizeOf(amount) > sizeOf(open)) {
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

/** An amount without a sign is taken off what you owe, too: 5 of -20 is -5. */
function withSignOf(open: Units, asked: Units): Units {
  return open < 0n && asked > 0n ? -asked : asked;
}
