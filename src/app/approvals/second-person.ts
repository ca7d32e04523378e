import { UsageError } from '../../base/errors.ts';
import { isSamePerson } from '../../base/names.ts';
import { readDatabaseUser } from '../../ledger/queries/couriers.ts';
import { readMakers } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import type { Books } from '../books.ts';

/**
 * The database user who decides, recorded with the name; null in an SQLite file, and at a team's desk, which has its
 * own user.
 */
export function readDecider(db: LedgerReader, { isTeams = false }: Pick<Books, 'isTeams'>): Promise<string | null> {
  return isTeams ? Promise.resolve(null) : readDatabaseUser(db);
}

/**
 * Refuses the person who proposed a decision: under any spelling of the name, by one of their tokens, or as the same
 * database user.
 *
 * @throws UsageError
 */
export async function requireSecondPerson(
  db: LedgerReader,
  {
    id,
    by: proposer,
    database_user,
  }: { readonly id: number; readonly by: string; readonly database_user: string | null },
  { by, user }: { readonly by: string; readonly user: string | null },
): Promise<void> {
  const makersOf = await readMakers(db);
  const namesOf = (name: string) => [name, ...makersOf(name)];
  const isSameUser = user !== null && user === database_user;
  const isSame = isSameUser || namesOf(proposer).some((one) => namesOf(by).some((other) => isSamePerson(one, other)));
  if (!isSame) return;
  throw new UsageError(because({ id: 'own-proposal', by, proposer, user: isSameUser ? user : null, decision: id }));
}
