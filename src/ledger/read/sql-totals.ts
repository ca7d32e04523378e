import { sql } from 'kysely';
import { amountOfUnits, type ExactDecimal, ORDER_MONEY_FIELDS, ROW_SUM_FIELDS } from '../../money/index.ts';
import { exactSum, sumHalves } from '../exact-sum.ts';
import type { LedgerReader } from './snapshot.ts';
import { type MonthTotals, rowSums } from './totals.ts';

/**
 * The control totals of a month: the same figures as `readMonthTotals`, summed by the database over its integers. The two
 * share no code, and where they differ nothing may be printed.
 */
export async function sqlMonthTotals(db: LedgerReader, period: string): Promise<MonthTotals> {
  const counts = await sql<{ invoices: number; orders: number }>`
    select
      (select count(*) from invoice i where i.period = ${period} and i.vanished_at is null) as invoices,
      (select count(*) from invoice i join invoice_order o on o.invoice_number = i.number
        where i.period = ${period} and i.vanished_at is null) as orders`.execute(db);
  const sums = await sql<Record<string, string>>`
    select currency, ${sql.join(FIGURES.map((figure) => sumHalves(sql.ref(figure), figure)))}
    from (
      select a.currency, a.cod, a.delivery_fee, a.net_due_to_merchant,
        case when i.status = 'PAID' then a.net_due_to_merchant else 0 end as paid,
        case when i.status = 'PAID' then 0 else a.net_due_to_merchant end as unpaid,
        ${sql.join(ROW_SUM_FIELDS.map((field) => sql`0 as ${sql.ref(field)}`))}
      from invoice i join invoice_amount a on a.invoice_number = i.number
      where i.period = ${period} and i.vanished_at is null
      union all
      select a.currency, 0, 0, 0, 0, 0, ${sql.join(ORDER_MONEY_FIELDS.map((field) => sql.ref(`a.${field}`)))}
      from invoice i join invoice_order_amount a on a.invoice_number = i.number
      where i.period = ${period} and i.vanished_at is null
    ) lines
    group by currency order by currency`.execute(db);
  const { invoices = 0, orders = 0 } = counts.rows[0] ?? {};
  return {
    period,
    invoices,
    orders,
    currencies: sums.rows.map((row) => {
      const figure = (name: (typeof FIGURES)[number]) =>
        amountOfUnits(exactSum(row[`${name}_high`]!, row[`${name}_low`]!));
      return {
        currency: row.currency!,
        cod: figure('cod'),
        delivery_fee: figure('delivery_fee'),
        net_due_to_merchant: figure('net_due_to_merchant'),
        paid: figure('paid'),
        unpaid: figure('unpaid'),
        ...rowSums((field) => figure(`order_${field}`)),
      };
    }),
  };
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

const FIGURES = ['cod', 'delivery_fee', 'net_due_to_merchant', 'paid', 'unpaid', ...ROW_SUM_FIELDS] as const;
