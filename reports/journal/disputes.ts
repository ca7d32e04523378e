import { lastDayOf } from '../../src/base/period.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { type ClosedMonth, dayToBook } from '../../src/ledger/queries/balances/movements.ts';
import { type EffectMove, readEffectMoves } from '../../src/ledger/queries/findings/effects.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import type { JournalTransaction } from './model.ts';
import { postDispute } from './post.ts';

/** The checks whose effects stand between what the invoices state and our own records; what is outside has an account already. */
export const DISPUTED_CODES: readonly string[] = CHECKS.filter(({ stands }) => stands !== 'outside').map(
  ({ code }) => code,
);

/** How what is in dispute moved. @param zone whose days it has */
export function readDisputes(db: LedgerReader, zone: string): Promise<EffectMove[]> {
  return readEffectMoves(db, DISPUTED_CODES, zone);
}

/**
 * What is in dispute: the effects of the mismatches that are not resolved. A mismatch is of its own month: it counts from the day on which
 * it was found, and from that month's last day where it was found later; but from the day of a restatement, or of a change of the order,
 * where that brought it about. A changed effect, and the end of a dispute, count from their day.
 *
 * @param known only what was known before this evidence; null for all
 */
export function postDisputes(
  moves: readonly EffectMove[],
  closed: readonly ClosedMonth[],
  known: number | null,
): JournalTransaction[] {
  return moves
    .filter(({ evidence_id }) => known === null || evidence_id < known)
    .map((move) => {
      const day = move.isFirst ? firstDay(move) : move.seen_on;
      return postDispute({ ...move, date: dayToBook(day, move, closed) });
    })
    .filter((one) => one !== null);
}

function firstDay({ seen_on, changed_on, period }: EffectMove): string {
  const last = lastDayOf(period);
  const day = changed_on !== null && changed_on > last ? changed_on : last;
  return day < seen_on ? day : seen_on;
}
