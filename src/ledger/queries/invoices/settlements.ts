/**
 * Invoices that settlement sheets brought (the table `settlement` has their numbers): how many there are, their charges
 * and taxes, and their payout numbers.
 */
import { sql } from 'kysely';
import type { NumberTexts } from '../../../base/number-texts.ts';
import { eachField, MONEY_FIELDS, type MoneyField } from '../../../money/fields.ts';
import { readSum } from '../../../money/sum.ts';
import { parseUnits } from '../../../money/units.ts';
import type { InvoiceChargeTable, InvoiceInMonth } from '../../schema.ts';
import { INVOICE_AMOUNTS, isOneOf, SUMMED_INVOICE, sumText, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

export interface SheetPopulation {
  readonly invoices: number;
  readonly rows: number;
  /** By field: how many of these invoices have a header figure that the sheet does not state in every currency. */
  readonly computed: Readonly<Record<MoneyField, number>>;
}

export async function countSheets(db: LedgerReader, periods: readonly string[]): Promise<SheetPopulation> {
  const within = isOneOf('i.period', periods);
  const rows = await rowsOf<{ invoices: number; rows: number }>(db)`
    select count(*) as invoices, coalesce(sum(i.row_count), 0) as "rows"
    from settlement s join invoice i on i.number = s.number where ${within}`;
  const fields = await rowsOf<{ field: MoneyField; count: number }>(db)`
    select c.field, count(distinct c.invoice_number) as count
    from settlement_computed c join invoice i on i.number = c.invoice_number where ${within}
    group by c.field`;
  return {
    invoices: Number(rows[0]!.invoices),
    rows: Number(rows[0]!.rows),
    computed: eachField(MONEY_FIELDS, (field) => Number(fields.find((row) => row.field === field)?.count ?? 0)),
  };
}

type ChargeName = Pick<InvoiceChargeTable, 'kind' | 'name' | 'currency'>;

/**
 * The charges and taxes of these months' live invoices by kind, in ledger units: as the invoices' headers state them,
 * and as the sum of their rows; `orders` is how many rows have an amount other than zero. For an invoice of no sheet,
 * its fee is `delivery`. The query puts four lists together: the charges in sheets' headers and in their rows, and the
 * fees of other invoices in their headers and in their rows.
 *
 * @param returns whether RETURN rows count in the sums of rows
 */
export async function readChargeSums(
  db: LedgerReader,
  periods: readonly string[],
  { returns }: { readonly returns: boolean },
) {
  const rowAmount = (amount: string) =>
    returns ? sql.raw(amount) : sql`case when o.workflow = 'RETURN' then 0 else ${sql.raw(amount)} end`;
  const [charge, fee] = [rowAmount('c.amount'), rowAmount('a.delivery_fee')];
  const within = sql`${isOneOf('i.period', periods)} and i.vanished_at is null`;
  const isOfNoSheet = sql`not exists (select 1 from settlement s where s.number = i.number)`;
  const rows = await rowsOf<ChargeName & Record<'period' | 'orders' | 'header' | 'in_rows', string>>(db)`
    select period, kind, name, currency, sum(orders) as orders, ${sumText('header')} as header, ${sumText('in_rows')} as in_rows
    from (
      select i.period, c.kind, c.name, c.currency, 0 as orders, c.amount as header, 0 as in_rows
      from invoice i join invoice_charge c on c.invoice_number = i.number where ${within}
      union all
      select i.period, c.kind, c.name, c.currency, case when ${charge} <> 0 then 1 else 0 end, 0, ${charge}
      from invoice i join invoice_order_charge c on c.invoice_number = i.number
      join invoice_order o on o.invoice_number = c.invoice_number and o.position = c.position where ${within}
      union all
      select i.period, 'charge', 'delivery', a.currency, 0, a.delivery_fee, 0
      from ${INVOICE_AMOUNTS} where ${within} and ${isOfNoSheet}
      union all
      select i.period, 'charge', 'delivery', a.currency, case when ${fee} <> 0 then 1 else 0 end, 0, ${fee}
      from invoice i join invoice_order_amount a on a.invoice_number = i.number
      join invoice_order o on o.invoice_number = a.invoice_number and o.position = a.position where ${within} and ${isOfNoSheet}
    ) lines
    group by period, kind, name, currency
    order by period, currency, kind, name`;
  return rows.map(({ header, in_rows, orders, ...row }) => ({
    ...row,
    orders: Number(orders),
    header: readSum(header, row.currency),
    rows: readSum(in_rows, row.currency),
  }));
}

/** A charge or tax of which an invoice's header and rows state different amounts. */
export interface ChargeOff extends InvoiceInMonth, ChargeName {
  readonly header: bigint;
  readonly rows: bigint;
}

/** The charges and taxes of these invoices that differ between header and rows, by number, kind and currency. */
export async function readChargesOff(db: LedgerReader, invoices: readonly number[]): Promise<ChargeOff[]> {
  const among = isOneOf('invoice_number', invoices);
  const rows = await rowsOf<InvoiceInMonth & ChargeName & Record<'header' | 'in_rows', string>>(db)`
    select ${SUMMED_INVOICE}, kind, name, currency, ${sumText('header')} as header, ${sumText('in_rows')} as in_rows
    from (
      select invoice_number, kind, name, currency, amount as header, 0 as in_rows from invoice_charge where ${among}
      union all
      select invoice_number, kind, name, currency, 0, amount from invoice_order_charge where ${among}
    ) lines
    group by invoice_number, kind, name, currency
    having sum(header) <> sum(in_rows)
    order by invoice_number, currency, kind, name`;
  return rows.map(({ header, in_rows, ...row }) => ({
    ...row,
    header: readSum(header, row.currency),
    rows: readSum(in_rows, row.currency),
  }));
}

/** An invoice's charges and taxes, in ledger units as text; none for an invoice of no sheet. */
export function readInvoiceCharges(db: LedgerReader, number: number) {
  return rowsOf<ChargeName & { amount: string }>(db)`
    select kind, name, currency, ${unitsText('amount')} as amount
    from invoice_charge where invoice_number = ${number} order by currency, kind, name`;
}

/** The payout numbers that are no integers, as their sheets write them, by the integer that stands for each. */
export async function readNumberTexts(db: LedgerReader): Promise<NumberTexts> {
  const rows = await db.selectFrom('settlement_number').selectAll().execute();
  return new Map(rows.map(({ number, number_text }) => [number, number_text]));
}

/** The charges and taxes of every version of the invoices that sheets brought, with the evidence that showed it. */
export async function readVersionCharges(db: LedgerReader) {
  const rows = await rowsOf<
    ChargeName & Record<'number' | 'evidence_id', number> & Record<'period' | 'amount', string>
  >(db)`
    select c.invoice_number as number, v.evidence_id, i.period, c.kind, c.name, c.currency, c.amount
    from invoice_version_charge c
    join invoice_version v on v.invoice_number = c.invoice_number and v.version = c.version
    join invoice i on i.number = c.invoice_number
    order by c.invoice_number, c.version, c.kind, c.name`;
  return rows.map((row) => ({ ...row, amount: parseUnits(row.amount) }));
}
