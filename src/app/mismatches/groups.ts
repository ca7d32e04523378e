import type { Sentence } from '../../base/sentence.ts';
import { byMoney } from '../../checks/groups.ts';
import { readClaims } from '../../ledger/queries/findings/claims.ts';
import { readFirstSeen } from '../../ledger/queries/findings/history.ts';
import { findMismatchesBy, type MismatchFilter } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import type { Books } from '../books.ts';
import { type FoundGroup, groupFindings } from '../check-result.ts';
import { readEachCourier } from '../each-courier.ts';

export type SaidGroup = FoundGroup & { readonly says: Sentence };

/** Groups the filtered mismatches by their causes, the most money first. @param among only these ids; absent: all */
export async function readGroups(books: Books, filter: MismatchFilter, among?: readonly string[]) {
  const ids = among && new Set(among);
  const found = await readEachCourier(books, {}, async (db) => {
    const mismatches = (await findMismatchesBy(db, filter)).filter(({ id }) => ids?.has(id) ?? true);
    return groupFindings(mismatches, await readNumberTexts(db));
  });
  return found
    .flatMap(({ courier, value: { groups, causes } }) =>
      groups.map((group, index) => ({ courier, ...group, says: causes[index]! })),
    )
    .sort(byMoney);
}

/** When each mismatch was first found, by courier and id. */
export async function readAges(books: Books, ids: readonly string[]) {
  const seen = await readEachCourier(books, {}, (db) => readFirstSeen(db, ids));
  return new Map(seen.map(({ courier, value }) => [courier, value]));
}

/** The states of the claims on mismatches, by courier and id. */
export async function readClaimStates(books: Books, ids: readonly string[]) {
  const claims = await readEachCourier(books, {}, (db) => readClaims(db, ids));
  return new Map(
    claims.map(({ courier, value }) => [courier, new Map([...value].map(([id, { state }]) => [id, state]))]),
  );
}
