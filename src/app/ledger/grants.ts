import { UsageError } from '../../base/errors.ts';
import { describePlace } from '../../base/place.ts';
import { grantsOf } from '../../ledger/grants.ts';
import type { Books } from '../books.ts';

/** The SQL that gives each role its rights on the books' ledger. @throws UsageError where its place knows no roles */
export function ledgerGrants({ config }: Books): string {
  const place = config.ledger;
  const sql = grantsOf(place);
  if (sql !== null) return sql;
  throw new UsageError(
    `${describePlace(place)} is a file, which knows no roles`,
    'Whoever may write the file may do everything; name a database with --ledger to share the ledger.',
  );
}
