/**
 * What is open of an invoice: whether receipts or the Paid flag settle it (`settlementOf`), what a person takes off it
 * without a receipt (`planSettlement`), and what the check finds in the money that came (`remittanceOf`).
 */
import { addDays, dayNumber } from '../base/day.ts';
import { UsageError } from '../base/errors.ts';
import { formatMoney } from '../money/decimal.ts';
import { amountOfUnits, sizeOf, type Units } from '../money/units.ts';
import { matchingError } from '../words/errors/matching.ts';
import { type Invoice, outstandingOf } from './model.ts';
import type { Days } from './statement-chain.ts';

/** One currency of an invoice, with what was matched to it and what the Paid flag settles. */
export interface SettlementInput extends Omit<RemittanceInput, 'matches' | 'isPaid'> {
  /** The number of its matches that have receipts: a settlement alone shows no money. */
  readonly paying: number;
  /** What was outstanding when the courier's Paid flag was first seen; zero without it, also if it was taken back. */
  readonly flagged: Units;
}

/** An invoice counts as paid by matched receipts, or by the courier's Paid flag. */
export type SettledBy = 'receipts' | 'courier';

/** How one currency of an invoice was settled. The four amounts add up to its net. */
export interface SettledParts {
  readonly by: SettledBy;
  /** Matched receipts, less what was taken back. */
  readonly received: Units;
  readonly differences: Units;
  /** What was outstanding when it was first seen as PAID, if no imported receipts could show the money. */
  readonly paid_on_word: Units;
  readonly outstanding: Units;
}

/**
 * Decides whether receipts or the Paid flag count for an invoice; nothing else does.
 *
 * An invoice is settled by receipts if a match in force with receipts uses it, or if receipts were imported for its
 * whole payment window: every day from its date to `remittance_lag_days` after it, in its currency. Then outstanding is
 * net less received and agreed differences. Otherwise the courier's Paid flag decides: what was outstanding when the
 * flag was first seen is settled. If the invoice was restated since, the change of its net is outstanding. If it has
 * vanished, its net is zero, and what was paid is outstanding as a negative amount.
 *
 * @param held the days for which receipts in its currency were imported
 * @param lagDays `remittance_lag_days`
 */
export function settlementOf(invoice: SettlementInput, held: readonly Days[], lagDays: number): SettledParts {
  const { net, matched, named, flagged } = invoice;
  if (isSettledByReceipts(invoice, held, lagDays)) {
    const outstanding = outstandingOf(invoice);
    return { by: 'receipts', received: matched, differences: named, paid_on_word: 0n, outstanding };
  }
  return { by: 'courier', received: 0n, differences: named, paid_on_word: flagged, outstanding: net - named - flagged };
}

/** The decision of {@link settlementOf} alone, also for a currency that the invoice no longer states. */
export function isSettledByReceipts(
  { date, paying }: Pick<SettlementInput, 'date' | 'paying'>,
  held: readonly Days[],
  lagDays: number,
): boolean {
  return paying > 0 || holdsAll(held, date, addDays(date, lagDays));
}

function holdsAll(held: readonly Days[], from: string, to: string): boolean {
  return held.some((days) => days.from <= from && days.to >= to);
}

/** Why something is taken off what is open of an invoice without a receipt. */
export type SettlementKind = 'write-off' | 'bank-charge' | 'rounding' | 'fx' | 'other';

/** One currency of an invoice, and what is open of it; negative if you owe. */
export type OpenAmount = { readonly number: number; readonly currency: string; readonly open: Units };

export interface SettlementLimits {
  readonly kind: SettlementKind;
  /** What to take off each invoice; null for all that is open. */
  readonly amount: Units | null;
  /** The most that may be taken off an invoice as rounding, in a currency. */
  readonly roundingLimit: (currency: string) => Units;
}

/** `amount`: what is taken off, with the sign of `open`. */
export interface PlannedSettlement extends OpenAmount {
  readonly amount: Units;
}

/**
 * Computes what a settlement takes off one currency of an invoice.
 *
 * @throws UsageError if nothing is open, if less is open than the amount, or if it is rounding and beyond the limit
 */
export function planSettlement(invoice: OpenAmount, { kind, amount: asked, roundingLimit }: SettlementLimits) {
  const { number, currency, open } = invoice;
  const say = (units: Units) => formatMoney({ currency, amount: amountOfUnits(units) });
  if (open === 0n) {
    throw new UsageError(matchingError({ id: 'nothing-open', number, currency })).at('amount');
  }
  const amount = asked === null ? open : withSignOf(open, asked);
  const isOtherWay = amount < 0n !== open < 0n;
  if (amount === 0n || isOtherWay || sizeOf(amount) > sizeOf(open)) {
    const sentence = { id: 'more-than-open', open: say(open), number, amount: say(amount) } as const;
    throw new UsageError(matchingError(sentence)).at('amount');
  }
  const limit = roundingLimit(currency);
  if (kind === 'rounding' && sizeOf(amount) > limit) {
    const setting = `rounding_limit = { ${currency} = "${amountOfUnits(sizeOf(amount)).toFixed()}" }`;
    const sums = { amount: say(amount), limit: say(limit) };
    throw new UsageError(matchingError({ id: 'more-than-rounding', ...sums, number, setting }));
  }
  return { ...invoice, amount };
}

/** You may give an amount without a sign also if you owe: 5 off -20 is -5. */
function withSignOf(open: Units, asked: Units): Units {
  return open < 0n && asked > 0n ? -asked : asked;
}

/** One currency of an invoice, with the sums of its matches. */
export interface RemittanceInput extends Pick<Invoice, 'date' | 'net' | 'matched'> {
  /** The sum of the differences that a person agreed to. */
  readonly named: Units;
  /** The number of matches in force that use the invoice, agreed differences included. */
  readonly matches: number;
  /** The courier's status is `PAID`. */
  readonly isPaid: boolean;
}

export interface RemittanceOptions {
  /** Days after the invoice's date within which the money may still be on its way (`remittance_lag_days`). */
  readonly lagDays: number;
  /** The largest difference, either way, that is accepted. */
  readonly tolerance: Units;
  /** The day of the check, `2026-10-31`. */
  readonly today: string;
}

export interface Remittance {
  /**
   * `settled`: within tolerance, or nothing is due. `waiting`: not paid yet, or not due yet. The others are the
   * findings `remittance-missing`, `remittance-short` and `remittance-over`.
   */
  readonly outcome: 'settled' | 'waiting' | 'missing' | 'short' | 'over';
  readonly received: Units;
  /** Net less received and agreed differences. */
  readonly outstanding: Units;
  /** The effect of the finding: negative is money short, positive is money not due to you; zero without a finding. */
  readonly effect: Units;
}

/**
 * Compares what was received for an invoice with what is due. An overpayment is a finding at once; a short payment only
 * after `remittance_lag_days`, because more may come until then. An invoice not marked paid is for `payment-overdue`.
 */
export function remittanceOf(invoice: RemittanceInput, options: RemittanceOptions): Remittance {
  const outstanding = outstandingOf(invoice);
  const outcome = outcomeOf(invoice, outstanding, options);
  const effect = outcome === 'missing' || outcome === 'short' || outcome === 'over' ? -outstanding : 0n;
  return { outcome, received: invoice.matched, outstanding, effect };
}

function outcomeOf(
  invoice: RemittanceInput,
  outstanding: Units,
  { lagDays, tolerance, today }: RemittanceOptions,
): Remittance['outcome'] {
  const isLate = dayNumber(today) - dayNumber(invoice.date) > lagDays;
  if (invoice.matches === 0) {
    if (invoice.net <= 0n) return 'settled';
    return invoice.isPaid && isLate ? 'missing' : 'waiting';
  }
  if (-outstanding > tolerance) return 'over';
  if (outstanding <= tolerance) return 'settled';
  return isLate ? 'short' : 'waiting';
}
