/** What headers of invoices state: COD, fee and net. Rows of settlement sheets that state a net, too. */
import type { NetField } from '../../../money/fields.ts';
import { readSum } from '../../../money/sum.ts';
import { amountOfUnits } from '../../../money/units.ts';
import type { InvoiceInMonth, InvoiceTable, RowInMonth } from '../../schema.ts';
import { COD_AND_FEE, INVOICE_AMOUNTS, isOneOf, ROW_IN_MONTH, sumText, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** COD, fee and net of an invoice or a row in one currency, in ledger units as text. */
export interface NetLine extends InvoiceInMonth, Record<'currency' | 'cod' | 'fee' | 'net', string> {}

/** The headers of these months, vanished invoices among them, whose COD less fee is not their net. */
export function readInvoiceNetsToCheck(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<NetLine>(db)`
    select i.number, i.period, i.vanished_at, ${COD_AND_FEE}, ${unitsText('a.net_due_to_merchant')} as net
    from ${INVOICE_AMOUNTS}
    where ${isOneOf('i.period', periods)} and a.cod - a.delivery_fee <> a.net_due_to_merchant
    order by i.number, a.currency`;
}

/**
 * The rows of these months' sheets whose COD less fee is not their net, and all RETURN rows: their net goes by how the
 * courier counts returns. `net` is what the sheet states for the row.
 */
export function readRowNetsToCheck(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<NetLine & RowInMonth & { workflow: string }>(db)`
    select ${ROW_IN_MONTH}, o.workflow, ${COD_AND_FEE}, ${unitsText('n.net')} as net
    from settlement_row_net n
    join invoice i on i.number = n.invoice_number
    join invoice_order o on o.invoice_number = n.invoice_number and o.position = n.position
    join invoice_order_amount a
      on a.invoice_number = n.invoice_number and a.position = n.position and a.currency = n.currency
    where ${isOneOf('i.period', periods)} and (o.workflow = 'RETURN' or a.cod - a.delivery_fee <> n.net)
    order by i.number, o.position, a.currency`;
}

/** COD and fee in the headers of these months' invoices, vanished ones among them, by number and currency. */
export async function readStatedHeaders(db: LedgerReader, periods: readonly string[]) {
  const rows = await rowsOf<InvoiceInMonth & Record<'currency' | NetField, string>>(db)`
    select i.number, i.period, i.vanished_at, a.currency, ${unitsText('a.cod')} as cod,
      ${unitsText('a.delivery_fee')} as delivery_fee
    from ${INVOICE_AMOUNTS}
    where ${isOneOf('i.period', periods)}
    order by i.number, a.currency`;
  return rows.map((row) => ({ ...row, cod: amountOfUnits(row.cod), delivery_fee: amountOfUnits(row.delivery_fee) }));
}

/** The sum of the nets that a month's live invoices state, in ledger units, by currency. */
export async function sumStatedNets(db: LedgerReader, period: string) {
  const rows = await rowsOf<{ currency: string; net: string }>(db)`
    select a.currency, ${sumText('a.net_due_to_merchant')} as net
    from ${INVOICE_AMOUNTS}
    where i.period = ${period} and i.vanished_at is null
    group by a.currency`;
  return rows.map(({ currency, net }) => ({ currency, net: readSum(net, currency) }));
}

/** The net above zero of an invoice without the Paid flag, in ledger units as text. */
export interface UnflaggedNet extends Pick<InvoiceTable, 'number' | 'period' | 'issued_at'> {
  readonly currency: string;
  readonly net: string;
}

/** The nets of these months' invoices, vanished ones too, by number and currency. What came in is not taken off. */
export function readUnflaggedNets(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<UnflaggedNet>(db)`
    select i.number, i.period, i.issued_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
    from ${INVOICE_AMOUNTS}
    where ${isOneOf('i.period', periods)} and i.status <> 'PAID' and a.net_due_to_merchant > 0
    order by i.number, a.currency`;
}
