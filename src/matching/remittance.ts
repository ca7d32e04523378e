import { dayNumber } from '../base/day.ts';
import type { Units } from '../money/units.ts';
import { outstandingOf } from './model.ts';

/** One currency of an invoice, with the sums of its matches. */
export interface RemittanceInput {
  /** The day of its date, in the books' time zone. */
  readonly date: string;
  /** Zero for an invoice that vanished. */
  readonly net: Units;
  /** What was matched, less what was taken back. */
  readonly matched: Units;
  /** Agreed differences. */
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
  const late = dayNumber(today) - dayNumber(invoice.date) > lagDays;
  if (invoice.matches === 0) {
    if (invoice.net <= 0n) return 'settled';
    return invoice.isPaid && late ? 'missing' : 'waiting';
  }
  if (-outstanding > tolerance) return 'over';
  if (outstanding <= tolerance) return 'settled';
  return late ? 'short' : 'waiting';
}
