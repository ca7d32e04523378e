import { LedgerError } from '../../src/base/errors.ts';
import type { MonthTotals } from '../../src/ledger/queries/invoices/totals.ts';
import { type ExactDecimal, formatAmount, parseAmount, ZERO } from '../../src/money/decimal.ts';
import { controlsError } from '../../src/words/errors/controls.ts';
import type { Row } from '../model.ts';

type Figure = Exclude<keyof MonthTotals['currencies'][number], 'currency'> | 'received' | 'differences' | 'settled';

/** The database's sums in one currency. */
type ControlSums = { readonly currency: string } & Readonly<Partial<Record<Figure, ExactDecimal>>>;

/**
 * The control total: figures summed from rows by `Totals` against the same figures summed by the database. The two
 * share no code, so that a fault in either shows.
 *
 * @param summed a table's totals, one row per currency
 * @throws LedgerError naming the first figure on which they differ
 */
export function assertControlTotal(
  month: string,
  figures: readonly Figure[],
  summed: readonly Row[],
  control: { readonly currencies: readonly ControlSums[] },
): void {
  for (const currency of new Set([...summed, ...control.currencies].map((sums) => sums.currency))) {
    for (const figure of figures) {
      const ofRows = parseAmount(String(summed.find((row) => row.currency === currency)?.[figure] ?? '0'));
      const ofDatabase = control.currencies.find((sums) => sums.currency === currency)?.[figure] ?? ZERO;
      if (ofRows.eq(ofDatabase)) continue;
      const [rows, database] = [formatAmount(ofRows), formatAmount(ofDatabase)];
      throw new LedgerError(
        controlsError({ id: 'total-fails', month, figure, currency: String(currency), rows, database }),
      );
    }
  }
}
