/** Copies the one month of a ledger to other months. `node grow.js LEDGER 2026-10 2026-09...` */
import { openDatabase } from '../../src/base/sqlite.ts';

/**
 * Tables of a month and of its orders, in the order in which they refer to each other; each with its columns that
 * differ from month to month.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  listing: ['id', 'period'],
  invoice_listed: ['period', 'invoice_number', 'issued_at'],
  invoice_listed_amount: ['period', 'invoice_number'],
  invoice: ['number', 'period', 'issued_at'],
  invoice_amount: ['invoice_number'],
  invoice_order: ['invoice_number', 'order_id', 'reference_id'],
  invoice_order_amount: ['invoice_number'],
  order_listing: ['order_id', 'invoice_number'],
  invoice_version: ['invoice_number', 'issued_at'],
  invoice_version_amount: ['invoice_number'],
  invoice_status: ['invoice_number'],
  courier_order: ['order_id', 'reference_id', 'merchant_invoice', 'first_delivered_at'],
  courier_order_amount: ['order_id'],
  statestamp: ['order_id', 'stamped_at'],
};

/**
 * As many rows each, with orders of their own. A sync of as much would take longer than
 * all that is measured on it; what the checks read is the same but for the evidence, which nothing here reads again.
 */
function growMonths(file: string, month: string, others: readonly string[]): void {
  const database = openDatabase(file, { fileMustExist: true });
  database.pragma('synchronous = OFF');
  database.transaction(() => {
    for (const [index, other] of others.entries()) {
      const step = (index + 1) * 1_000_000;
      const mark = String.fromCharCode(65 + index);
      const moved: Readonly<Record<string, string>> = {
        id: `id - ${step}`,
        period: `'${other}'`,
        number: `number + ${step}`,
        invoice_number: `invoice_number + ${step}`,
        order_id: `'${mark}' || order_id`,
        reference_id: `'${mark}' || reference_id`,
        merchant_invoice: `cast(cast(merchant_invoice as integer) + ${step} as text)`,
        issued_at: `'${other}' || substr(issued_at, 8)`,
        first_delivered_at: `'${other}' || substr(first_delivered_at, 8)`,
        stamped_at: `'${other}' || substr(stamped_at, 8)`,
      };
      for (const [table, columns] of Object.entries(TABLES)) copy(table, columns, moved);
    }
  })();
  database.close();

  function copy(table: string, columns: readonly string[], moved: Readonly<Record<string, string>>): void {
    const all = database.pragma(`table_info(${table})`) as readonly { readonly name: string }[];
    const names = all.map(({ name }) => name);
    const values = names.map((name) => (columns.includes(name) ? moved[name] : name));
    const own =
      table === 'listing' || table.startsWith('invoice_listed') || table === 'invoice'
        ? `period = '${month}'`
        : columns.includes('invoice_number')
          ? `invoice_number in (select number from invoice where period = '${month}')`
          : `order_id >= 'ORD'`;
    database.exec(`insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} where ${own}`);
  }
}

const [, , ledger, month, ...others] = process.argv;
growMonths(ledger!, month!, others);
