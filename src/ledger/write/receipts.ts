/**
 * Receipts: lines of bank accounts and cash books, for the whole books and not for one courier. A line that several
 * files have is one receipt. A file that is taken as a correction replaces the receipts of its days that it lacks: they
 * stay on record with `replaced_by`, and count no longer.
 */
import { sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { ReceiptLineTable, ReceiptTable } from '../schema.ts';
import { unitsText } from '../sql.ts';
import type { Trx } from './insert.ts';

/** A line of an import that is in force, with which later files are compared. */
type HeldLine = Omit<ReceiptLineTable, 'evidence_id' | 'amount' | 'balance' | 'replaced_by'> & {
  readonly amount: bigint;
  readonly balance: bigint | null;
};

/** An import of receipts that is in force, with the lines of it that count, in the file's order. */
export interface ReceiptImport {
  readonly id: number;
  readonly format: string;
  /** `by-day`: a bank's id identifies a line with its day, amount and currency. Null: the id alone did (remit 1.0). */
  readonly ids: 'by-day' | null;
  readonly lines: readonly HeldLine[];
}

/** The imports of receipts that are in force, with the lines that count, in the order in which they came. */
export async function readReceiptImports(trx: Trx): Promise<ReceiptImport[]> {
  const ofReceipts = trx.selectFrom('imported').select(['id', 'format', 'ids']).where('kind', '=', 'receipts');
  const imports = await ofReceipts.where('undone_at', 'is', null).orderBy('id').execute();
  const held: ReceiptImport[] = [];
  for (const { id, format, ids } of imports) {
    const lines = await trx
      .selectFrom('receipt_line')
      .select(['receipt_id', 'position', 'account', 'bank_id', 'date', 'currency', 'text'])
      .select([unitsText('amount').as('amount'), unitsText('balance').as('balance')])
      .where('evidence_id', '=', id)
      .where('replaced_by', 'is', null)
      .orderBy('position')
      .execute();
    const units = lines.map(({ amount, balance, ...line }) => {
      return { ...line, amount: BigInt(amount), balance: balance === null ? null : BigInt(balance) };
    });
    held.push({ id, format, ids, lines: units });
  }
  return held;
}

/**
 * Whether the books lack the money of a line of an import. remit 1.0 took lines with the same bank id for one receipt:
 * so a line may stand for a receipt with another day, amount or currency, while no receipt has those of the line.
 */
export async function lacksMovements(trx: Trx, importId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from receipt_line l join receipt r on r.id = l.receipt_id
    where l.evidence_id = ${importId} and (l.date <> r.date or l.amount <> r.amount or l.currency <> r.currency)
      and not exists (select 1 from receipt q where q.date = l.date and q.amount = l.amount and q.currency = l.currency)
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** Removes the lines and statements of an import, and the receipts that no other import has. */
export async function removeReceipts(
  trx: Trx,
  importId: number,
  plan: {
    /** The ids of the receipts that no other import has. */
    readonly removed: readonly number[];
    /** Lines of other imports that now stand for the receipt `to`: line `line` of the file of the import `id`. */
    readonly moved: readonly { readonly id: number; readonly line: number; readonly to: number }[];
  },
): Promise<void> {
  await trx.deleteFrom('receipt_line').where('evidence_id', '=', importId).execute();
  await trx.deleteFrom('bank_statement').where('evidence_id', '=', importId).execute();
  for (const { id, line, to } of plan.moved) {
    const moving = trx.updateTable('receipt_line').set({ receipt_id: to }).where('evidence_id', '=', id);
    await moving.where('position', '=', line).execute();
  }
  // A receipt that a correction replaced is not in the plan: it goes with its last line.
  const withLines = trx.selectFrom('receipt_line').select('receipt_id');
  const replaced = trx.deleteFrom('receipt').where('replaced_by', 'is not', null);
  await replaced.where('id', 'not in', withLines).execute();
  for (const ids of chunks(plan.removed)) await trx.deleteFrom('receipt').where('id', 'in', ids).execute();
}

/** A receipt that counts, and the file that brought it. */
export interface HeldReceipt
  extends Pick<ReceiptTable, 'id' | 'evidence_id' | 'line' | 'account' | 'date' | 'currency' | 'text'> {
  readonly source: string;
  readonly amount: bigint;
}

/**
 * Reads what decides which receipts an import corrects: the accounts and days that its statements state, its lines, and
 * all receipts that count, of any import.
 */
export async function readCovered(trx: Trx, importId: number) {
  const stated = trx.selectFrom('bank_statement').select(['account', 'currency', 'from_day', 'to_day']);
  const statements = await stated.where('evidence_id', '=', importId).execute();
  const itsLines = trx.selectFrom('receipt_line').select(['receipt_id', 'account', 'currency', 'date']);
  const lines = await itsLines.where('evidence_id', '=', importId).execute();
  return { statements, lines, held: await readCountedReceipts(trx) };
}

/** The receipts that no correction replaced, in the order in which they came. */
export async function readCountedReceipts(trx: Trx): Promise<HeldReceipt[]> {
  const rows = await trx
    .selectFrom('receipt as r')
    .innerJoin('imported as i', 'i.id', 'r.evidence_id')
    .select(['r.id', 'r.evidence_id', 'r.line', 'i.source', 'r.account', 'r.date', 'r.currency', 'r.text'])
    .select(unitsText('r.amount').as('amount'))
    .where('r.replaced_by', 'is', null)
    .orderBy('r.id')
    .execute();
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** Marks receipts and their lines as replaced: they stay on record, and count no longer. Null: they count again. */
export async function markReplaced(trx: Trx, receipts: readonly number[], replaced_by: number | null): Promise<void> {
  for (const page of chunks(receipts)) {
    await trx.updateTable('receipt').set({ replaced_by }).where('id', 'in', page).execute();
    await trx.updateTable('receipt_line').set({ replaced_by }).where('receipt_id', 'in', page).execute();
  }
}

/** The ids of the receipts that an import replaced as a correction. */
export async function readReplacedBy(trx: Trx, importId: number): Promise<number[]> {
  const replaced = trx.selectFrom('receipt as r').innerJoin('receipt_replacement as p', 'p.id', 'r.replaced_by');
  const rows = await replaced.select('r.id').where('p.import_id', '=', importId).orderBy('r.id').execute();
  return rows.map(({ id }) => id);
}

/** The replacements of all imports in force but one, in their order. */
export function readReplacements(trx: Trx, exceptOf: number) {
  return trx
    .selectFrom('receipt_replacement as p')
    .innerJoin('imported as i', 'i.id', 'p.import_id')
    .select(['p.id', 'p.import_id'])
    .where('p.import_id', '<>', exceptOf)
    .where('i.undone_at', 'is', null)
    .orderBy('p.id')
    .execute();
}
