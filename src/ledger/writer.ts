import type { Insertable, Kysely } from 'kysely';
import { MAX_VARIABLES } from './dialect.ts';
import type {
  CourierOrderAmountTable,
  CourierOrderTable,
  InvoiceAmountTable,
  InvoiceOrderAmountTable,
  InvoiceOrderTable,
  InvoiceTable,
  LedgerSchema,
  StatestampTable,
} from './schema.ts';

/** All rows that one invoice's documents make. */
export interface InvoiceRows {
  readonly invoice: Insertable<InvoiceTable>;
  readonly amounts: readonly Insertable<InvoiceAmountTable>[];
  readonly listAmounts: readonly Insertable<InvoiceAmountTable>[];
  readonly orders: readonly Insertable<InvoiceOrderTable>[];
  readonly orderAmounts: readonly Insertable<InvoiceOrderAmountTable>[];
}

/** All rows that one record of the order book makes. */
export interface CourierOrderRows {
  readonly order: Insertable<CourierOrderTable>;
  readonly amounts: readonly Insertable<CourierOrderAmountTable>[];
  readonly statestamps: readonly Insertable<StatestampTable>[];
}

type ChildTable =
  | 'invoice_amount'
  | 'invoice_list_amount'
  | 'invoice_order'
  | 'invoice_order_amount'
  | 'courier_order_amount'
  | 'statestamp';

const ROWS_PER_STATEMENT = 250;

/** Inserts rows in statements of many rows each: one at a time would take several times as long. */
async function insertRows<T extends ChildTable>(
  db: Kysely<LedgerSchema>,
  table: T,
  rows: readonly Insertable<LedgerSchema[T]>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const most = Math.min(ROWS_PER_STATEMENT, Math.floor(MAX_VARIABLES / Object.keys(first).length));
  for (let from = 0; from < rows.length; from += most) {
    await db
      .insertInto(table)
      .values(rows.slice(from, from + most))
      .execute();
  }
}

/** Writes an invoice whole, in place of what the ledger held of it. Call it inside a transaction. */
export async function writeInvoice(trx: Kysely<LedgerSchema>, rows: InvoiceRows): Promise<void> {
  const { number, ...fields } = rows.invoice;
  const known = await trx.selectFrom('invoice').select('number').where('number', '=', number).executeTakeFirst();
  if (known) {
    for (const table of ['invoice_order_amount', 'invoice_order', 'invoice_amount', 'invoice_list_amount'] as const) {
      await trx.deleteFrom(table).where('invoice_number', '=', number).execute();
    }
    await trx.updateTable('invoice').set(fields).where('number', '=', number).execute();
  } else {
    await trx.insertInto('invoice').values(rows.invoice).execute();
  }
  await insertRows(trx, 'invoice_amount', rows.amounts);
  await insertRows(trx, 'invoice_list_amount', rows.listAmounts);
  await insertRows(trx, 'invoice_order', rows.orders);
  await insertRows(trx, 'invoice_order_amount', rows.orderAmounts);
}

/** Writes records of the order book, each whole, in place of what the ledger held of it. Call it inside a transaction. */
export async function writeCourierOrders(
  trx: Kysely<LedgerSchema>,
  orders: readonly CourierOrderRows[],
): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ order }) => order.order_id);
  for (const table of ['courier_order_amount', 'statestamp'] as const) {
    await trx.deleteFrom(table).where('order_id', 'in', ids).execute();
  }
  await trx
    .insertInto('courier_order')
    .values(orders.map(({ order }) => order))
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet((eb) => ({
        reference_id: eb.ref('excluded.reference_id'),
        workflow: eb.ref('excluded.workflow'),
        is_exchange: eb.ref('excluded.is_exchange'),
        delivery_state: eb.ref('excluded.delivery_state'),
        payment_state: eb.ref('excluded.payment_state'),
        merchant_invoice: eb.ref('excluded.merchant_invoice'),
        merchant_location: eb.ref('excluded.merchant_location'),
        number_of_packages: eb.ref('excluded.number_of_packages'),
        return_reason: eb.ref('excluded.return_reason'),
        customer_id: eb.ref('excluded.customer_id'),
        area_id: eb.ref('excluded.area_id'),
        area_name: eb.ref('excluded.area_name'),
        district: eb.ref('excluded.district'),
        first_delivered_at: eb.ref('excluded.first_delivered_at'),
        fee_stated: eb.ref('excluded.fee_stated'),
        row_sha256: eb.ref('excluded.row_sha256'),
        page_sha256: eb.ref('excluded.page_sha256'),
        vanished_at: eb.ref('excluded.vanished_at'),
      })),
    )
    .execute();
  await insertRows(
    trx,
    'courier_order_amount',
    orders.flatMap(({ amounts }) => amounts),
  );
  await insertRows(
    trx,
    'statestamp',
    orders.flatMap(({ statestamps }) => statestamps),
  );
}
