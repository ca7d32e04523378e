/**
 * One invoice: its rows in months' lists, its header and its rows; also which invoices there are. Amounts are plain
 * decimal text, by currency.
 */
import { groupBy } from '../../../base/group.ts';
import { MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../../../money/fields.ts';
import { unitsText } from '../../sql.ts';
import { amountsOf } from '../amounts.ts';
import type { AtClose } from '../balances/movements.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An invoice's rows in months' lists, by month. */
export async function readListedInvoices(db: LedgerReader, number: number) {
  const listed = db.selectFrom('invoice_listed').selectAll().where('invoice_number', '=', number);
  const rows = await listed.orderBy('period').execute();
  const money = await db
    .selectFrom('invoice_listed_amount')
    .select(['period', 'currency'])
    .select(MONEY_FIELDS.map((field) => unitsText(field).as(field)))
    .where('invoice_number', '=', number)
    .orderBy('currency')
    .execute();
  return rows.map((row) => ({ ...row, amounts: amountsOf(money.filter(({ period }) => period === row.period)) }));
}

/** The header of an invoice's detail; null if no detail could ever be read. */
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

/** Why an invoice's detail is missing; null if the ledger has it. */
export async function readWhyMissing(db: LedgerReader, number: number): Promise<string | null> {
  const missing = db.selectFrom('invoice_missing').select('why');
  return (await missing.where('invoice_number', '=', number).executeTakeFirst())?.why ?? null;
}

export async function readInvoiceRows(db: LedgerReader, of: { readonly invoice: number } | { readonly order: string }) {
  const rows = db.selectFrom('invoice_order').selectAll().orderBy('invoice_number').orderBy('position');
  const found = await ('invoice' in of
    ? rows.where('invoice_number', '=', of.invoice)
    : rows.where('order_id', '=', of.order)
  ).execute();
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
  const byRow = groupBy(money, key);
  return found.map((row) => ({ ...row, amounts: amountsOf(byRow.get(key(row)) ?? []) }));
}

/** Whether any month's list has, or ever had, an invoice. */
export async function knowsInvoice(db: LedgerReader, number: number): Promise<boolean> {
  const listed = db.selectFrom('invoice_listed').select('invoice_number');
  return (await listed.where('invoice_number', '=', number).limit(1).executeTakeFirst()) !== undefined;
}

/** The numbers of all invoices whose detail was ever read. @param atClose only those known at that close */
export async function readInvoiceNumbers(db: LedgerReader, atClose?: AtClose): Promise<Set<number>> {
  const rows = atClose
    ? await db
        .selectFrom('invoice_version')
        .select('invoice_number as number')
        .distinct()
        .where('evidence_id', '<', atClose.id)
        .execute()
    : await db.selectFrom('invoice').select('number').execute();
  return new Set(rows.map(({ number }) => number));
}
