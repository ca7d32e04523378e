import { LedgerError } from '../../src/errors.ts';
import type { MonthTotals } from '../../src/ledger/read/index.ts';
import { ExactDecimal, formatAmount, parseAmount } from '../../src/money/index.ts';
import type { Row } from '../model.ts';

type Figure = Exclude<keyof MonthTotals['currencies'][number], 'currency'> | 'received' | 'differences' | 'settled';

const NAMES: Readonly<Record<Figure, string>> = {
  cod: 'COD of the invoices',
  delivery_fee: 'delivery fees of the invoices',
  net_due_to_merchant: 'net due of the invoices',
  paid: 'net due of the paid invoices',
  unpaid: 'net due of the unpaid invoices',
  received: 'amounts received',
  differences: 'named differences',
  settled: 'amounts received, named, paid and outstanding',
  order_cod: 'COD of the rows',
  order_delivery_fee: 'delivery fees of the rows',
};

/** What the database sums, a currency. */
type ControlSums = { readonly currency: string } & Readonly<Partial<Record<Figure, ExactDecimal>>>;

/**
 * The control total: figures that decimal.js has summed from rows against the same ones summed by the database. The two ways
 * share no code, so that a fault in either shows.
 *
 * @param summed a row a currency, as a table's totals
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
      const one = parseAmount(String(summed.find((row) => row.currency === currency)?.[figure] ?? '0'));
      const other = control.currencies.find((sums) => sums.currency === currency)?.[figure] ?? new ExactDecimal(0);
      if (one.eq(other)) continue;
      throw new LedgerError(
        `the control total of ${month} fails: the ${NAMES[figure]} come to ${formatAmount(one)} ${currency} row by row and to ${formatAmount(other)} ${currency} in the database`,
        'Nothing was written. Run `remit verify`; if it finds nothing, keep a copy of the ledger and report this.',
      );
    }
  }
}
