/** Where a receipt comes from. */
import type { ImportedTable } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An import that holds a receipt, and the line's place in its file. */
export interface ReceiptSource extends ImportedTable {
  /** From 0, over the booked lines of the file. */
  readonly position: number;
}

/** The imports in force that hold a receipt, the one that brought it first. */
export async function readReceiptSources(db: LedgerReader, id: number): Promise<ReceiptSource[]> {
  return db
    .selectFrom('receipt_line as l')
    .innerJoin('imported as i', 'i.id', 'l.evidence_id')
    .selectAll('i')
    .select('l.position')
    .where('l.receipt_id', '=', id)
    .where('l.replaced_by', 'is', null)
    .orderBy('i.id')
    .execute();
}
