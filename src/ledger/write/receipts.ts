import type { Insertable, Kysely } from 'kysely';
import { chunks } from '../chunks.ts';
import type { LedgerSchema } from '../schema.ts';
import { unitsText } from '../sql.ts';
import { insertRows } from './insert.ts';

/** A line of an import that is in force, by which later files are compared. */
export interface HeldLine {
  readonly receipt_id: number;
  readonly account: string | null;
  readonly bank_id: string | null;
  readonly date: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly text: string;
}

/** An import of receipts that is in force, with its lines in the file's order. */
export interface HeldReceipts {
  readonly id: number;
  readonly format: string;
  readonly lines: readonly HeldLine[];
}

/** The imports of receipts that are in force, whole, in the order in which they came. */
export async function readHeldReceipts(trx: Kysely<LedgerSchema>): Promise<HeldReceipts[]> {
  const imports = await trx
    .selectFrom('imported')
    .select(['id', 'format'])
    .where('kind', '=', 'receipts')
    .where('undone_at', 'is', null)
    .orderBy('id')
    .execute();
  const held: HeldReceipts[] = [];
  for (const { id, format } of imports) {
    const lines = await trx
      .selectFrom('receipt_line')
      .select(['receipt_id', 'account', 'bank_id', 'date', 'currency', 'text', unitsText('amount').as('amount')])
      .where('evidence_id', '=', id)
      .orderBy('position')
      .execute();
    held.push({ id, format, lines: lines.map((line) => ({ ...line, amount: BigInt(line.amount) })) });
  }
  return held;
}

/** Writes the statements and lines of a file, and the receipts that no earlier file held. Call it inside a transaction. */
export async function writeReceipts(
  trx: Kysely<LedgerSchema>,
  rows: {
    readonly statements: readonly Insertable<LedgerSchema['bank_statement']>[];
    readonly receipts: readonly Insertable<LedgerSchema['receipt']>[];
    readonly lines: readonly Insertable<LedgerSchema['receipt_line']>[];
  },
): Promise<void> {
  await insertRows(trx, 'bank_statement', rows.statements);
  await insertRows(trx, 'receipt', rows.receipts);
  await insertRows(trx, 'receipt_line', rows.lines);
}

/** Takes away the lines and statements of an import, and the receipts that no other import holds. */
export async function removeReceipts(
  trx: Kysely<LedgerSchema>,
  importId: number,
  plan: {
    readonly removed: readonly number[];
    readonly moved: readonly { readonly id: number; readonly line: number; readonly to: number }[];
  },
): Promise<void> {
  await trx.deleteFrom('receipt_line').where('evidence_id', '=', importId).execute();
  await trx.deleteFrom('bank_statement').where('evidence_id', '=', importId).execute();
  for (const { id, line, to } of plan.moved) {
    await trx
      .updateTable('receipt_line')
      .set({ receipt_id: to })
      .where('evidence_id', '=', id)
      .where('position', '=', line)
      .execute();
  }
  for (const ids of chunks(plan.removed)) await trx.deleteFrom('receipt').where('id', 'in', ids).execute();
}
