import { type RawBuilder, sql } from 'kysely';
import {
  amountOfUnits,
  type ExactDecimal,
  eachOrderField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  Totals,
} from '../../money/index.ts';
import { exactSum, sumHalves } from '../exact-sum.ts';
import type { LedgerReader } from './snapshot.ts';
import { type MonthTotals, rowSums as namedRowSums } from './totals.ts';

/**
 * The control totals of a month: the same figures as `readMonthTotals`, summed by the database over its integers. The two
 * share no code, and where they differ nothing may be printed.
 *
 * @param rowSums what the database summed the rows to, where it has done so already: each currency once or in parts
 */
export async function sqlMonthTotals(
  db: LedgerReader,
  period: string,
  rowSums: readonly SummedRows[] | null = null,
): Promise<MonthTotals> {
  const ofMonth = sql`i.period = ${period} and i.vanished_at is null`;
  const counts = await sql<{ invoices: number; orders: number }>`
    select
      (select count(*) from invoice i where ${ofMonth}) as invoices,
      (select count(*) from invoice i join invoice_order o on o.invoice_number = i.number
        where ${ofMonth}) as orders`.execute(db);
  // Apart: the many rows are sorted by currency, and each column more would be carried along.
  const headers = await sql<Sums>`
    select h.currency, ${sumsOf(HEADER_FIGURES)}
    from (
      select a.currency, a.cod, a.delivery_fee, a.net_due_to_merchant,
        case when i.status = 'PAID' then a.net_due_to_merchant else 0 end as paid,
        case when i.status = 'PAID' then 0 else a.net_due_to_merchant end as unpaid
      from invoice i join invoice_amount a on a.invoice_number = i.number
      where ${ofMonth}
    ) h
    group by h.currency`.execute(db);
  const stated = new Map(headers.rows.map((sums) => [sums.currency!, sums]));
  const listed = eachOrderField(() => new Totals());
  for (const sums of rowSums ?? (await sumRows(db, ofMonth))) {
    for (const field of ORDER_MONEY_FIELDS) listed[field].add(sums.currency, sums[field]);
  }
  const { invoices = 0, orders = 0 } = counts.rows[0] ?? {};
  return {
    period,
    invoices,
    orders,
    currencies: [...new Set([...stated.keys(), ...listed.cod.currencies()])].sort().map((currency) => {
      const header = figuresIn(stated.get(currency));
      return {
        currency,
        cod: header('cod'),
        delivery_fee: header('delivery_fee'),
        net_due_to_merchant: header('net_due_to_merchant'),
        paid: header('paid'),
        unpaid: header('unpaid'),
        ...namedRowSums((field) => listed[field].of(currency)),
      };
    }),
  };
}

/** What the database summed some rows to, in one currency. */
type SummedRows = Readonly<Record<OrderMoneyField, ExactDecimal>> & { readonly currency: string };

/** @param condition over `invoice i` */
async function sumRows(db: LedgerReader, condition: RawBuilder<unknown>): Promise<SummedRows[]> {
  const { rows } = await sql<Sums>`
    select a.currency, ${sumsOf(ORDER_MONEY_FIELDS)}
    from invoice i join invoice_order_amount a on a.invoice_number = i.number
    where ${condition}
    group by a.currency`.execute(db);
  return rows.map((sums) => ({ currency: sums.currency!, ...eachOrderField(figuresIn(sums)) }));
}

/** Halves of sums, by figure; the figures of one currency. */
type Sums = Readonly<Record<string, string>>;

const sumsOf = (figures: readonly string[]) => sql.join(figures.map((figure) => sumHalves(sql.ref(figure), figure)));

/** Gives each sum of a currency; zero where nothing was summed. */
function figuresIn(sums: Sums = {}): (figure: string) => ExactDecimal {
  return (figure) => amountOfUnits(exactSum(sums[`${figure}_high`] ?? null, sums[`${figure}_low`] ?? null));
}

/** What came in for a month's invoices, a currency: the control of what matches come to. */
export interface ReceivedSums {
  readonly currency: string;
  readonly received: ExactDecimal;
  readonly differences: ExactDecimal;
}

/** What the matches in force brought to a month's invoices, and what was named on them, summed by the database; vanished ones left out. */
export async function sqlMonthReceived(db: LedgerReader, period: string): Promise<ReceivedSums[]> {
  const { rows } = await sql<Record<string, string>>`
    select m.currency, ${sql.join([sumHalves(sql.ref('s.amount'), 'received'), sumHalves(sql.ref('s.named'), 'differences')])}
    from receipt_match m
    join receipt_match_invoice s on s.match_id = m.id
    join invoice i on i.number = s.invoice_number
    where m.removed_at is null and i.period = ${period} and i.vanished_at is null
    group by m.currency order by m.currency`.execute(db);
  return rows.map((row) => ({
    currency: row.currency!,
    received: amountOfUnits(exactSum(row.received_high!, row.received_low!)),
    differences: amountOfUnits(exactSum(row.differences_high!, row.differences_low!)),
  }));
}

const HEADER_FIGURES = ['cod', 'delivery_fee', 'net_due_to_merchant', 'paid', 'unpaid'];
