/** A month's totals summed by the database, with which `readMonthTotals`, summed in code, is compared. */
import { type RawBuilder, sql } from 'kysely';
import type { ExactDecimal } from '../../../money/decimal.ts';
import {
  eachField,
  eachRowSum,
  MONEY_FIELDS,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
} from '../../../money/fields.ts';
import { readSum, Totals } from '../../../money/sum.ts';
import { amountOfUnits } from '../../../money/units.ts';
import { INVOICE_AMOUNTS, INVOICE_ROWS, sumText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/**
 * The control totals of a month: the figures of `readMonthTotals`, which adds invoice by invoice, while here the
 * database sums its integers at once. Nothing may be printed if the two differ.
 *
 * @param rowSums the database's sums of the rows, if the caller has them: a currency may come in several parts
 */
export async function sqlMonthTotals(db: LedgerReader, period: string, rowSums: readonly SummedRows[] | null = null) {
  const isOfMonth = sql`i.period = ${period} and i.vanished_at is null`;
  const counts = await rowsOf<{ invoices: number; orders: number }>(db)`
    select
      (select count(*) from invoice i where ${isOfMonth}) as invoices,
      (select count(*) from ${INVOICE_ROWS}
        where ${isOfMonth}) as orders`;
  // A query of its own: the database sorts the many rows by currency, and further columns would slow that.
  const headers = await rowsOf<Sums>(db)`
    select h.currency, ${sumsOf(HEADER_FIGURES)}
    from (
      select a.currency, ${sql.join(MONEY_FIELDS.map((field) => sql.ref(`a.${field}`)))},
        case when i.status = 'PAID' then a.net_due_to_merchant else 0 end as paid,
        case when i.status = 'PAID' then 0 else a.net_due_to_merchant end as unpaid
      from ${INVOICE_AMOUNTS}
      where ${isOfMonth}
    ) h
    group by h.currency`;
  const headerSums = new Map(headers.map((sums) => [sums.currency!, sums]));
  const rowTotals = eachField(ORDER_MONEY_FIELDS, () => new Totals());
  for (const sums of rowSums ?? (await sumRows(db, isOfMonth))) {
    for (const field of ORDER_MONEY_FIELDS) rowTotals[field].add(sums.currency, sums[field]);
  }
  const { invoices = 0, orders = 0 } = counts[0] ?? {};
  return {
    period,
    invoices,
    orders,
    currencies: [...new Set([...headerSums.keys(), ...rowTotals.cod.currencies()])].sort().map((currency) => {
      const header = figureReader(headerSums.get(currency));
      return {
        currency,
        ...eachField(MONEY_FIELDS, header),
        paid: header('paid'),
        unpaid: header('unpaid'),
        ...eachRowSum((field) => rowTotals[field].of(currency)),
      };
    }),
  };
}

type SummedRows = Readonly<Record<OrderMoneyField, ExactDecimal>> & { readonly currency: string };

/** @param condition over `invoice i` */
async function sumRows(db: LedgerReader, condition: RawBuilder<unknown>): Promise<SummedRows[]> {
  const rows = await rowsOf<Sums>(db)`
    select a.currency, ${sumsOf(ORDER_MONEY_FIELDS)}
    from invoice i join invoice_order_amount a on a.invoice_number = i.number
    where ${condition}
    group by a.currency`;
  return rows.map((sums) => ({ currency: sums.currency!, ...eachField(ORDER_MONEY_FIELDS, figureReader(sums)) }));
}

/** Sums of one currency, by figure; `currency` is among the columns. */
type Sums = Readonly<Record<string, string>>;

const sumsOf = (figures: readonly string[]) =>
  sql.join(figures.map((figure) => sql`${sumText(figure)} as ${sql.ref(figure)}`));

/** Makes a function that reads the sum of a figure in one currency; zero if nothing was summed. */
function figureReader(sums: Sums = {}): (figure: string) => ExactDecimal {
  return (figure) => amountOfUnits(readSum(sums[figure] ?? null, sums.currency ?? null));
}

/**
 * Sums, in the database, the receipts matched to a month's invoices and the agreed differences, vanished invoices too:
 * the control of the sums of matches.
 */
export async function sqlMonthReceived(db: LedgerReader, period: string) {
  const rows = await rowsOf<Record<string, string>>(db)`
    select m.currency, ${sumText('s.amount')} as received, ${sumText('s.named')} as differences
    from receipt_match m
    join receipt_match_invoice s on s.match_id = m.id
    join invoice i on i.number = s.invoice_number
    where m.removed_at is null and i.period = ${period}
    group by m.currency order by m.currency`;
  return rows.map((row) => ({
    currency: row.currency!,
    received: amountOfUnits(readSum(row.received!, row.currency!)),
    differences: amountOfUnits(readSum(row.differences!, row.currency!)),
  }));
}

const HEADER_FIGURES = [...MONEY_FIELDS, 'paid', 'unpaid'];
