import type { Insertable, Kysely } from 'kysely';
import { chunks } from '../chunks.ts';
import type { LedgerSchema } from '../schema.ts';
import { insertRows } from './insert.ts';

type Row<T extends keyof LedgerSchema> = Insertable<LedgerSchema[T]>;

/** A match to be written, with the amounts of its receipts and invoices. It has no id yet. */
export interface MatchRows {
  readonly match: Omit<Row<'receipt_match'>, 'id' | 'removed_at' | 'removed_by' | 'removed_why'>;
  readonly receipts: readonly Omit<Row<'receipt_match_receipt'>, 'match_id'>[];
  readonly invoices: readonly Omit<Row<'receipt_match_invoice'>, 'match_id'>[];
}

/** Writes matches, each with the next id. Call it inside a transaction. */
export async function writeMatches(trx: Kysely<LedgerSchema>, matches: readonly MatchRows[]): Promise<void> {
  const { last } = await trx
    .selectFrom('receipt_match')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const first = Number(last ?? 0) + 1;
  const notRemoved = { removed_at: null, removed_by: null, removed_why: null };
  await insertRows(
    trx,
    'receipt_match',
    matches.map(({ match }, index) => ({ id: first + index, ...match, ...notRemoved })),
  );
  const withMatchId = <T>(partsOf: (match: MatchRows) => readonly T[]) =>
    matches.flatMap((match, index) => partsOf(match).map((part) => ({ match_id: first + index, ...part })));
  await insertRows(
    trx,
    'receipt_match_receipt',
    withMatchId(({ receipts }) => receipts),
  );
  await insertRows(
    trx,
    'receipt_match_invoice',
    withMatchId(({ invoices }) => invoices),
  );
}

/** Marks matches as removed; one that is removed already stays as it is. */
export async function removeMatches(
  trx: Kysely<LedgerSchema>,
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
export async function matchesOfReceipts(trx: Kysely<LedgerSchema>, receipts: readonly number[]): Promise<number[]> {
  const ids: number[] = [];
  for (const page of chunks(receipts)) {
    const using = await trx
      .selectFrom('receipt_match as m')
      .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
      .select('m.id')
      .where('m.removed_at', 'is', null)
      .where('r.receipt_id', 'in', page)
      .execute();
    ids.push(...using.map(({ id }) => id));
  }
  return withReversals(trx, ids, receipts);
}

/** The ids of the matches in force that pay any of these invoices, and of those that take their receipts back. */
export async function matchesOfInvoices(trx: Kysely<LedgerSchema>, invoices: readonly number[]): Promise<number[]> {
  const ids: number[] = [];
  for (const page of chunks(invoices)) {
    const paying = await trx
      .selectFrom('receipt_match as m')
      .innerJoin('receipt_match_invoice as i', 'i.match_id', 'm.id')
      .select('m.id')
      .where('m.removed_at', 'is', null)
      .where('i.invoice_number', 'in', page)
      .execute();
    ids.push(...paying.map(({ id }) => id));
  }
  return withReversals(trx, ids);
}

/**
 * The ids of matches, and of those in force that take their receipts back (`reverses`): without the payment nothing is
 * left to take back.
 *
 * @param receipts further receipts; the matches that take these back are added too
 */
export async function withReversals(
  trx: Kysely<LedgerSchema>,
  matches: readonly number[],
  receipts: readonly number[] = [],
): Promise<number[]> {
  const ids = new Set(matches);
  const reversed = new Set(receipts);
  for (const page of chunks(matches)) {
    const shares = await trx
      .selectFrom('receipt_match_receipt')
      .select('receipt_id')
      .where('match_id', 'in', page)
      .execute();
    for (const { receipt_id } of shares) reversed.add(receipt_id);
  }
  for (const page of chunks([...reversed])) {
    const reversing = await trx
      .selectFrom('receipt_match')
      .select('id')
      .where('removed_at', 'is', null)
      .where('reverses', 'in', page)
      .execute();
    for (const { id } of reversing) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b);
}
