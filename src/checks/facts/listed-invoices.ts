import { readListedSince, readUnlisted } from '../../ledger/queries/invoices/listed.ts';
import type { CheckContext, Gone, Looked } from '../check.ts';
import { population } from './population.ts';
import { except, sheets } from './sheets.ts';

/** Why an invoice cannot be compared with its list. */
export type ListUnreadable = { id: 'list-row-unreadable' } | { id: 'list-newer-than-invoice' };

/** How many of these months' invoices are compared with their list. `uncomparable`: the numbers of the others, sheets' among them. */
type ListCoverage = Pick<Looked, 'compared' | 'notComparable' | 'leftOut'> & {
  readonly uncomparable: ReadonlySet<number>;
};

/** An invoice cannot be compared where no row of a list can be read for it, or a newer one than its detail. */
export async function listCoverage(context: CheckContext): Promise<ListCoverage> {
  return context.facts.once('list-coverage', async () => {
    const withoutRow = await readUnlisted(context.db, context.periods);
    const older = await readListedSince(context.db, context.periods);
    const { invoices } = await population(context);
    // A settlement sheet has no list.
    const ofSheets = (await sheets(context)).invoices;
    const unreadable = withoutRow.length - ofSheets;
    const { compared, notComparable, leftOut = [] } = except(invoices, ofSheets, { id: 'sheet-without-list' });
    const whyUnreadable: ListUnreadable = { id: 'list-row-unreadable' };
    const whyOlder: ListUnreadable = { id: 'list-newer-than-invoice' };
    return {
      compared: compared - unreadable - older.length,
      notComparable: [
        ...notComparable,
        ...(unreadable === 0 ? [] : [{ why: whyUnreadable, count: unreadable }]),
        ...(older.length === 0 ? [] : [{ why: whyOlder, commands: ['remit sync'], count: older.length }]),
      ],
      leftOut,
      uncomparable: new Set([...withoutRow, ...older]),
    };
  });
}

/** Those of some mismatches whose invoice cannot be compared with its list now. */
export async function unseenByList(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>> {
  const { uncomparable } = await listCoverage(context);
  return new Set(gone.filter(({ invoice_number }) => uncomparable.has(invoice_number!)).map(({ id }) => id));
}
