import { readUnlisted } from '../../ledger/queries/invoices/listed.ts';
import type { CheckContext, Gone, Looked } from '../check.ts';
import { population } from './population.ts';
import { except, sheets } from './sheets.ts';

/** Why an invoice cannot be compared with its list. */
export type ListUnreadable = { id: 'list-row-unreadable' };

/** How many of these months' invoices have a readable row of a list, and those that have none. */
export async function listedPopulation(
  context: CheckContext,
): Promise<Pick<Looked, 'compared' | 'notComparable' | 'leftOut'> & { readonly unlisted: ReadonlySet<number> }> {
  return context.facts.once('listed', async () => {
    const unlisted = await readUnlisted(context.db, context.periods);
    const { invoices } = await population(context);
    const why: ListUnreadable = { id: 'list-row-unreadable' };
    const ofSheets = (await sheets(context)).invoices;
    const unread = unlisted.length - ofSheets;
    const { compared, notComparable, leftOut = [] } = except(invoices, ofSheets, { id: 'sheet-without-list' });
    return {
      compared: compared - unread,
      notComparable: [...notComparable, ...(unread === 0 ? [] : [{ why, count: unread }])],
      leftOut,
      unlisted: new Set(unlisted),
    };
  });
}

/** Those of some mismatches whose invoice has no readable list row now. */
export async function unseenLists(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>> {
  const { unlisted } = await listedPopulation(context);
  return new Set(gone.filter(({ invoice_number }) => unlisted.has(invoice_number!)).map(({ id }) => id));
}
