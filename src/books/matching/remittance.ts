import type { Units } from '../../money/index.ts';
import { dayNumber } from '../day.ts';
import { outstandingOf } from './manual.ts';

/** One currency of an invoice, with what its matches come to. */
export interface RemittanceInput {
  /** The day of `issued_at`, in its own offset. */
  readonly date: string;
  /** Zero for an invoice that vanished. */
  readonly net: Units;
  /** What matches brought, less what was taken back. */
  readonly matched: Units;
  /** Differences that a person named. */
  readonly named: Units;
  /** Matches in force that touch the invoice, named differences included. */
  readonly matches: number;
  /** The courier says that it is `PAID`. */
  readonly paid: boolean;
}

export interface RemittanceOptions {
  /** Days from the invoice's date in which the money may be on its way (`remittance_lag_days`). */
  readonly lagDays: number;
  /** The largest difference, either way, that is let pass. */
  readonly tolerance: Units;
  /** The day of the check, `2026-10-31`. */
  readonly today: string;
}

export interface Remittance {
  /**
   * `settled`: within tolerance. `waiting`: not paid yet, or still within its days. The others are the findings
   * `remittance-missing`, `remittance-short` and `remittance-over`.
   */
  readonly outcome: 'settled' | 'waiting' | 'missing' | 'short' | 'over';
  readonly received: Units;
  /** Net less what was received and what a person named. */
  readonly outstanding: Units;
  /** How far the merchant is off: negative is money short, positive money that is not due; zero for no finding. */
  readonly effect: Units;
}

/**
 * What came of an invoice's money. Too much is a finding at once; too little once the courier says that it paid, or
 * when the days have passed since a part came. An invoice that the courier never called paid, and of which nothing
 * came, is a matter of `payment-overdue`.
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
    return invoice.paid && late ? 'missing' : 'waiting';
  }
  if (-outstanding > tolerance) return 'over';
  if (outstanding <= tolerance) return 'settled';
  return invoice.paid || late ? 'short' : 'waiting';
}
