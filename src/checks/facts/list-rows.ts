import { readListedSince, readUnlisted } from '../../ledger/queries/invoices/listed.ts';
import type { CheckContext, Gone, Looked } from '../check.ts';
import { population } from './population.ts';
import { except, sheets } from './sheets.ts';

/** Why an invoice cannot be compared with its list. */
export type ListUnreadable = { id: 'list-row-unreadable' } | { id: 'list-newer-than-invoice' };

/** How many of these months' invoices have a readable row of a list, and those that have none, or a newer one than their detail. */
export async function listedPopulation(
  context: CheckContext,
): Promise<Pick<Looked, 'compared' | 'notComparable' | 'leftOut'> & { readonly unlisted: ReadonlySet<number> }> {
  return context.facts.once('listed', async () => {
    const unlisted = await readUnlisted(context.db, context.periods);
    const older = await readListedSince(context.db, context.periods);
    const whyOlder: ListUnreadable = { id: 'list-newer-than-invoice' };
    const { invoices } = await population(context);
    const why: ListUnreadable = { id: 'list-row-unreadable' };
    const ofSheets = (await sheets(context)).invoices;
    const unread = unlisted.length - ofSheets;
    const { compared, notComparable, leftOut = [] } = except(invoices, ofSheets, { id: 'sheet-without-list' });
    return {
      compared: compared - unread - older.length,
      notComparable: [
        ...notComparable,
        ...(unread === 0 ? [] : [{ why, count: unread }]),
        ...(older.length === 0 ? [] : [{ why: whyOlder, commands: ['remit sync'], count: older.length }]),
      ],
      leftOut,
      unlisted: new Set([...unlisted, ...older]),
    };
  });
}

/** Those of some mismatches whose invoice has no list row now that could be compared with it. */
export async function unseenLists(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>> {
  const { unlisted } = await listedPopulation(context);
  return new Set(gone.filter(({ invoice_number }) => unlisted.has(invoice_number!)).map(({ id }) => id));
}
