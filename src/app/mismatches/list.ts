import { inNumberTexts } from '../../base/number-texts.ts';
import { byMoney, groupByCause } from '../../checks/groups.ts';
import { type Claim, readClaims } from '../../ledger/queries/findings/claims.ts';
import { readFirstSeen } from '../../ledger/queries/findings/history.ts';
import { findMismatchesBy, type Mismatch, type MismatchFilter } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { ENGLISH } from '../../words/index.ts';
import type { Books } from '../books.ts';
import { groupFindings } from '../check-result.ts';
import { readEachCourier } from '../each-courier.ts';
import { mismatchInNumberTexts, type WithNumberText } from './in-number-texts.ts';

export type { Claim, Mismatch, MismatchFilter };

/** A mismatch and its claim; null if it was never claimed. */
export interface ListedMismatch extends Mismatch, WithNumberText {
  readonly claim: Omit<Claim, 'mismatch_id'> | null;
  /** The cause that it shares with other listed mismatches, in English. */
  readonly cause?: string;
  readonly courier?: string;
}

/** The mismatches that a filter lets through, as they are stored, the worst first. Nothing is checked. */
export async function listBooksMismatches(books: Books, filter: MismatchFilter): Promise<ListedMismatch[]> {
  const listed = await readEachCourier(books, {}, async (db) => {
    const found = await findMismatchesBy(db, filter);
    const texts = await readNumberTexts(db);
    const ids = found.map(({ id }) => id);
    const claims = await readClaims(db, ids);
    const causes = new Map(
      groupByCause(found).flatMap(({ cause, findings }) => {
        const inEnglish = ENGLISH.say(inNumberTexts(cause, texts));
        return findings.map(({ id }) => [id, inEnglish] as const);
      }),
    );
    return found.map((mismatch) => ({
      ...mismatchInNumberTexts(mismatch, texts),
      cause: causes.get(mismatch.id)!,
      claim: withoutMismatchId(claims.get(mismatch.id)),
    }));
  });
  return listed.flatMap(({ courier, value }) =>
    value.map(({ claim, ...mismatch }) => ({ ...mismatch, claim: claim && { ...claim, courier }, courier })),
  );
}

function withoutMismatchId(claim: Claim | undefined): ListedMismatch['claim'] {
  if (!claim) return null;
  const { mismatch_id: _, ...listed } = claim;
  return listed;
}

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
