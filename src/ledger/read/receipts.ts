import { unitsText } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';

/** A line of a bank account or cash book. Positive is money that came in. */
export interface ReceiptRow {
  readonly id: number;
  readonly evidence_id: number;
  readonly line: number;
  readonly account: string | null;
  readonly date: string;
  readonly value_date: string | null;
  readonly amount: bigint;
  readonly currency: string;
  readonly text: string;
  readonly counterparty: string | null;
  readonly counterparty_account: string | null;
  readonly reference: string | null;
  readonly invoice: string | null;
}

/** Every receipt, by id; those that one import brought where it is named. */
export async function readReceipts(db: LedgerReader, importId: number | null = null): Promise<ReceiptRow[]> {
  let query = db
    .selectFrom('receipt')
    .select(['id', 'evidence_id', 'line', 'account', 'date', 'value_date', 'currency', 'text', 'counterparty'])
    .select(['counterparty_account', 'reference', 'invoice', unitsText('amount').as('amount')])
    .orderBy('id');
  if (importId !== null) query = query.where('evidence_id', '=', importId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** The numbers of all invoices that are or were listed and read. */
export async function readInvoiceNumbers(db: LedgerReader): Promise<Set<number>> {
  const rows = await db.selectFrom('invoice').select('number').execute();
  return new Set(rows.map(({ number }) => number));
}

/** Whether any receipt is held. */
export async function hasReceipts(db: LedgerReader): Promise<boolean> {
  return (await db.selectFrom('receipt').select('id').limit(1).executeTakeFirst()) !== undefined;
}
