import { LedgerError } from '../../src/base/errors.ts';
import type { MonthTotals } from '../../src/ledger/queries/index.ts';
import {
  ExactDecimal,
  eachField,
  eachRowSum,
  FIELD_NAMES,
  formatAmount,
  MONEY_FIELDS,
  parseAmount,
} from '../../src/money/index.ts';
import type { Row } from '../model.ts';

type Figure = Exclude<keyof MonthTotals['currencies'][number], 'currency'> | 'received' | 'differences' | 'settled';

const NAMES: Readonly<Record<Figure, string>> = {
  ...eachField(MONEY_FIELDS, (field) => `${FIELD_NAMES[field]} of the invoices`),
  paid: 'net due of the paid invoices',
  unpaid: 'net due of the unpaid invoices',
  received: 'amounts received',
  differences: 'agreed differences',
  settled: 'amounts received, agreed, paid and outstanding',
  ...eachRowSum((field) => `${FIELD_NAMES[field]} of the rows`),
};

/** What the database sums, a currency. */
type ControlSums = { readonly currency: string } & Readonly<Partial<Record<Figure, ExactDecimal>>>;

/**
 * The control total: figures summed from rows by `Totals` against the same figures summed by the database. The two share no code,
 * so that a fault in either shows.
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
