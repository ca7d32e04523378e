import { inNumberTexts } from '../../base/number-texts.ts';
import { groupByCause } from '../../checks/groups.ts';
import { type Claim, readClaims } from '../../ledger/queries/findings/claims.ts';
import { findMismatchesBy, type Mismatch, type MismatchFilter } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { ENGLISH } from '../../words/index.ts';
import type { Books } from '../books.ts';
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
  return listed.flatMap(({ courier, value }) => value.map((mismatch) => ({ ...mismatch, courier })));
}

function withoutMismatchId(claim: Claim | undefined): ListedMismatch['claim'] {
  if (!claim) return null;
  const { mismatch_id: _, ...listed } = claim;
  return listed;
}
