/** The invoices with RETURN rows: their headers, and the sums of their STANDARD and of their RETURN rows. */
import { groupBy } from '../../../base/group.ts';
import type { AdoptedReturns } from '../../../base/returns.ts';
import type { HeaderUnits, RowUnits } from '../../../money/returns.ts';
import { readSum } from '../../../money/sum.ts';
import { parseUnits } from '../../../money/units.ts';
import { inChunks } from '../../chunks.ts';
import type { InvoiceInMonth } from '../../schema.ts';
import { isOneOf, ROW_AMOUNTS, SUMMED_INVOICE, sumText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** An invoice with RETURN rows, in one currency: its header, and the sums of its rows. */
export interface ReturnLine {
  readonly currency: string;
  readonly header: HeaderUnits;
  readonly standard: RowUnits;
  readonly returned: RowUnits;
}

/** An invoice that has RETURN rows with money, and all its currencies. */
export interface InvoiceWithReturns extends InvoiceInMonth {
  readonly lines: readonly ReturnLine[];
}

const ZERO: RowUnits = { cod: 0n, delivery_fee: 0n };

/**
 * All invoices with RETURN rows, vanished ones among them: how many there are, and those with money on these rows, by
 * number.
 */
export async function readInvoicesWithReturns(db: LedgerReader) {
  // A line for each currency; nulls for rows without any amount.
  const rows = await rowsOf<{ number: number } & Record<'currency' | 'cod' | 'fee', string | null>>(db)`
    select o.invoice_number as number, a.currency, ${sumText('a.cod')} as cod, ${sumText('a.delivery_fee')} as fee
    from invoice_order o
    left join ${ROW_AMOUNTS}
    where o.workflow = 'RETURN'
    group by o.invoice_number, a.currency order by o.invoice_number, a.currency`;
  const returned = new Map<number, Map<string, RowUnits>>();
  for (const { number, currency, cod, fee } of rows) {
    const byCurrency = returned.get(number) ?? new Map<string, RowUnits>();
    returned.set(number, byCurrency);
    if (currency === null) continue;
    const units = { cod: readSum(cod, currency), delivery_fee: readSum(fee, currency) };
    if (units.cod !== 0n || units.delivery_fee !== 0n) byCurrency.set(currency, units);
  }
  const withMoney = [...returned].filter(([, byCurrency]) => byCurrency.size > 0).map(([number]) => number);
  const invoices = await inChunks(withMoney, (chunk) => readByNumbers(db, chunk, returned));
  return { count: returned.size, invoices };
}

/** An invoice's rows (`row_`) and its header in one currency. */
interface HeaderSums extends InvoiceInMonth, Record<'row_cod' | 'row_fee' | 'cod' | 'fee' | 'net', string | null> {
  readonly currency: string;
}

/**
 * Reads headers (`header_`), and the sums of all rows (`row_`), in one query; the STANDARD rows are what is left of
 * these without the RETURN rows.
 *
 * @param returned the sums of the RETURN rows, by invoice and currency
 */
async function readByNumbers(
  db: LedgerReader,
  numbers: readonly number[],
  returned: ReadonlyMap<number, ReadonlyMap<string, RowUnits>>,
): Promise<InvoiceWithReturns[]> {
  const among = isOneOf('invoice_number', numbers);
  const rows = await rowsOf<HeaderSums>(db)`
    select ${SUMMED_INVOICE}, currency, ${sumText('row_cod')} as row_cod, ${sumText('row_fee')} as row_fee,
      ${sumText('header_cod')} as cod, ${sumText('header_fee')} as fee, ${sumText('header_net')} as net
    from (
      select invoice_number, currency, cod as row_cod, delivery_fee as row_fee,
        0 as header_cod, 0 as header_fee, 0 as header_net
      from invoice_order_amount where ${among}
      union all
      select invoice_number, currency, 0, 0, cod, delivery_fee, net_due_to_merchant from invoice_amount where ${among}
    ) lines
    group by invoice_number, currency
    order by invoice_number, currency`;
  return [...groupBy(rows, ({ number }) => number).values()].map((lines) => {
    const { number, period, vanished_at } = lines[0]!;
    return { number, period, vanished_at, lines: lines.map((sums) => returnLine(sums, returned.get(number))) };
  });
}

function returnLine({ currency, ...sums }: HeaderSums, returned?: ReadonlyMap<string, RowUnits>): ReturnLine {
  const returnedUnits = returned?.get(currency) ?? ZERO;
  return {
    currency,
    header: {
      cod: readSum(sums.cod, currency),
      delivery_fee: readSum(sums.fee, currency),
      net_due_to_merchant: readSum(sums.net, currency),
    },
    standard: {
      cod: readSum(sums.row_cod, currency) - returnedUnits.cod,
      delivery_fee: readSum(sums.row_fee, currency) - returnedUnits.delivery_fee,
    },
    returned: returnedUnits,
  };
}

/** The COD of the RETURN rows of every invoice version, by currency; versions without any are left out. */
export async function readVersionReturns(db: LedgerReader) {
  const rows = await rowsOf<Record<'number' | 'evidence_id', number> & Record<'currency' | 'return_cod', string>>(db)`
    select a.invoice_number as number, v.evidence_id, a.currency, a.return_cod
    from invoice_version_amount a
    join invoice_version v on v.invoice_number = a.invoice_number and v.version = a.version
    where a.return_cod <> '0.00'`;
  return rows.map((row) => ({ ...row, return_cod: parseUnits(row.return_cod) }));
}

/** The ids of the orders that are returns: by their record, or for orders without one by an invoice's row. */
export async function readReturnOrders(db: LedgerReader): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ order_id: string }>(db)`
    select order_id from courier_order where workflow = 'RETURN'
    union all select o.order_id from invoice_order o
    where o.workflow = 'RETURN'
      and not exists (select 1 from courier_order b where b.order_id = o.order_id)`;
  return new Set(rows.map(({ order_id }) => order_id));
}

/**
 * The conventions for RETURN orders that checks adopted. `last`: the one that the last check used; `learnt`: the last
 * one that a check worked out from the invoices, rather than took from a setting. Null if there is none.
 */
export async function readAdoptedReturns(db: LedgerReader) {
  const rows = await db.selectFrom('returns_adopted').selectAll().orderBy('id', 'desc').execute();
  const adopted = rows.map(({ convention, basis, among }): AdoptedReturns => {
    return { convention, basis, among: among.split(',') as AdoptedReturns['among'] };
  });
  return { last: adopted[0] ?? null, learnt: adopted.find(({ basis }) => basis !== 'setting') ?? null };
}
