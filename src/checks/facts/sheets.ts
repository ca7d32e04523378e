import { countSheets, type SheetPopulation } from '../../ledger/queries/invoices/settlements.ts';
import type { MoneyField } from '../../money/fields.ts';
import type { CheckContext, CheckCoverage } from '../check.ts';
import { population } from './population.ts';

/** What a settlement sheet does not state, so that a check cannot compare it. */
export type SheetSentence =
  | { id: 'sheet-without-list' }
  | { id: 'sheet-without-states' }
  | { id: 'sheet-without-totals'; field: MoneyField };

/** How many of these months' invoices and rows come from settlement sheets. */
export function sheetPopulation({ db, periods, facts }: CheckContext): Promise<SheetPopulation> {
  return facts.once('sheets', () => countSheets(db, periods));
}

/** The coverage of a check that needs the orders' states on the invoices' rows. */
export async function coverageOfRowsWithStates(context: CheckContext): Promise<CheckCoverage> {
  const { rows } = await population(context);
  return coverageWithoutSheets(rows, (await sheetPopulation(context)).rows, { id: 'sheet-without-states' });
}

/** The coverage of a check that needs a figure which the header states: of some sheets it is computed from the rows. */
export async function coverageOfStatedHeaders(context: CheckContext, field: MoneyField): Promise<CheckCoverage> {
  const { computed } = await sheetPopulation(context);
  const { invoices } = await population(context);
  return coverageWithoutSheets(invoices, computed[field], { id: 'sheet-without-totals', field });
}

/** The coverage of a check that cannot compare sheets. If there is nothing else, it is skipped, with the reason. */
export function coverageWithoutSheets(all: number, ofSheets: number, why: SheetSentence): CheckCoverage {
  if (ofSheets === 0) return { compared: all, notComparable: [] };
  if (ofSheets === all) return { compared: 0, notComparable: [], leftOut: [{ why, commands: [] }] };
  return { compared: all - ofSheets, notComparable: [{ why, count: ofSheets }] };
}
