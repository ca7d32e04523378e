/** Writes invoices as their details state them, with a version for each content and a row for each status. */
import type { InvoiceTable } from '../schema.ts';
import { type Evidence, insertRows, type Row, type Trx } from './insert.ts';
import { placeInvoices } from './place-invoices.ts';

export interface InvoiceRows {
  readonly invoice: Pick<Row<'invoice'>, 'number' | 'status' | 'issued_at' | 'row_count' | 'detail_sha256'>;
  readonly amounts: readonly Row<'invoice_amount'>[];
  readonly orders: readonly Row<'invoice_order'>[];
  readonly orderAmounts: readonly Row<'invoice_order_amount'>[];
  /** SHA-256 of what a restatement changes: amounts and rows, payment states and status aside. */
  readonly contentSha256: string;
  /** The money of the version, as plain decimal text. */
  readonly versionAmounts: readonly Omit<Row<'invoice_version_amount'>, 'invoice_number' | 'version'>[];
}

/** An invoice as its detail states it, and the evidence that brought the detail. */
export interface ReadInvoice {
  readonly rows: InvoiceRows;
  readonly evidence: Evidence;
  /** The list's row for which the detail was fetched, and the month that listed it. */
  readonly listedSha256: string | null;
  readonly period: string;
  /** The caller found that the invoice changed: it is written even if `detail_sha256` is that of the ledger. */
  readonly isKnownChanged?: true;
}

/** An invoice's row in the ledger, with its last version; `version` is null if it has none. */
interface InvoiceBefore extends Pick<InvoiceTable, 'detail_sha256' | 'status'> {
  readonly version: number | null;
  readonly content_sha256: string | null;
}

/** An invoice whose detail is new or differs from the ledger's. */
interface ChangedInvoice extends ReadInvoice {
  readonly number: number;
  readonly held: InvoiceBefore | undefined;
}

/** Writes invoices with different numbers, each in place of its earlier rows. Call it inside a transaction. */
export async function writeInvoices(trx: Trx, invoices: readonly ReadInvoice[]): Promise<void> {
  const numbers = invoices.map(({ rows }) => rows.invoice.number);
  if (numbers.length === 0) return;
  const held = await readHeld(trx, numbers);
  await trx.deleteFrom('invoice_missing').where('invoice_number', 'in', numbers).execute();
  const changed: ChangedInvoice[] = [];
  for (const invoice of invoices) {
    const { number, detail_sha256 } = invoice.rows.invoice;
    const before = held.get(number);
    if (before?.detail_sha256 !== detail_sha256 || invoice.isKnownChanged)
      changed.push({ ...invoice, number, held: before });
    else await trx.updateTable('invoice').set(readingOf(invoice)).where('number', '=', number).execute();
  }
  await writeChanged(trx, changed);
}

async function readHeld(trx: Trx, numbers: readonly number[]): Promise<Map<number, InvoiceBefore>> {
  const rows = await trx
    .selectFrom('invoice')
    .leftJoin('invoice_version', 'invoice_number', 'number')
    .select(['number', 'detail_sha256', 'invoice.status', 'version', 'content_sha256'])
    .where('number', 'in', numbers)
    .orderBy('version')
    .execute();
  // The last version of a number stays in the map.
  return new Map(rows.map((row) => [row.number, row]));
}

/** The columns that say when the detail was last read: no newer one is known then. */
function readingOf({ evidence, listedSha256 }: ReadInvoice) {
  const notSuperseded = { superseded_at: null, superseded_why: null };
  return { read_evidence_id: evidence.id, read_at: evidence.at, listed_sha256: listedSha256, ...notSuperseded };
}

async function writeChanged(trx: Trx, invoices: readonly ChangedInvoice[]): Promise<void> {
  if (invoices.length === 0) return;
  const heldNumbers = invoices.filter(({ held }) => held).map(({ number }) => number);
  const idsBefore = await readOrderIds(trx, heldNumbers);
  if (heldNumbers.length > 0) {
    for (const table of ['invoice_order_amount', 'invoice_order', 'invoice_amount'] as const) {
      await trx.deleteFrom(table).where('invoice_number', 'in', heldNumbers).execute();
    }
  }
  for (const invoice of invoices) {
    const { number, held } = invoice;
    const fields = { ...invoice.rows.invoice, ...readingOf(invoice), detail_evidence_id: invoice.evidence.id };
    // For now: `placeInvoices` below says in which month it counts, and whether it has vanished.
    const added = { ...fields, period: invoice.period, vanished_at: null };
    if (held) await trx.updateTable('invoice').set(fields).where('number', '=', number).execute();
    else await trx.insertInto('invoice').values(added).execute();
  }
  for (const { rows } of invoices) {
    await insertRows(trx, 'invoice_amount', rows.amounts);
    await insertRows(trx, 'invoice_order', rows.orders);
    await insertRows(trx, 'invoice_order_amount', rows.orderAmounts);
  }
  const listings = invoices.flatMap((invoice) => newListings(invoice, idsBefore.get(invoice.number)));
  await insertRows(trx, 'order_listing', listings);
  const restated = invoices.filter(({ held, rows }) => held?.content_sha256 !== rows.contentSha256);
  await writeVersions(trx, restated);
  const statuses = invoices.flatMap(({ number, rows, evidence, held }) => {
    const { status } = rows.invoice;
    if (held?.status === status) return [];
    return [{ invoice_number: number, evidence_id: evidence.id, seen_at: evidence.at, status }];
  });
  await insertRows(trx, 'invoice_status', statuses);
  await placeInvoices(trx, new Map(invoices.map(({ number, evidence }) => [number, evidence])));
}

async function readOrderIds(trx: Trx, numbers: readonly number[]): Promise<Map<number, Set<string>>> {
  const listed = new Map(numbers.map((number) => [number, new Set<string>()]));
  if (numbers.length === 0) return listed;
  const ofInvoices = trx.selectFrom('invoice_order').select(['invoice_number', 'order_id']).distinct();
  const rows = await ofInvoices.where('invoice_number', 'in', numbers).execute();
  for (const { invoice_number, order_id } of rows) listed.get(invoice_number)!.add(order_id);
  return listed;
}

/** Rows for the orders that are on an invoice now and were not before, and the other way round. */
function newListings({ number, rows, evidence }: ChangedInvoice, before: ReadonlySet<string> = new Set()) {
  const now = new Set(rows.orders.map(({ order_id }) => order_id));
  const entry = (order_id: string, listed: 0 | 1) => {
    return { order_id, invoice_number: number, evidence_id: evidence.id, seen_at: evidence.at, listed };
  };
  return [
    ...[...now].filter((id) => !before.has(id)).map((id) => entry(id, 1)),
    ...[...before].filter((id) => !now.has(id)).map((id) => entry(id, 0)),
  ];
}

async function writeVersions(trx: Trx, invoices: readonly ChangedInvoice[]): Promise<void> {
  const versions = invoices.map(({ number, rows, evidence, held }) => {
    const { status, issued_at, row_count, detail_sha256 } = rows.invoice;
    return {
      invoice_number: number,
      version: (held?.version ?? 0) + 1,
      evidence_id: evidence.id,
      seen_at: evidence.at,
      sha256: detail_sha256,
      status,
      issued_at,
      row_count,
      content_sha256: rows.contentSha256,
    };
  });
  await insertRows(trx, 'invoice_version', versions);
  const versionAmounts = invoices.flatMap(({ rows }, at) => {
    const { invoice_number, version } = versions[at]!;
    return rows.versionAmounts.map((amounts) => ({ invoice_number, version, ...amounts }));
  });
  await insertRows(trx, 'invoice_version_amount', versionAmounts);
}

/** Notes that an invoice's newest detail could not be fetched or read: its rows are old, or there are none. */
export async function supersedeInvoice(trx: Trx, number: number, { id, at }: Evidence, why: string): Promise<void> {
  const held = await trx.selectFrom('invoice').select('superseded_at').where('number', '=', number).executeTakeFirst();
  if (held) {
    const since = { superseded_at: held.superseded_at ?? at, superseded_why: why };
    const fields = { ...since, read_evidence_id: id, read_at: at };
    await trx.updateTable('invoice').set(fields).where('number', '=', number).execute();
    return;
  }
  const missing = { evidence_id: id, at, why };
  await trx
    .insertInto('invoice_missing')
    .values({ invoice_number: number, ...missing })
    .onConflict((conflict) => conflict.column('invoice_number').doUpdateSet(missing))
    .execute();
}
