import { lastDayOf } from '../../src/base/period.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { type CloseOfMonth, dayToBook } from '../../src/ledger/queries/balances/movements.ts';
import { type EffectMove, readEffectMoves } from '../../src/ledger/queries/findings/effects.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { JournalTransaction } from './model.ts';
import { postDispute } from './post.ts';

/** The checks whose effects lie between invoices and our records. Money outside the invoices has accounts already. */
export const DISPUTED_CODES: readonly string[] = CHECKS.filter(({ outsideInvoices }) => !outsideInvoices).map(
  ({ code }) => code,
);

/** How the amounts in dispute moved. @param zone the time zone of their days */
export function readDisputes(db: LedgerReader, zone: string): Promise<EffectMove[]> {
  return readEffectMoves(db, DISPUTED_CODES, zone);
}

/**
 * Books the effects of the mismatches that are not resolved. A mismatch counts from the day on which it was found; if
 * that is after its month, from the month's last day, or from the later day of the restatement or the order's change
 * that caused it. A changed effect, and the end of a dispute, count from their own day.
 *
 * @param knownBefore the evidence of a close: what became known with it or later is left out; null leaves nothing out
 */
export function postDisputes(
  moves: readonly EffectMove[],
  closed: readonly CloseOfMonth[],
  knownBefore: number | null,
): JournalTransaction[] {
  return moves
    .filter(({ evidence_id }) => knownBefore === null || evidence_id < knownBefore)
    .map((move) => {
      const day = move.isFirst ? firstDay(move) : move.seen_on;
      return postDispute({ ...move, date: dayToBook(day, move, closed) });
    })
    .filter((transaction) => transaction !== null);
}

function firstDay({ seen_on, changed_on, period }: EffectMove): string {
  const last = lastDayOf(period);
  const day = changed_on !== null && changed_on > last ? changed_on : last;
  return day < seen_on ? day : seen_on;
}
