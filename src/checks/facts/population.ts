import { countPopulation, type Population } from '../../ledger/queries/invoices/invoices.ts';
import { readRowsNewerThanDetail, readUnlisted } from '../../ledger/queries/invoices/listed.ts';
import { countSheets, type SheetPopulation } from '../../ledger/queries/invoices/settlements.ts';
import type { MoneyField } from '../../money/fields.ts';
import type { CheckContext, CheckCoverage, GoneMismatch, NotComparable, UncomparedSentence } from '../check.ts';

/** How many invoices, rows and orders there are to check in these months. */
export function population({ db, periods, facts }: CheckContext): Promise<Population> {
  return facts.once('population', () => countPopulation(db, periods));
}

/** How many of these months' invoices and rows come from settlement sheets. */
function sheetPopulation({ db, periods, facts }: CheckContext): Promise<SheetPopulation> {
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
function coverageWithoutSheets(all: number, ofSheets: number, why: UncomparedSentence): CheckCoverage {
  if (ofSheets === all && all > 0) return { compared: 0, leftOut: [{ why, commands: [] }] };
  return { compared: all - ofSheets, notComparable: [{ why, count: ofSheets }] };
}

/** The coverage of a check that compares invoices with their month's list. */
export async function coverageOfListed(context: CheckContext): Promise<CheckCoverage> {
  return (await listed(context)).coverage;
}

/** An invoice is not comparable if no row of its month's list can be read for it, or the row is newer than it. */
function listed(context: CheckContext) {
  return context.facts.once('list-coverage', async () => {
    const withoutRow = await readUnlisted(context.db, context.periods);
    const older = await readRowsNewerThanDetail(context.db, context.periods);
    const { invoices } = await population(context);
    // A settlement sheet has no list, so that `withoutRow` has all of its invoices.
    const ofSheets = (await sheetPopulation(context)).invoices;
    const unreadable = withoutRow.length - ofSheets;
    const withList = coverageWithoutSheets(invoices, ofSheets, { id: 'sheet-without-list' });
    const notComparable: NotComparable[] = [
      ...(withList.notComparable ?? []),
      { why: { id: 'list-row-unreadable' }, count: unreadable },
      { why: { id: 'list-newer-than-invoice' }, commands: ['remit sync'], count: older.length },
    ];
    const compared = withList.compared - unreadable - older.length;
    // Also the invoices of sheets.
    const uncomparable = new Set([...withoutRow, ...older]);
    return { coverage: { ...withList, compared, notComparable }, uncomparable };
  });
}

/** Gives a function that says whether a mismatch's invoice cannot be compared with its list now. */
export async function unseenByList(context: CheckContext) {
  const { uncomparable } = await listed(context);
  return ({ invoice_number }: GoneMismatch) => uncomparable.has(invoice_number!);
}
