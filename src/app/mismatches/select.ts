import { UsageError } from '../../base/errors.ts';
import type { MismatchStatus } from '../../ledger/index.ts';
import { findMismatchesBy, type Mismatch, type MismatchFilter } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { isPlainDecimal, parseAmount } from '../../money/decimal.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { oneMismatch } from '../show/mismatch.ts';

/** Which mismatches a decision is about: those of some ids, or those that match a filter. */
export interface Selection {
  /** Ids, or unique beginnings of ids. */
  readonly ids: readonly string[];
  readonly filter: Omit<MismatchFilter, 'statuses' | 'isNew'>;
  /** A plain decimal: only mismatches whose effect is at most this, with either sign. Needs the filter's currency. */
  readonly maxEffect?: string | undefined;
}

/**
 * @param also the other filters that the command takes, for the hint
 * @throws UsageError for neither ids nor a filter, for both, or for an amount that is wrong or has no currency
 */
export function requireSelection({ ids, filter, maxEffect }: Selection, also = ''): void {
  const isFiltered = maxEffect !== undefined || Object.values(filter).some((value) => value !== undefined);
  if (ids.length > 0 && isFiltered) throw new UsageError(decidingError({ id: 'ids-and-filter' }));
  if (ids.length === 0 && !isFiltered) throw new UsageError(decidingError({ id: 'no-mismatch-named', also }));
  if (maxEffect === undefined) return;
  if (!isPlainDecimal(maxEffect) || parseAmount(maxEffect).isNegative()) {
    throw new UsageError(decidingError({ id: 'no-amount', amount: maxEffect }));
  }
  if (filter.currency === undefined) throw new UsageError(decidingError({ id: 'amount-without-currency' }));
}

/**
 * Reads the mismatches of a selection.
 *
 * @param statuses a filter finds only mismatches of these; one whose id is given is read whatever its status
 * @throws UsageError for an id that names none, or several
 */
export async function selectMismatches(
  db: LedgerReader,
  { ids, filter, maxEffect }: Selection,
  statuses: readonly MismatchStatus[],
): Promise<Mismatch[]> {
  if (ids.length > 0) {
    const byId = new Map<string, Mismatch>();
    for (const id of ids) {
      const mismatch = await oneMismatch(db, id);
      byId.set(mismatch.id, mismatch);
    }
    return [...byId.values()];
  }
  const found = await findMismatchesBy(db, { ...filter, statuses });
  if (maxEffect === undefined) return found;
  const most = parseAmount(maxEffect);
  // A mismatch without an effect may be of any amount, so it is left out.
  return found.filter(({ effect }) => effect !== null && parseAmount(effect).abs().lte(most));
}
