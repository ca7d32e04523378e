import { countPopulation, type Population } from '../../ledger/queries/invoices/invoices.ts';
import type { CheckContext } from '../check.ts';

/** How many invoices, rows and orders there are to check in these months. */
export function population({ db, periods, facts }: CheckContext): Promise<Population> {
  return facts.once('population', () => countPopulation(db, periods));
}
