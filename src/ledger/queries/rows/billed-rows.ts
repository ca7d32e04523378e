/** Invoice rows by their orders: everything known about the orders of a courier whose order book was never read. */
import type { ChargeKind, InvoiceTable, RowInMonth } from '../../schema.ts';
import { COD_AND_FEE, INVOICE_ROWS, isOneOf, ROW_AMOUNTS, ROW_IN_MONTH, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

export interface BilledRow extends RowInMonth, Readonly<Record<'state' | 'workflow' | 'issued_at', string>> {}

/** Every row of every invoice, vanished ones too, by invoice number and position. */
export function readBilledRows(db: LedgerReader) {
  return rowsOf<BilledRow>(db)`
    select ${ROW_IN_MONTH}, i.issued_at, o.delivery_state as state, o.workflow
    from ${INVOICE_ROWS}
    order by i.number, o.position`;
}

/** The fees on the rows of these months' live invoices; a row without any amount has one line of nulls. */
export function readBilledFees(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<Omit<BilledLine, 'vanished_at'> & { workflow: string }>(db)`
    select o.order_id, o.reference_id as reference, i.number, o.position, i.period, i.issued_at,
      o.workflow, ${COD_AND_FEE}
    from ${INVOICE_ROWS}
    left join ${ROW_AMOUNTS}
    where ${isOneOf('i.period', periods)} and i.vanished_at is null
    order by i.number, o.position, a.currency`;
}

/** The charges, or the taxes, on the rows of these months' live invoices that sheets brought, and the rows' weights. */
export function readRowCharges(db: LedgerReader, periods: readonly string[], kind: ChargeKind) {
  return rowsOf<
    Record<'number' | 'position', number> & Record<'name' | 'currency' | 'amount', string> & { weight: string | null }
  >(db)`
    select i.number, c.position, c.name, c.currency, ${unitsText('c.amount')} as amount, ${unitsText('s.weight')} as weight
    from invoice i
    join invoice_order_charge c on c.invoice_number = i.number and c.kind = ${kind}
    join settlement_row s on s.invoice_number = c.invoice_number and s.position = c.position
    where ${isOneOf('i.period', periods)} and i.vanished_at is null
    order by i.number, c.position, c.name, c.currency`;
}

/** A row in one currency, in ledger units as text; a row without any amount has one line of nulls. */
export interface BilledLine extends RowInMonth, Readonly<Record<'currency' | 'cod' | 'fee', string | null>> {
  readonly issued_at: string;
}

/** All rows of the orders on these months' invoices that have several rows anywhere, by order, invoice and position. */
export function readRowsOfRepeatedOrders(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<BilledLine>(db)`
    select ${ROW_IN_MONTH}, i.issued_at, ${COD_AND_FEE}
    from invoice_order o
    join invoice i on i.number = o.invoice_number
    left join ${ROW_AMOUNTS}
    where o.order_id in (
      select o.order_id from ${INVOICE_ROWS}
      where ${isOneOf('i.period', periods)} and exists (
        select 1 from invoice_order other where other.order_id = o.order_id
          and (other.invoice_number <> o.invoice_number or other.position <> o.position)
      )
    )
    order by o.order_id, i.number, o.position, a.currency`;
}

export interface ListingInvoice extends Pick<InvoiceTable, 'number' | 'period' | 'issued_at'> {
  readonly order_id: string;
}

/** The live invoices that list these orders, by order and number. */
export function readLiveInvoicesOf(db: LedgerReader, orderIds: readonly string[]) {
  return rowsOf<ListingInvoice>(db)`
    select o.order_id, i.number, i.period, i.issued_at from invoice_order o
    join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where ${isOneOf('o.order_id', orderIds)}
    order by o.order_id, i.number`;
}
