import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema } from '../schema.ts';
import { insertRows } from './insert.ts';
import { placeInvoices } from './place-invoices.ts';

export interface InvoiceRows {
  readonly invoice: Pick<
    Insertable<LedgerSchema['invoice']>,
    'number' | 'status' | 'issued_at' | 'row_count' | 'detail_sha256'
  >;
  readonly amounts: readonly Insertable<LedgerSchema['invoice_amount']>[];
  readonly orders: readonly Insertable<LedgerSchema['invoice_order']>[];
  readonly orderAmounts: readonly Insertable<LedgerSchema['invoice_order_amount']>[];
  /** SHA-256 of what a restatement changes: amounts and rows, payment states and status aside. */
  readonly contentSha256: string;
  /** The money of the version, as plain decimal text. */
  readonly versionAmounts: readonly Omit<
    Insertable<LedgerSchema['invoice_version_amount']>,
    'invoice_number' | 'version'
  >[];
}

export interface Look {
  readonly evidenceId: number;
  readonly at: string;
  /** The list's row for which it was fetched, and the month that listed it. */
  readonly listedSha256: string | null;
  readonly period: string;
  /** It is known to be another, though of the same document. */
  readonly isOther?: true;
}

/** Writes an invoice whole, in place of what the ledger held of it. Call it inside a transaction. */
export async function writeInvoice(trx: Kysely<LedgerSchema>, rows: InvoiceRows, look: Look): Promise<void> {
  const { number } = rows.invoice;
  const held = await trx
    .selectFrom('invoice')
    .leftJoin('invoice_version', 'invoice_number', 'number')
    .select(['detail_sha256', 'invoice.status', 'version', 'content_sha256'])
    .where('number', '=', number)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  const seen = {
    read_evidence_id: look.evidenceId,
    read_at: look.at,
    listed_sha256: look.listedSha256,
    superseded_at: null,
    superseded_why: null,
  };
  await trx.deleteFrom('invoice_missing').where('invoice_number', '=', number).execute();
  if (held?.detail_sha256 === rows.invoice.detail_sha256 && !look.isOther) {
    await trx.updateTable('invoice').set(seen).where('number', '=', number).execute();
    return;
  }
  const fields = { ...rows.invoice, ...seen, detail_evidence_id: look.evidenceId };
  const listedBefore = held ? await listedOrders(trx, number) : new Set<string>();
  if (held) {
    for (const table of ['invoice_order_amount', 'invoice_order', 'invoice_amount'] as const) {
      await trx.deleteFrom(table).where('invoice_number', '=', number).execute();
    }
    await trx.updateTable('invoice').set(fields).where('number', '=', number).execute();
  } else {
    await trx
      .insertInto('invoice')
      .values({ ...fields, period: look.period, vanished_at: null })
      .execute();
  }
  await insertRows(trx, 'invoice_amount', rows.amounts);
  await insertRows(trx, 'invoice_order', rows.orders);
  await insertRows(trx, 'invoice_order_amount', rows.orderAmounts);
  await writeListings(trx, rows, listedBefore, look);
  if (held?.content_sha256 !== rows.contentSha256)
    await writeVersion(trx, rows, { look, version: (held?.version ?? 0) + 1 });
  if (held?.status !== rows.invoice.status) {
    const moved = { invoice_number: number, evidence_id: look.evidenceId, seen_at: look.at };
    await trx
      .insertInto('invoice_status')
      .values({ ...moved, status: rows.invoice.status })
      .execute();
  }
  await placeInvoices(trx, [number], look);
}

async function listedOrders(trx: Kysely<LedgerSchema>, number: number): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('invoice_order')
    .select('order_id')
    .distinct()
    .where('invoice_number', '=', number)
    .execute();
  return new Set(rows.map(({ order_id }) => order_id));
}

/** Notes the orders that an invoice lists now and did not before, and the other way round. */
async function writeListings(
  trx: Kysely<LedgerSchema>,
  rows: InvoiceRows,
  before: ReadonlySet<string>,
  { evidenceId, at }: Look,
): Promise<void> {
  const now = new Set(rows.orders.map(({ order_id }) => order_id));
  const entry = (order_id: string, listed: 0 | 1) => {
    return { order_id, invoice_number: rows.invoice.number, evidence_id: evidenceId, seen_at: at, listed };
  };
  await insertRows(trx, 'order_listing', [
    ...[...now].filter((id) => !before.has(id)).map((id) => entry(id, 1)),
    ...[...before].filter((id) => !now.has(id)).map((id) => entry(id, 0)),
  ]);
}

/** Adds a version to the invoice's history. */
async function writeVersion(
  trx: Kysely<LedgerSchema>,
  rows: InvoiceRows,
  { look, version }: { readonly look: Look; readonly version: number },
): Promise<void> {
  const { number: invoice_number, status, issued_at, row_count, detail_sha256 } = rows.invoice;
  await trx
    .insertInto('invoice_version')
    .values({
      invoice_number,
      version,
      evidence_id: look.evidenceId,
      seen_at: look.at,
      sha256: detail_sha256,
      status,
      issued_at,
      row_count,
      content_sha256: rows.contentSha256,
    })
    .execute();
  await insertRows(
    trx,
    'invoice_version_amount',
    rows.versionAmounts.map((amounts) => ({ invoice_number, version, ...amounts })),
  );
}

/** Notes that an invoice's newest detail could not be read or brought: what the ledger holds of it is old, or it holds nothing. */
export async function supersedeInvoice(
  trx: Kysely<LedgerSchema>,
  number: number,
  look: { evidenceId: number; at: string; why: string },
): Promise<void> {
  const held = await trx.selectFrom('invoice').select('superseded_at').where('number', '=', number).executeTakeFirst();
  if (held) {
    const since = { superseded_at: held.superseded_at ?? look.at, superseded_why: look.why };
    await trx
      .updateTable('invoice')
      .set({ ...since, read_evidence_id: look.evidenceId, read_at: look.at })
      .where('number', '=', number)
      .execute();
    return;
  }
  const missing = { evidence_id: look.evidenceId, at: look.at, why: look.why };
  await trx
    .insertInto('invoice_missing')
    .values({ invoice_number: number, ...missing })
    .onConflict((conflict) => conflict.column('invoice_number').doUpdateSet(missing))
    .execute();
}
