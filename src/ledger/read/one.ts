/** All that is known of one invoice or one order. Amounts are plain decimal text, by currency. */
import type { Selectable } from 'kysely';
import { amountOfUnits, formatAmount, MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../../money/index.ts';
import type { LedgerSchema, MismatchTable } from '../schema.ts';
import { unitsText } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';

/** Money by currency and field, as plain decimal text. */
export type AmountsText = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ListedInvoice extends Selectable<LedgerSchema['invoice_listed']> {
  readonly amounts: AmountsText;
}

export interface InvoiceRow extends Selectable<LedgerSchema['invoice_order']> {
  readonly amounts: AmountsText;
}

/** What the months' lists say of an invoice, by month. */
export async function readListedInvoices(db: LedgerReader, number: number): Promise<ListedInvoice[]> {
  const rows = await db
    .selectFrom('invoice_listed')
    .selectAll()
    .where('invoice_number', '=', number)
    .orderBy('period')
    .execute();
  const money = await db
    .selectFrom('invoice_listed_amount')
    .select(['period', 'currency'])
    .select(MONEY_FIELDS.map((field) => unitsText(field).as(field)))
    .where('invoice_number', '=', number)
    .orderBy('currency')
    .execute();
  return rows.map((row) => ({ ...row, amounts: amountsOf(money.filter(({ period }) => period === row.period)) }));
}

/** An invoice's detail; null where none could ever be read. */
export async function readInvoiceHeader(db: LedgerReader, number: number) {
  const header = await db.selectFrom('invoice').selectAll().where('number', '=', number).executeTakeFirst();
  if (!header) return null;
  const money = await db
    .selectFrom('invoice_amount')
    .select('currency')
    .select(MONEY_FIELDS.map((field) => unitsText(field).as(field)))
    .where('invoice_number', '=', number)
    .orderBy('currency')
    .execute();
  return { ...header, amounts: amountsOf(money) };
}

/** Why an invoice's detail is not there; null where it is. */
export async function readInvoiceMissing(db: LedgerReader, number: number): Promise<string | null> {
  const row = await db
    .selectFrom('invoice_missing')
    .select('why')
    .where('invoice_number', '=', number)
    .executeTakeFirst();
  return row?.why ?? null;
}

/** Rows of invoices: those of one invoice, or those of one order on whatever invoice. */
export async function readInvoiceRows(
  db: LedgerReader,
  of: { readonly invoice?: number; readonly order?: string },
): Promise<InvoiceRow[]> {
  let rows = db.selectFrom('invoice_order').selectAll().orderBy('invoice_number').orderBy('position');
  if (of.invoice !== undefined) rows = rows.where('invoice_number', '=', of.invoice);
  if (of.order !== undefined) rows = rows.where('order_id', '=', of.order);
  const found = await rows.execute();
  const numbers = [...new Set(found.map(({ invoice_number }) => invoice_number))];
  if (numbers.length === 0) return [];
  const money = await db
    .selectFrom('invoice_order_amount')
    .select(['invoice_number', 'position', 'currency'])
    .select(ORDER_MONEY_FIELDS.map((field) => unitsText(field).as(field)))
    .where('invoice_number', 'in', numbers)
    .orderBy('currency')
    .execute();
  const key = (row: { invoice_number: number; position: number }) => `${row.invoice_number} ${row.position}`;
  const byRow = new Map<string, typeof money>();
  for (const row of money) byRow.set(key(row), [...(byRow.get(key(row)) ?? []), row]);
  return found.map((row) => ({ ...row, amounts: amountsOf(byRow.get(key(row)) ?? []) }));
}

/** The courier's own record of an order; null where the order book never held one. */
export async function readOrderRecord(db: LedgerReader, orderId: string) {
  const record = await db.selectFrom('courier_order').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  if (!record) return null;
  const of = async (table: 'courier_order_amount' | 'courier_order_delivered_amount') =>
    amountsOf(
      await db
        .selectFrom(table)
        .select('currency')
        .select(ORDER_MONEY_FIELDS.map((field) => unitsText(field).as(field)))
        .where('order_id', '=', orderId)
        .orderBy('currency')
        .execute(),
    );
  const delivered = await of('courier_order_delivered_amount');
  const statestamps = await db
    .selectFrom('statestamp')
    .select(['delivery_state', 'payment_state', 'stamped_at'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute();
  return {
    ...record,
    amounts: await of('courier_order_amount'),
    /** As first seen delivered, where that was otherwise. */
    delivered_amounts: Object.keys(delivered).length > 0 ? delivered : null,
    statestamps,
  };
}

/** The mismatches about an invoice or an order, whatever became of them. */
export async function readMismatchesOf(
  db: LedgerReader,
  of: { readonly invoice?: number; readonly order?: string },
): Promise<MismatchTable[]> {
  let query = db.selectFrom('mismatch').selectAll().orderBy('period').orderBy('code').orderBy('id');
  if (of.invoice !== undefined) query = query.where('invoice_number', '=', of.invoice);
  if (of.order !== undefined) query = query.where('order_id', '=', of.order);
  return query.execute();
}

/** The mismatches whose id begins with a text: one, where it is long enough to be unique. */
export async function findMismatches(db: LedgerReader, prefix: string, most = 10): Promise<MismatchTable[]> {
  return db
    .selectFrom('mismatch')
    .selectAll()
    .where('id', '>=', prefix)
    .where('id', '<', `${prefix}\u{10ffff}`)
    .orderBy('id')
    .limit(most)
    .execute();
}

function amountsOf(rows: readonly ({ currency: string } & Record<string, unknown>)[]): AmountsText {
  const fields = (row: Record<string, unknown>) => MONEY_FIELDS.filter((field) => typeof row[field] === 'string');
  return Object.fromEntries(
    rows.map((row) => [
      row.currency,
      Object.fromEntries(fields(row).map((field) => [field, formatAmount(amountOfUnits(row[field] as string))])),
    ]),
  );
}
