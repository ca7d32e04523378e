import { UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readGivenUpNow } from '../../ledger/queries/findings/effects.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readTakenOff } from '../../ledger/queries/receipts/matches.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksHaving, booksOfMismatches } from '../each-courier.ts';
import { type NewDecision, recordDecision, recordRemoved } from '../mismatches/record.ts';
import { oneMismatch } from '../show/mismatch.ts';

/**
 * Undoes what was taken off invoices or given up, whatever command did it: a match with its difference is removed, a
 * finding is open again. All of it stays on record.
 *
 * @param undone `id`: the number of a settlement or of a match with a named difference; or a mismatch's id, or the
 * beginning of one
 * @throws UsageError when no such settlement is in force
 */
export async function undoSettlement(books: Books, { id, reason, by }: { id: string; reason: string; by: string }) {
  const undoing = { why: reason, by, at: books.now() };
  const number = /^\d{1,12}$/.test(id) ? Number(id) : null;
  const courierBooks =
    number === null
      ? await booksOfMismatches(books, [id])
      : await booksHaving(books, { kind: 'settlement', name: id }, async (db) =>
          (await readTakenOff(db)).some((one) => one.id === number),
        );
  return changeBooks(courierBooks, {}, async (trx) => {
    await holdHead(trx);
    if (number === null) return reopen(trx, (await oneMismatch(trx, id)).id, undoing);
    const settlement = (await readTakenOff(trx)).find((one) => one.id === number);
    if (!settlement) throw new UsageError(because({ id: 'no-settlement', settlement: id }));
    const { claim: finding, removed_at } = settlement;
    if (removed_at !== null) {
      const at = instantForPeople(removed_at);
      throw new UsageError(because({ id: 'settlement-undone', settlement: number, at }));
    }
    const isGivenUp =
      finding !== null && (await readMismatchesById(trx, [finding])).get(finding)?.status === 'resolved';
    if (isGivenUp) await reopen(trx, finding, undoing);
    else await recordRemoved(trx, { ...undoing, id: number });
  });
}

/**
 * Reopens a finding that a person resolved, though the data may no longer show it: just because something was taken off
 * its invoice with it. That is open again too.
 */
async function reopen(
  trx: LedgerTransaction,
  id: string,
  { why, by, at }: Pick<NewDecision, 'by' | 'at'> & { readonly why: string },
): Promise<void> {
  if (!(await readGivenUpNow(trx)).has(id)) throw new UsageError(because({ id: 'no-settlement', settlement: id }));
  await recordDecision(trx, { ids: [id], to_status: 'open', note: why, by, at });
}
