import { ConflictError, type Explanation, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import { readMatches, readSettlementsWithoutReceipt } from '../../ledger/queries/receipts/matches.ts';
import { REMIT } from '../../ledger/schema/findings.ts';
import { deskError } from '../../words/errors/desk.ts';
import type { Books } from '../books.ts';
import type { RefusedClose } from '../close/close.ts';
import { readEachCourier } from '../each-courier.ts';

/** Who decided about the same thing before, and when. */
export interface EarlierDecision {
  readonly by: string;
  readonly at: string;
}

/** What a decision is about: invoices, receipts or a month. */
interface DecisionSubject {
  readonly invoices?: readonly number[];
  readonly receipts?: readonly number[];
  readonly month?: string;
}

/**
 * Reads the latest decision of a person about the same receipts, invoices or month; null for none.
 *
 * @param after only decisions after this evidence; 0 for all
 */
async function readEarlier(books: Books, subject: DecisionSubject, after: number): Promise<EarlierDecision | null> {
  const { invoices = [], receipts = [], month } = subject;
  const found = await readEachCourier(books, { newSettings: 'unchecked' }, async (db) => {
    // What remit decided itself is no conflict.
    const newer = <T extends { readonly evidence_id: number; readonly actor: string }>(all: readonly T[]) =>
      all.filter(({ evidence_id, actor }) => evidence_id > after && actor !== REMIT);
    const matches = newer(await readMatches(db)).filter(
      (match) =>
        match.receipts.some(({ id }) => receipts.includes(id)) ||
        match.invoices.some(({ number }) => invoices.includes(number)),
    );
    const settlements = newer(await readSettlementsWithoutReceipt(db)).filter((one) =>
      invoices.includes(one.invoice_number),
    );
    const closes = (await readEvidenceOfKinds(db, ['close', 'reopen'], after)).filter(
      ({ subject: closedMonth, actor }) => closedMonth === month && actor !== null,
    );
    return [
      ...[...matches, ...settlements].map(({ evidence_id, actor, at }) => ({ id: evidence_id, by: actor, at })),
      ...closes.map(({ id, actor, at }) => ({ id, by: actor!, at })),
    ];
  });
  const [last] = found.flatMap(({ value }) => value).sort((a, b) => b.id - a.id);
  return last ? { by: last.by, at: last.at } : null;
}

/** The error where somebody decided first: nothing is decided now. */
export function conflictError({ by, at }: EarlierDecision, since: Explanation, details: object = {}): ConflictError {
  const explanation = deskError({ id: 'conflict', by, at: instantForPeople(at), since });
  return new ConflictError(explanation, { first: { by, at }, ...details });
}

/**
 * Decides, unless somebody decided about the same things since the page was made; if that makes `work` fail, the error
 * says so.
 *
 * @param seen the last evidence that the page had; null where the sender does not say: then an earlier decision counts
 * only if `work` can no longer be done; undefined where there was no page
 * @throws ConflictError naming who was first
 */
export async function unlessOvertaken<T extends object>(
  books: Books,
  subject: DecisionSubject,
  seen: number | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (seen === undefined) return work();
  const { month } = subject;
  const first = seen === null ? null : await readEarlier(books, subject, seen);
  const since = deskError(month ? { id: 'closed-or-opened-since', month } : { id: 'settled-since' });
  if (first) throw conflictError(first, since);
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    // What is wrong with the request may be that somebody settled the invoices or matched the receipts before.
    const earlier = error instanceof UsageError && !month ? await readEarlier(books, subject, seen ?? 0) : null;
    throw earlier ? conflictError(earlier, (error as UsageError).explanation) : error;
  }
  // A refused close is an answer, not an error.
  const closer = isClosedAlready(answer) ? await readEarlier(books, subject, 0) : null;
  if (closer) throw conflictError(closer, deskError({ id: 'closed-since', month: month! }));
  return answer;
}

function isClosedAlready(answer: object): boolean {
  return 'reasons' in answer && (answer as RefusedClose).reasons.some(({ code }) => code === 'already-closed');
}
