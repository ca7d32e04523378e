import { UsageError } from '../../base/errors.ts';
import { describePlace } from '../../base/place.ts';
import { grantsOf } from '../../ledger/grants.ts';
import { because } from '../../words/errors/books.ts';
import type { Books } from '../books.ts';

/** The SQL that gives each role its rights on the books' ledger. @throws UsageError where its place knows no roles */
export async function ledgerGrants({ config }: Books): Promise<string> {
  const place = config.ledger;
  const sql = await grantsOf(place);
  if (sql !== null) return sql;
  throw new UsageError(because({ id: 'file-without-roles', ledger: describePlace(place) }));
}
