import { readRowsNewerThanDetail, readUnlisted } from '../../ledger/queries/invoices/listed.ts';
import type { CheckContext, CheckCoverage, GoneMismatch } from '../check.ts';
import { population } from './population.ts';
import { coverageWithoutSheets, sheetPopulation } from './sheets.ts';

/** Why an invoice cannot be compared with its list. */
export type ListUnreadable = { id: 'list-row-unreadable' } | { id: 'list-newer-than-invoice' };

/** `uncomparable`: the numbers of invoices that cannot be compared with their month's list, also those of sheets. */
type ListCoverage = CheckCoverage & { readonly uncomparable: ReadonlySet<number> };

/** An invoice is not comparable if no row of its month's list can be read for it, or the row is newer than it. */
export async function listCoverage(context: CheckContext): Promise<ListCoverage> {
  return context.facts.once('list-coverage', async () => {
    const withoutRow = await readUnlisted(context.db, context.periods);
    const older = await readRowsNewerThanDetail(context.db, context.periods);
    const { invoices } = await population(context);
    // A settlement sheet has no list, so that `withoutRow` has all of its invoices.
    const ofSheets = (await sheetPopulation(context)).invoices;
    const unreadable = withoutRow.length - ofSheets;
    const withList = coverageWithoutSheets(invoices, ofSheets, { id: 'sheet-without-list' });
    const whyUnreadable: ListUnreadable = { id: 'list-row-unreadable' };
    const whyOlder: ListUnreadable = { id: 'list-newer-than-invoice' };
    return {
      compared: withList.compared - unreadable - older.length,
      notComparable: [
        ...withList.notComparable,
        ...(unreadable === 0 ? [] : [{ why: whyUnreadable, count: unreadable }]),
        ...(older.length === 0 ? [] : [{ why: whyOlder, commands: ['remit sync'], count: older.length }]),
      ],
      leftOut: withList.leftOut ?? [],
      uncomparable: new Set([...withoutRow, ...older]),
    };
  });
}

/** The ids of those mismatches whose invoice cannot be compared with its list now. */
export async function unseenByList(context: CheckContext, gone: readonly GoneMismatch[]): Promise<ReadonlySet<string>> {
  const { uncomparable } = await listCoverage(context);
  return new Set(gone.filter(({ invoice_number }) => uncomparable.has(invoice_number!)).map(({ id }) => id));
}
