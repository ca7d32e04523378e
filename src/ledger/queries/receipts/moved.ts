import { unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A receipt that counts since, or counts no longer. */
export interface ReceiptMoved {
  readonly date: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** The receipts that imports brought after a piece of evidence, and those that they took out of the books. @param until the first evidence that no longer counts */
export async function readMovedSince(
  db: LedgerReader,
  after: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly added: readonly ReceiptMoved[]; readonly replaced: readonly ReceiptMoved[] }> {
  const rows = await db
    .selectFrom('receipt')
    .select(['evidence_id', 'date', 'currency', 'replaced_by', unitsText('amount').as('amount')])
    .where(({ or, eb }) => or([eb('evidence_id', '>', after), eb('replaced_by', '>', after)]))
    .orderBy('id')
    .execute();
  const isWithin = (id: number | null) => id !== null && id > after && id < until;
  const moved = rows.map(({ date, currency, amount, ...row }) => ({ row, date, currency, amount: BigInt(amount) }));
  const shown = ({ date, currency, amount }: ReceiptMoved) => ({ date, currency, amount });
  return {
    added: moved.filter(({ row }) => isWithin(row.evidence_id) && !isWithin(row.replaced_by)).map(shown),
    replaced: moved.filter(({ row }) => !isWithin(row.evidence_id) && isWithin(row.replaced_by)).map(shown),
  };
}
