/** Receipts: those that count, the files that have them, and those that imports added or replaced. */
import { sql } from 'kysely';
import type { ImportedTable, ReceiptTable } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { AtClose } from '../balances/movements.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** A line of a bank account or cash book. Positive is money that came in. */
export interface ReceiptRow extends Omit<ReceiptTable, 'amount' | 'replaced_by'> {
  /** When its file was imported. */
  readonly seen_at: string;
  readonly amount: bigint;
}

/** Which receipts to read; an absent field does not restrict. */
export interface ReceiptsWanted {
  /** Only receipts that one import brought. */
  readonly importId?: number;
  readonly ids?: readonly number[];
  /** The receipts that counted when a month was closed, by the evidence before that; else those that count now. */
  readonly atClose?: AtClose | undefined;
}

/** The receipts that count, by id: none that a correction replaced. */
export async function readReceipts(db: LedgerReader, { importId, ids, atClose }: ReceiptsWanted = {}) {
  let query = db
    .selectFrom('receipt as r')
    .innerJoin('evidence as e', 'e.id', 'r.evidence_id')
    .select(['r.id', 'r.evidence_id', 'e.at as seen_at', 'r.line', 'r.account', 'r.date', 'r.value_date', 'r.currency'])
    .select(['r.text', 'r.counterparty', 'r.counterparty_account', 'r.reference', 'r.invoice'])
    .select(unitsText('r.amount').as('amount'))
    .orderBy('r.id');
  query = atClose
    ? query
        .where('r.evidence_id', '<', atClose.id)
        .where((eb) => eb.or([eb('r.replaced_by', 'is', null), eb('r.replaced_by', '>=', atClose.id)]))
    : query.where('r.replaced_by', 'is', null);
  if (importId !== undefined) query = query.where('r.evidence_id', '=', importId);
  if (ids !== undefined) query = query.where(isOneOf('r.id', ids));
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

export async function hasReceipts(db: LedgerReader): Promise<boolean> {
  return (await db.selectFrom('receipt').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** At most `most` receipts, the latest first, whose text or payer contains `text` in any case, or whose day it is. */
export async function findReceiptsSaying(db: LedgerReader, text: string, most: number): Promise<number[]> {
  // SQLite's `lower` changes only A to Z. So the text is sought twice: with its other letters small, and with them
  // large, as banks write them.
  const withOthersLarge = text.toUpperCase().replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const tests = [text.toLowerCase(), withOthersLarge].map((sought) => {
    const like = `%${sought.replaceAll(/[\\%_]/g, '\\$&')}%`;
    return sql`lower(text) like ${like} escape '\\' or lower(counterparty) like ${like} escape '\\'`;
  });
  const rows = await rowsOf<{ id: number }>(db)`
    select id from receipt where replaced_by is null and (${sql.join(tests, sql` or `)} or date = ${text})
    order by date desc, id desc limit ${most}`;
  return rows.map(({ id }) => Number(id));
}

/** A receipt that was added, or that a correction replaced. */
export type ReceiptMoved = Readonly<Pick<ReceiptRow, 'date' | 'currency' | 'amount'>>;

/**
 * The receipts that imports added, and replaced, between two rows of evidence, both excluded. One that was added and
 * replaced in between is in neither list.
 */
export async function readMovedSince(db: LedgerReader, after: number, until = Number.MAX_SAFE_INTEGER) {
  const rows = await db
    .selectFrom('receipt')
    .select(['evidence_id', 'date', 'currency', 'replaced_by', unitsText('amount').as('amount')])
    .where(({ or, eb }) => or([eb('evidence_id', '>', after), eb('replaced_by', '>', after)]))
    .orderBy('id')
    .execute();
  const isBetween = (id: number | null) => id !== null && id > after && id < until;
  const added: ReceiptMoved[] = [];
  const replaced: ReceiptMoved[] = [];
  for (const { evidence_id, replaced_by, date, currency, amount } of rows) {
    const receipt = { date, currency, amount: BigInt(amount) };
    if (isBetween(evidence_id) && !isBetween(replaced_by)) added.push(receipt);
    if (!isBetween(evidence_id) && isBetween(replaced_by)) replaced.push(receipt);
  }
  return { added, replaced };
}

/** An import with a line of a receipt, and the line's place in its file. */
export interface ReceiptSource extends ImportedTable {
  /** From 0, over the booked lines of the file. */
  readonly position: number;
}

/** The imports in force that have a receipt; the one that brought it comes first. */
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
