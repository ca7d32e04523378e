import type { Units } from '../../money/index.ts';
import { addDays } from '../day.ts';
import { type Days, holdsAll } from './days-held.ts';
import { outstandingOf } from './manual.ts';
import type { RemittanceInput } from './remittance.ts';

/** What says whether an invoice's money came in. */
export type SettledBy = 'receipts' | 'courier';

/** What came of one currency of an invoice. The four amounts together are its net. */
export interface Settlement {
  readonly by: SettledBy;
  /** What is matched to it, less what was taken back. */
  readonly received: Units;
  /** Differences that a person named. */
  readonly differences: Units;
  /** What the courier says that it paid, where no receipts are held that could show it. */
  readonly paid_on_word: Units;
  readonly outstanding: Units;
}

/**
 * What came of an invoice's money: the only definition of `received` and `outstanding`.
 *
 * An invoice is settled by receipts when a match in force touches it, or when receipts were imported for its payment window: every day
 * from its date to `remittance_lag_days` after it, in its currency. Its outstanding is then net less received and named differences,
 * whatever the courier calls it. Until then it is settled by the courier's word: nothing is outstanding of what is `PAID`, all of what
 * is not. Once receipts were imported for the window of a whole month, all of the month's invoices are settled by them.
 *
 * @param held the days of which receipts in its currency are held
 * @param lagDays `remittance_lag_days`
 */
export function settlementOf(invoice: RemittanceInput, held: readonly Days[], lagDays: number): Settlement {
  const { net, matched, named, paid } = invoice;
  if (settledBy(invoice, held, lagDays) === 'receipts') {
    const outstanding = outstandingOf(invoice);
    return { by: 'receipts', received: matched, differences: named, paid_on_word: 0n, outstanding };
  }
  const [paid_on_word, outstanding] = paid ? [net, 0n] : [0n, net];
  return { by: 'courier', received: 0n, differences: 0n, paid_on_word, outstanding };
}

/** What says whether an invoice's money came in, see {@link settlementOf}; also of a currency that it does not state any more. */
export function settledBy(
  { date, matches }: Pick<RemittanceInput, 'date' | 'matches'>,
  held: readonly Days[],
  lagDays: number,
): SettledBy {
  return matches > 0 || holdsAll(held, date, addDays(date, lagDays)) ? 'receipts' : 'courier';
}
