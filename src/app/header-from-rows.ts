import { type Returns, readReturns } from '../checks/facts/returns/convention.ts';
import type { MoneyField, RowSumField } from '../money/fields.ts';
import { type FigureStep, type HeaderUnits, type ReturnStep, stepsOfReturns } from '../money/returns.ts';
import { formatUnits, parseUnits, type Units } from '../money/units.ts';
import type { Books } from './books.ts';
import { readEachCourier } from './each-courier.ts';

/** One step from the sum of invoices' rows to a figure in their headers, in one currency. */
export interface HeaderStep {
  readonly figure: keyof HeaderUnits;
  /** How a convention for RETURN rows changes the figure; `left`: the difference that no RETURN row explains. */
  readonly step: ReturnStep | 'left';
  readonly amount: string;
  /** The check whose mismatches explain it further; null where nothing is wrong. */
  readonly code: string | null;
}

/** The headers' figures and the rows' sums in one currency, as decimal text; zero where absent. */
type Stated = Readonly<Partial<Record<MoneyField | RowSumField, string>>> & { readonly currency: string };

/** The check that compares each figure of a header with the rows. */
const CODES: Readonly<Record<keyof HeaderUnits, string>> = {
  cod: 'invoice-cod-total',
  delivery_fee: 'invoice-fee-total',
  net_due_to_merchant: 'invoice-net',
};

/**
 * The steps by which the sums of rows become the headers: the rows' COD and fee plus their steps are the headers' COD
 * and fee, and COD less fee plus the net's steps is the net. Where the courier deducts returns, rows of 100.00 and a
 * RETURN row of 5.00 sum up to 105.00: `rows_left_out` -5.00 and `returns_deducted` -5.00 make the header's 95.00.
 *
 * @param isIncluded whether an invoice is among those whose figures are `stated`
 */
export function stepsToHeader(
  { returns, candidates, invoices, uncompared }: Returns,
  isIncluded: (invoice: Returns['uncompared'][number]) => boolean,
  stated: Stated,
): HeaderStep[] {
  const { currency } = stated;
  // Where the conventions give the same figures, any of them does.
  const convention = returns ?? candidates[0]?.convention ?? 'as-stated';
  const steps = new Map<string, FigureStep<ReturnStep | 'left'>>();
  const add = (step: FigureStep<ReturnStep | 'left'>) => {
    const key = `${step.figure} ${step.step}`;
    steps.set(key, { ...step, units: (steps.get(key)?.units ?? 0n) + step.units });
  };
  const compared = [...invoices.values()].filter((invoice) => isIncluded(invoice) && !uncompared.includes(invoice));
  for (const { lines } of compared) {
    for (const line of lines.filter((each) => each.currency === currency)) {
      for (const step of stepsOfReturns(convention, line.returned)) add(step);
    }
  }
  const explained = (figure: string) =>
    [...steps.values()].filter((step) => step.figure === figure).reduce((sum, step) => sum + step.units, 0n);
  const unitsOf = (figure: MoneyField | RowSumField) => parseUnits(stated[figure] ?? '0');
  // What is left between a header's figure and the sum `from`, once the convention has explained its part.
  const addDifference = (figure: keyof HeaderUnits, from: Units) =>
    add({ figure, step: 'left', units: unitsOf(figure) - from - explained(figure) });
  addDifference('cod', unitsOf('order_cod'));
  addDifference('delivery_fee', unitsOf('order_delivery_fee'));
  addDifference('net_due_to_merchant', unitsOf('cod') - unitsOf('delivery_fee'));
  const isUndecided = uncompared.some(
    (invoice) => isIncluded(invoice) && invoice.lines.some((line) => line.currency === currency),
  );
  const codeOf = ({ figure, step }: Pick<HeaderStep, 'figure' | 'step'>) => {
    if (step !== 'left') return null;
    return isUndecided ? 'returns-undecided' : CODES[figure];
  };
  return [...steps.values()]
    .filter(({ units }) => units !== 0n)
    .map(({ units, ...step }) => ({ ...step, amount: formatUnits(units), code: codeOf(step) }));
}

/** The steps of a month's invoices, per courier and currency. @param totals the rows of `report totals` */
export async function readMonthSteps(
  books: Books,
  month: string,
  totals: readonly Readonly<Record<string, unknown>>[],
) {
  const couriers = await readEachCourier(books, {}, (db, { config }) => readReturns(db, config.returns));
  const isIncluded = ({ period, vanished_at }: Returns['uncompared'][number]) =>
    period === month && vanished_at === null;
  return couriers.flatMap(({ courier, value: returns }) =>
    totals
      .filter((row) => row.courier === courier && row.currency !== null)
      .map((row) => {
        const steps = stepsToHeader(returns, isIncluded, row as unknown as Stated);
        return { courier, currency: String(row.currency), steps };
      }),
  );
}
