/** What invoices state in their headers, set against their own arithmetic and rows. */
import { sql } from 'kysely';
import { readSum } from '../../../money/index.ts';
import { isOneOf, SUMMED_INVOICE, sumText, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** One currency of a header, in ledger units as text. */
export interface InvoiceNetLine {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
  readonly cod: string;
  readonly fee: string;
  readonly net: string;
}

/** The headers of some months, vanished invoices among them, whose COD less fee is not their net. */
export async function readInvoiceNetsOff(db: LedgerReader, periods: readonly string[]): Promise<InvoiceNetLine[]> {
  const { rows } = await sql<InvoiceNetLine>`
    select i.number, i.period, i.vanished_at, a.currency, ${unitsText('a.cod')} as cod,
      ${unitsText('a.delivery_fee')} as fee, ${unitsText('a.net_due_to_merchant')} as net
    from invoice i join invoice_amount a on a.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and a.cod - a.delivery_fee <> a.net_due_to_merchant
    order by i.number, a.currency`.execute(db);
  return rows;
}

/** One currency of an invoice whose header is not the sum of its rows, in ledger units. */
export interface HeaderBesideRows {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
  readonly header: Readonly<Record<'cod' | 'delivery_fee', bigint>>;
  readonly rows: Readonly<Record<'cod' | 'delivery_fee', bigint>>;
}

type HeaderSums = Omit<HeaderBesideRows, 'header' | 'rows'> &
  Record<`${'header' | 'rows'}_${'cod' | 'fee'}`, string | null>;

/** Those of some invoices, by number and currency, whose header's COD or fee is not the sum of their rows. */
export async function readHeadersOff(db: LedgerReader, invoices: readonly number[]): Promise<HeaderBesideRows[]> {
  const among = isOneOf('invoice_number', invoices);
  const { rows } = await sql<HeaderSums>`
    select ${SUMMED_INVOICE}, currency,
      ${sumText('in_header_cod')} as header_cod, ${sumText('in_header_fee')} as header_fee,
      ${sumText('in_row_cod')} as rows_cod, ${sumText('in_row_fee')} as rows_fee
    from (
      select invoice_number, currency, 0 as in_header_cod, 0 as in_header_fee, cod as in_row_cod, delivery_fee as in_row_fee
      from invoice_order_amount where ${among}
      union all
      select invoice_number, currency, cod, delivery_fee, 0, 0 from invoice_amount where ${among}
    ) lines
    group by invoice_number, currency
    having sum(in_row_cod) <> sum(in_header_cod) or sum(in_row_fee) <> sum(in_header_fee)
    order by invoice_number, currency`.execute(db);
  return rows.map(({ number, period, vanished_at, currency, ...sums }) => ({
    number,
    period,
    vanished_at,
    currency,
    header: {
      cod: readSum(sums.header_cod, currency),
      delivery_fee: readSum(sums.header_fee, currency),
    },
    rows: {
      cod: readSum(sums.rows_cod, currency),
      delivery_fee: readSum(sums.rows_fee, currency),
    },
  }));
}

/** The sum of the nets that a month's live invoices state, in ledger units, a line a currency. */
export async function sumStatedNets(
  db: LedgerReader,
  period: string,
): Promise<{ readonly currency: string; readonly net: bigint }[]> {
  const { rows } = await sql<{ currency: string; net: string }>`
    select a.currency, ${sumText('a.net_due_to_merchant')} as net
    from invoice i join invoice_amount a on a.invoice_number = i.number
    where i.period = ${period} and i.vanished_at is null
    group by a.currency`.execute(db);
  return rows.map(({ currency, net }) => ({ currency, net: readSum(net, currency) }));
}

/** A net above zero of an invoice that is not paid, in ledger units as text. */
export interface UnpaidNet {
  readonly number: number;
  readonly period: string;
  readonly issued_at: string;
  readonly currency: string;
  readonly net: string;
}

/** What the invoices of some months owe that are not `PAID`, vanished ones among them, by number and currency. */
export async function readUnpaidNets(db: LedgerReader, periods: readonly string[]): Promise<UnpaidNet[]> {
  const { rows } = await sql<UnpaidNet>`
    select i.number, i.period, i.issued_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
    from invoice i join invoice_amount a on a.invoice_number = i.number
    where ${isOneOf('i.period', periods)} and i.status <> 'PAID' and a.net_due_to_merchant > 0
    order by i.number, a.currency`.execute(db);
  return rows;
}
