import { countSheets, type SheetPopulation } from '../../ledger/queries/invoices/settlements.ts';
import type { MoneyField } from '../../money/fields.ts';
import type { CheckContext, Looked } from '../check.ts';
import { population } from './population.ts';

/** What a settlement sheet does not say, so that a check cannot compare it. */
export type SheetSentence =
  | { id: 'sheet-without-list' }
  | { id: 'sheet-without-states' }
  | { id: 'sheet-without-totals'; field: MoneyField };

type Compared = Pick<Looked, 'compared' | 'notComparable' | 'leftOut'>;

/** How much of these months is of settlement sheets. */
export function sheets({ db, periods, facts }: CheckContext): Promise<SheetPopulation> {
  return facts.once('sheets', () => countSheets(db, periods));
}

/** How many rows say in which states their orders are. */
export async function rowsWithStates(context: CheckContext): Promise<Compared> {
  return except((await population(context)).rows, (await sheets(context)).rows, { id: 'sheet-without-states' });
}

/** How many invoices state a figure in their header, and do not have it computed from their rows. */
export async function statedHeaders(context: CheckContext, field: MoneyField): Promise<Compared> {
  const { computed } = await sheets(context);
  return except((await population(context)).invoices, computed[field], { id: 'sheet-without-totals', field });
}

/** A population without the part that comes from settlement sheets. Where nothing else is there, the check is skipped, with the reason. */
export function except(all: number, ofSheets: number, why: SheetSentence): Compared {
  if (ofSheets === 0) return { compared: all, notComparable: [] };
  if (ofSheets === all) return { compared: 0, notComparable: [], leftOut: [{ why, commands: [] }] };
  return { compared: all - ofSheets, notComparable: [{ why, count: ofSheets }] };
}
