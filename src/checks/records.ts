import { sql } from 'kysely';
import { isOneOf } from '../ledger/sql.ts';
import type { CheckContext } from './check.ts';
import { invoicePages } from './invoice-pages.ts';

/** How far the rows of one invoice agree with the order book, as counts. */
export interface InvoiceRecords {
  readonly number: number;
  /** Rows, those of them whose order the book holds, and those whose record names this invoice. */
  readonly rows: number;
  readonly held: number;
  readonly named: number;
}

/** Counts, for each of these months' invoices, what the order book says of its rows: one pass, so that only what is off is looked at closely. */
export function invoiceRecords(context: CheckContext): Promise<readonly InvoiceRecords[]> {
  return context.memo.once('records', async () => {
    const records: InvoiceRecords[] = [];
    for (const page of await invoicePages(context)) records.push(...(await recordsOf(context, page)));
    return records;
  });
}

async function recordsOf({ db }: CheckContext, invoices: readonly number[]): Promise<InvoiceRecords[]> {
  const { rows } = await sql<InvoiceRecords>`
    select i.number, count(*) as "rows", count(b.order_id) as held,
      coalesce(sum(case when b.merchant_invoice = i.link then 1 else 0 end), 0) as named
    from (select number, cast(number as text) as link from invoice where ${isOneOf('number', invoices)}) i
    join invoice_order o on o.invoice_number = i.number
    left join courier_order b on b.order_id = o.order_id
    group by i.number
    order by i.number`.execute(db);
  return rows.map((row) => ({
    number: row.number,
    rows: Number(row.rows),
    held: Number(row.held),
    named: Number(row.named),
  }));
}
