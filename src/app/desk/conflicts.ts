import { ConflictError, type Explanation, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import { readHeldSettlements, readMatches } from '../../ledger/queries/receipts/matches.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { REMIT } from '../../ledger/schema/findings.ts';
import { because } from '../../words/errors/desk.ts';
import type { Books } from '../books.ts';
import type { RefusedClose } from '../close/close.ts';
import { eachCourier } from '../each-courier.ts';

/** Who decided first about the same thing. */
export interface First {
  readonly by: string;
  readonly at: string;
}

/** What a decision is about, as far as it has these. */
export interface Touched {
  readonly invoices?: readonly number[];
  readonly receipts?: readonly number[];
  readonly month?: string;
}

/**
 * Who decided about the same receipts, invoices or month, the latest of them; null for nobody.
 *
 * @param after only what became known after this evidence
 */
async function readFirst(books: Books, touched: Touched, after: number): Promise<First | null> {
  const { invoices = [], receipts = [], month } = touched;
  const found = await eachCourier(books, { readOnly: true, anyZone: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const later = <T extends { readonly evidence_id: number; readonly actor: string }>(all: readonly T[]) =>
        all.filter(({ evidence_id, actor }) => evidence_id > after && actor !== REMIT);
      const matches = later(await readMatches(db)).filter(
        (match) =>
          match.receipts.some(({ id }) => receipts.includes(id)) ||
          match.invoices.some(({ number }) => invoices.includes(number)),
      );
      const settlements = later(await readHeldSettlements(db)).filter((one) => invoices.includes(one.invoice_number));
      const closes = (await readEvidenceOfKinds(db, ['close', 'reopen'], after)).filter(
        ({ subject, actor }) => subject === month && actor !== null,
      );
      return [
        ...[...matches, ...settlements].map(({ evidence_id, actor, at }) => ({ id: evidence_id, by: actor, at })),
        ...closes.map(({ id, actor, at }) => ({ id, by: actor!, at })),
      ];
    }),
  );
  const [last] = found.flatMap(({ value }) => value).sort((a, b) => b.id - a.id);
  return last ? { by: last.by, at: last.at } : null;
}

/** What is refused because somebody was first: nothing is decided. */
export function conflict({ by, at }: First, since: Explanation, details: object = {}): ConflictError {
  const explanation = because({ id: 'conflict', by, at: instantForPeople(at), since });
  return new ConflictError(explanation, { first: { by, at }, ...details });
}

/**
 * Decides, unless somebody else did about the same since the page was made. What makes no sense any more because somebody did is told so too.
 *
 * @param seen the last evidence that the page had, null where the sender does not say; absent where there was no page
 * @throws ConflictError naming who was first
 */
export async function unlessOvertaken<T extends object>(
  books: Books,
  touched: Touched,
  seen: number | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (seen === undefined) return work();
  const { month } = touched;
  const first = seen === null ? null : await readFirst(books, touched, seen);
  if (first) throw conflict(first, because(month ? { id: 'closed-or-opened-since', month } : { id: 'settled-since' }));
  try {
    const answer = await work();
    const earlier = isClosedAlready(answer) ? await readFirst(books, touched, 0) : null;
    if (earlier) throw conflict(earlier, because({ id: 'closed-since', month: month! }));
    return answer;
  } catch (error) {
    const earlier = error instanceof UsageError && !month ? await readFirst(books, touched, seen ?? 0) : null;
    throw earlier ? conflict(earlier, (error as UsageError).explanation) : error;
  }
}

function isClosedAlready(answer: object): boolean {
  return 'reasons' in answer && (answer as RefusedClose).reasons.some(({ code }) => code === 'already-closed');
}
