import { type RawBuilder, sql } from 'kysely';
import { chunks, inChunks } from '../chunks.ts';
import { rowsOf } from '../queries/snapshot.ts';
import { isOneOf } from '../sql.ts';
import { highest, insertRows, type Row, type Trx } from './insert.ts';

/** A match to be written, with the amounts of its receipts and invoices. It has no id yet. */
export interface MatchRows {
  readonly match: Omit<Row<'receipt_match'>, 'id' | 'removed_at' | 'removed_by' | 'removed_why'>;
  readonly receipts: readonly Omit<Row<'receipt_match_receipt'>, 'match_id'>[];
  readonly invoices: readonly Omit<Row<'receipt_match_invoice'>, 'match_id'>[];
}

/** Writes matches, each with the next id. Call it inside a transaction. */
export async function writeMatches(trx: Trx, matches: readonly MatchRows[]): Promise<void> {
  const first = (await highest(trx, 'receipt_match', 'id')) + 1;
  const rows: Row<'receipt_match'>[] = [];
  const receiptRows: Row<'receipt_match_receipt'>[] = [];
  const invoiceRows: Row<'receipt_match_invoice'>[] = [];
  const notRemoved = { removed_at: null, removed_by: null, removed_why: null };
  for (const [index, { match, receipts, invoices }] of matches.entries()) {
    const match_id = first + index;
    rows.push({ id: match_id, ...match, ...notRemoved });
    for (const part of receipts) receiptRows.push({ match_id, ...part });
    for (const part of invoices) invoiceRows.push({ match_id, ...part });
  }
  await insertRows(trx, 'receipt_match', rows);
  await insertRows(trx, 'receipt_match_receipt', receiptRows);
  await insertRows(trx, 'receipt_match_invoice', invoiceRows);
}

/** Marks matches as removed; one that is removed already stays as it is. */
export async function removeMatches(
  trx: Trx,
  ids: readonly number[],
  removed: { readonly at: string; readonly by: string; readonly why: string },
): Promise<void> {
  for (const page of chunks(ids)) {
    await trx
      .updateTable('receipt_match')
      .set({ removed_at: removed.at, removed_by: removed.by, removed_why: removed.why })
      .where('id', 'in', page)
      .where('removed_at', 'is', null)
      .execute();
  }
}

/** The ids of the matches in force that use any of these receipts, and of those that take these receipts back. */
export async function matchesOfReceipts(trx: Trx, receipts: readonly number[]): Promise<number[]> {
  const using = await readInForce(trx, receipts, (page) => {
    return sql`select match_id from receipt_match_receipt where ${isOneOf('receipt_id', page)}`;
  });
  return withReversals(trx, using, receipts);
}

/** The ids of the matches in force that pay any of these invoices, and of those that take their receipts back. */
export async function matchesOfInvoices(trx: Trx, invoices: readonly number[]): Promise<number[]> {
  const paying = await readInForce(trx, invoices, (page) => {
    return sql`select match_id from receipt_match_invoice where ${isOneOf('invoice_number', page)}`;
  });
  return withReversals(trx, paying);
}

/** The ids of the matches in force of some receipts or invoices. @param matchesOf a query for the ids of all matches */
async function readInForce(
  trx: Trx,
  numbers: readonly number[],
  matchesOf: (numbers: readonly number[]) => RawBuilder<unknown>,
): Promise<number[]> {
  const rows = await inChunks(
    numbers,
    (page) => rowsOf<{ id: number }>(trx)`
      select id from receipt_match where removed_at is null and id in (${matchesOf(page)})`,
  );
  return rows.map(({ id }) => id);
}

/**
 * The ids of matches, and of those in force that take their receipts back (`reverses`): without the payment nothing is
 * left to take back.
 *
 * @param receipts further receipts; the matches that take these back are added too
 */
export async function withReversals(trx: Trx, matches: readonly number[], receipts: readonly number[] = []) {
  const reversed = new Set(receipts);
  for (const page of chunks(matches)) {
    const shares = trx.selectFrom('receipt_match_receipt').select('receipt_id').where('match_id', 'in', page);
    for (const { receipt_id } of await shares.execute()) reversed.add(receipt_id);
  }
  const reversing = await readInForce(trx, [...reversed], (page) => {
    return sql`select id from receipt_match where ${isOneOf('reverses', page)}`;
  });
  return [...new Set([...matches, ...reversing])].sort((a, b) => a - b);
}
