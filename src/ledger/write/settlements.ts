/** Writes the payouts of a courier's settlement sheets, each as an invoice. */
import { FIRST_STAND_IN, LAST_STAND_IN } from '../../base/number-texts.ts';
import { formatUnits } from '../../money/units.ts';
import { chunks } from '../chunks.ts';
import { type Evidence, highest, insertRows, type Row, type Trx } from './insert.ts';
import { type InvoiceRows, writeInvoices } from './invoices.ts';
import { writeListed } from './listed.ts';

/** All rows that one payout of a settlement sheet makes. */
export interface SettlementRows {
  readonly invoice: InvoiceRows;
  readonly charges: readonly Row<'invoice_charge'>[];
  readonly orderCharges: readonly Row<'invoice_order_charge'>[];
  readonly computed: readonly Row<'settlement_computed'>[];
  readonly sheetRows: readonly Row<'settlement_row'>[];
  readonly rowNets: readonly Row<'settlement_row_net'>[];
}

/**
 * The number under which the ledger keeps a payout: its integer, or the stand-in of a number such as `P-17`, an integer
 * that people never see. Null if it has neither yet.
 */
export async function findSettlementNumber(trx: Trx, text: string): Promise<number | null> {
  const number = Number(text);
  // A sheet's integer that could be taken for a stand-in is kept as text, and gets a stand-in itself.
  const isLikeStandIn = number >= FIRST_STAND_IN && number <= LAST_STAND_IN;
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(number) && !isLikeStandIn) return number;
  const numbers = trx.selectFrom('settlement_number').select('number');
  return (await numbers.where('number_text', '=', text).executeTakeFirst())?.number ?? null;
}

/** Gives a payout the next stand-in number. It keeps that number for good, even if the import is undone. */
export async function giveSettlementNumber(trx: Trx, number_text: string): Promise<number> {
  const last = await highest(trx, 'settlement_number', 'number');
  const number = Math.max(last, FIRST_STAND_IN - 1) + 1;
  await insertRows(trx, 'settlement_number', [{ number_text, number }]);
  return number;
}

/** A payout's invoice in the ledger; undefined if no sheet brought it. */
export function readHeldSettlement(trx: Trx, number: number) {
  return trx
    .selectFrom('settlement as s')
    .innerJoin('invoice as i', 'i.number', 's.number')
    .innerJoin('invoice_version as v', 'v.invoice_number', 's.number')
    .select(['i.status', 'i.issued_at', 'v.content_sha256'])
    .where('s.number', '=', number)
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The numbers of all payouts that sheets brought, in order. */
export async function readSettlementNumbers(trx: Trx): Promise<number[]> {
  const rows = await trx.selectFrom('settlement').select('number').orderBy('number').execute();
  return rows.map(({ number }) => number);
}

const SHEET_TABLES = [
  'settlement_row',
  'settlement_row_net',
  'settlement_computed',
  'invoice_order_charge',
  'invoice_charge',
] as const;

/**
 * Writes a payout whole, in place of its earlier rows. Call it inside a transaction.
 *
 * @param sheet the import that brought it
 * @param period the month in which it was paid
 */
export async function writeSettlement(
  trx: Trx,
  rows: SettlementRows,
  sheet: Evidence & { readonly run: number },
  period: string,
): Promise<void> {
  const { number } = rows.invoice.invoice;
  for (const table of SHEET_TABLES) await trx.deleteFrom(table).where('invoice_number', '=', number).execute();
  // A payout is in one month: if a sheet brings it again with a day in another month, the old month no longer lists it.
  await trx
    .updateTable('invoice_listed')
    .set({ vanished_at: sheet.at, vanished_run: sheet.run })
    .where('invoice_number', '=', number)
    .where('period', '<>', period)
    .where('vanished_at', 'is', null)
    .execute();
  // No list names a payout: this row, as if a list had shown the number alone, says only in which month it counts.
  const unstated = { status: null, status_display: null, issued_at: null, order_count: null, row_sha256: null };
  const listed = { period, invoice_number: number, ...unstated, seen_run: sheet.run, seen_walk: 1 };
  await writeListed(trx, [{ listed, amounts: [], isReadable: false }], sheet);
  // The caller leaves out the payouts that the ledger has already as this sheet states them.
  await writeInvoices(trx, [{ rows: rows.invoice, evidence: sheet, period, listedSha256: null, isKnownChanged: true }]);
  await insertRows(trx, 'invoice_charge', rows.charges);
  await writeVersionCharges(trx, rows, sheet.id);
  await insertRows(trx, 'invoice_order_charge', rows.orderCharges);
  await insertRows(trx, 'settlement_computed', rows.computed);
  await insertRows(trx, 'settlement_row', rows.sheetRows);
  await insertRows(trx, 'settlement_row_net', rows.rowNets);
  await trx
    .insertInto('settlement')
    .values({ number, evidence_id: sheet.id })
    .onConflict((conflict) => conflict.column('number').doUpdateSet({ evidence_id: sheet.id }))
    .execute();
}

/** Writes the charges of the invoice's new version, if this import made one. */
async function writeVersionCharges(trx: Trx, { invoice, charges }: SettlementRows, evidenceId: number): Promise<void> {
  const newVersion = await trx
    .selectFrom('invoice_version')
    .select('version')
    .where('invoice_number', '=', invoice.invoice.number)
    .where('evidence_id', '=', evidenceId)
    .executeTakeFirst();
  if (!newVersion) return;
  const rows = charges.map(({ amount, ...charge }) => ({ ...charge, ...newVersion, amount: formatUnits(amount) }));
  await insertRows(trx, 'invoice_version_charge', rows);
}

const INVOICE_TABLES = [
  ...SHEET_TABLES,
  'invoice_order_amount',
  'invoice_order',
  'invoice_amount',
  'invoice_version_charge',
  'invoice_version_amount',
  'invoice_version',
  'invoice_status',
  'invoice_presence',
  'order_listing',
  'invoice_listed_amount',
  'invoice_listed',
] as const;

/**
 * Removes payouts, which the caller then makes again from the remaining sheets, and the walks that an undone import
 * stood for.
 *
 * @param run of the undone import
 */
export async function clearSettlements(trx: Trx, numbers: readonly number[], run: number): Promise<void> {
  for (const page of chunks(numbers)) {
    for (const table of INVOICE_TABLES) await trx.deleteFrom(table).where('invoice_number', 'in', page).execute();
    await trx.deleteFrom('settlement').where('number', 'in', page).execute();
    await trx.deleteFrom('invoice').where('number', 'in', page).execute();
  }
  await trx.deleteFrom('listing').where('run_id', '=', run).execute();
}
