import { countPopulation, type Population } from '../../ledger/queries/invoices/invoices.ts';
import type { CheckContext } from '../check.ts';

/** How much there is to look at. */
export function population({ db, periods, facts }: CheckContext): Promise<Population> {
  return facts.once('population', () => countPopulation(db, periods));
}
