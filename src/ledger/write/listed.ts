/** Writes which invoices the months' lists show. */
import { chunks } from '../chunks.ts';
import type { RunTable } from '../schema.ts';
import { type Evidence, insertRows, type Row, type Trx } from './insert.ts';
import { placeInvoices } from './place-invoices.ts';

/** The rows of one invoice on a page of a month's list. */
export interface ListedRows {
  readonly listed: Omit<
    Row<'invoice_listed'>,
    'first_evidence_id' | 'read_evidence_id' | 'counts_here' | 'vanished_at' | 'vanished_run'
  >;
  readonly amounts: readonly Row<'invoice_listed_amount'>[];
  /** False if only the invoice's number could be read. */
  readonly isReadable: boolean;
}

/** Writes the rows of a page of a month's list, in place of that month's earlier rows of the same invoices. */
export async function writeListed(trx: Trx, rows: readonly ListedRows[], evidence: Evidence): Promise<void> {
  const hashes = await readHashes(trx, rows);
  for (const { listed, amounts, isReadable } of rows) {
    const { period, invoice_number, seen_run, seen_walk } = listed;
    const key = keyOf(listed);
    const sighting = { seen_run, seen_walk, vanished_at: null, vanished_run: null };
    const isHeld = hashes.has(key);
    const hasNewContent = isReadable && hashes.get(key) !== listed.row_sha256;
    if (!isHeld) {
      const read_evidence_id = isReadable ? evidence.id : null;
      // `placeInvoices` below says in which month the invoice counts.
      const first = { first_evidence_id: evidence.id, read_evidence_id, counts_here: 0 } as const;
      await trx
        .insertInto('invoice_listed')
        .values({ ...listed, ...sighting, ...first })
        .execute();
      hashes.set(key, listed.row_sha256 ?? null);
    } else {
      // A row that can no longer be read keeps its fields and loses its hash: so each sync fetches its detail again.
      const row_sha256 = isReadable ? (listed.row_sha256 ?? null) : null;
      const content = hasNewContent ? listed : {};
      const read = isReadable ? { read_evidence_id: evidence.id } : {};
      const row = trx.updateTable('invoice_listed').set({ ...content, row_sha256, ...sighting, ...read });
      await row.where('period', '=', period).where('invoice_number', '=', invoice_number).execute();
      hashes.set(key, row_sha256);
    }
    if (!hasNewContent) continue;
    if (isHeld) {
      const amountsBefore = trx.deleteFrom('invoice_listed_amount').where('period', '=', period);
      await amountsBefore.where('invoice_number', '=', invoice_number).execute();
    }
    await insertRows(trx, 'invoice_listed_amount', amounts);
  }
  await placeInvoices(trx, new Map(rows.map(({ listed }) => [listed.invoice_number, evidence])));
}

/** The hashes of these invoices' rows in the ledger, by month and number. */
async function readHashes(trx: Trx, rows: readonly ListedRows[]): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const page of chunks(rows)) {
    const periods = [...new Set(page.map(({ listed }) => listed.period))];
    const numbers = page.map(({ listed }) => listed.invoice_number);
    const ofMonths = trx.selectFrom('invoice_listed').select(['period', 'invoice_number', 'row_sha256']);
    const held = await ofMonths.where('period', 'in', periods).where('invoice_number', 'in', numbers).execute();
    for (const row of held) found.set(keyOf(row), row.row_sha256);
  }
  return found;
}

function keyOf({ period, invoice_number }: { readonly period: string; readonly invoice_number: number }): string {
  return `${period} ${invoice_number}`;
}

/**
 * Marks the invoices that a complete walk over a month's list no longer brought.
 *
 * @param completeWalk its run, and which of that run's walks it was: each row that it saw carries both numbers
 */
export async function markUnlisted(
  trx: Trx,
  period: string,
  completeWalk: { readonly run: number; readonly walk: number },
  evidence: Evidence,
): Promise<void> {
  const held = await trx
    .selectFrom('invoice_listed')
    .select(['invoice_number', 'seen_run', 'seen_walk'])
    .where('period', '=', period)
    .where('vanished_at', 'is', null)
    .orderBy('invoice_number')
    .execute();
  const gone = held
    .filter(({ seen_run, seen_walk }) => seen_run !== completeWalk.run || seen_walk !== completeWalk.walk)
    .map(({ invoice_number }) => invoice_number);
  for (const number of gone) {
    const vanished = { vanished_at: evidence.at, vanished_run: completeWalk.run };
    const listing = trx.updateTable('invoice_listed').set(vanished);
    await listing.where('period', '=', period).where('invoice_number', '=', number).execute();
  }
  // An invoice that is on no month's list any more has vanished.
  await placeInvoices(trx, new Map(gone.map((number) => [number, evidence])));
}

export async function endRun(trx: Trx, id: number, end: Pick<RunTable, 'status' | 'finished_at' | 'summary'>) {
  await trx.updateTable('run').set(end).where('id', '=', id).execute();
}
