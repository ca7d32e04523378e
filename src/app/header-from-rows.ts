import { type Returns, readReturns } from '../checks/facts/returns/standing.ts';
import { usingSnapshot } from '../ledger/queries/snapshot.ts';
import type { MoneyField, RowSumField } from '../money/fields.ts';
import { type FigureStep, type HeaderUnits, type ReturnStep, stepsOfReturns } from '../money/returns.ts';
import { formatUnits, parseUnits, type Units } from '../money/units.ts';
import type { Books } from './books.ts';
import { eachCourier } from './each-courier.ts';

/** What leads from the rows of invoices to a figure of their headers, in one currency. */
export interface HeaderStep {
  readonly figure: keyof HeaderUnits;
  /** `left`: what no RETURN row explains. */
  readonly step: ReturnStep | 'left';
  readonly amount: string;
  /** The check whose mismatches say more; null where nothing is wrong. */
  readonly code: string | null;
}

/** The figures of one currency as decimal text, zero where absent: headers, and what their rows come to. */
type Stated = Readonly<Partial<Record<MoneyField | RowSumField, string>>> & { readonly currency: string };

const CODES: Readonly<Record<keyof HeaderUnits, string>> = {
  cod: 'invoice-cod-total',
  delivery_fee: 'invoice-fee-total',
  net_due_to_merchant: 'invoice-net',
};

/**
 * The lines that make the sums of rows add up to the headers: COD and fee of the rows with their steps are those of the headers, and COD
 * less fee with the steps of the net is the net.
 *
 * @param stated the figures of the invoices that are meant
 */
export function stepsToHeader(
  { returns, candidates, invoices, uncompared }: Returns,
  isMeant: (invoice: Returns['uncompared'][number]) => boolean,
  stated: Stated,
): HeaderStep[] {
  const { currency } = stated;
  // Where the conventions give the same figures, any of them does.
  const convention = returns ?? candidates[0]?.convention ?? 'as-stated';
  const units = new Map<string, FigureStep<ReturnStep | 'left'>>();
  const add = (step: FigureStep<ReturnStep | 'left'>) => {
    const key = `${step.figure} ${step.step}`;
    units.set(key, { ...step, units: (units.get(key)?.units ?? 0n) + step.units });
  };
  for (const invoice of [...invoices.values()].filter((one) => isMeant(one) && !uncompared.includes(one))) {
    for (const line of invoice.lines.filter((one) => one.currency === currency)) {
      for (const step of stepsOfReturns(convention, line.returned)) add(step);
    }
  }
  const explained = (figure: string) =>
    [...units.values()].filter((step) => step.figure === figure).reduce((sum, step) => sum + step.units, 0n);
  const unitsOf = (figure: MoneyField | RowSumField) => parseUnits(stated[figure] ?? '0');
  const left = (figure: keyof HeaderUnits, from: Units) =>
    add({ figure, step: 'left', units: unitsOf(figure) - from - explained(figure) });
  left('cod', unitsOf('order_cod'));
  left('delivery_fee', unitsOf('order_delivery_fee'));
  left('net_due_to_merchant', unitsOf('cod') - unitsOf('delivery_fee'));
  const isUndecided = uncompared.some((one) => isMeant(one) && one.lines.some((line) => line.currency === currency));
  return [...units.values()]
    .filter((step) => step.units !== 0n)
    .map(({ units: amount, ...step }) => ({
      ...step,
      amount: formatUnits(amount),
      code: step.step === 'left' ? (isUndecided ? 'returns-undecided' : CODES[step.figure]) : null,
    }));
}

/** The same of a month's invoices, a courier and currency each. @param totals the rows of `report totals` */
export async function readMonthSteps(
  books: Books,
  month: string,
  totals: readonly Readonly<Record<string, unknown>>[],
) {
  const couriers = await eachCourier(books, { readOnly: true }, (ledger, { config }) =>
    usingSnapshot(ledger, (db) => readReturns(db, config.returns)),
  );
  return couriers.flatMap(({ courier, value: returns }) =>
    totals
      .filter((row) => row.courier === courier && row.currency !== null)
      .map((row) => ({
        courier,
        currency: String(row.currency),
        steps: stepsToHeader(
          returns,
          ({ period, vanished_at }) => period === month && vanished_at === null,
          row as unknown as Stated,
        ),
      })),
  );
}
