import { sql } from 'kysely';
import { exactSum, sumHalves } from '../ledger/exact-sum.ts';
import { isOneOf, unitsText } from '../ledger/sql.ts';
import { amountOfUnits, ExactDecimal } from '../money/index.ts';
import type { Check, CheckContext } from './check.ts';
import { amountOf, amounts, finding, inPeriods, say } from './finding.ts';
import { twoSyncs } from './requirement.ts';

type Line = { number: number; period: string } & Record<'vanished_at', string> &
  Record<'currency' | 'net', string | null>;

export const invoiceVanished: Check = {
  code: 'invoice-vanished',
  severity: 'error',
  requires: [twoSyncs],
  stands: 'outside',
  title: 'An invoice that was once listed stays listed.',
  claim: "The invoice was on the month's list and is gone from it.",
  async find(context) {
    const lines = await vanished(context);
    const elsewhere = await listedElsewhere(context);
    const findings = lines.map(({ number, period, vanished_at, currency, net }) => {
      const about = { period, invoice_number: number, field: 'net_due_to_merchant' };
      const gone = `is gone from the list of ${period} since ${vanished_at.slice(0, 10)}`;
      if (currency === null) {
        const message = `Invoice ${number} ${gone}: ask the delivery company what became of it.`;
        return finding({ ...about, message });
      }
      const stated = amountOf(net);
      const kept = elsewhere.get(`${number} ${currency}`) ?? new ExactDecimal(0);
      const moved = kept.isZero() ? '' : ` (${say(kept, currency)} of it is on other invoices now)`;
      return finding({
        ...about,
        currency,
        ...amounts(stated, new ExactDecimal(0)),
        effect: stated.minus(kept).negated(),
        message: `Invoice ${number} ${gone}, and with it a net due of ${say(stated, currency)} where now 0.00 is stated${moved}: ask the delivery company what became of it.`,
      });
    });
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from invoice_listed where ${isOneOf('period', context.periods)}`.execute(context.db);
    return { findings, compared: Number(rows[0]!.count), notComparable: [] };
  },
};

/** The vanished invoices of these months with the nets of their last detail, or where none was ever read of their last list row. */
async function vanished({ db, periods }: CheckContext): Promise<readonly Line[]> {
  const { rows } = await sql<Line>`
    select i.number, i.period, i.vanished_at, a.currency, ${unitsText('a.net_due_to_merchant')} as net
    from invoice i left join invoice_amount a on a.invoice_number = i.number
    where ${inPeriods(periods)} and i.vanished_at is not null
    union all
    select l.invoice_number, l.period, l.vanished_at, a.currency, ${unitsText('a.net_due_to_merchant')}
    from invoice_listed l
    left join invoice_listed_amount a on a.period = l.period and a.invoice_number = l.invoice_number
    where ${isOneOf('l.period', periods)} and l.vanished_at is not null
      and l.counts_here = 1 and not exists (select 1 from invoice i where i.number = l.invoice_number)
    order by 1, 4`.execute(db);
  return rows;
}

/** What the rows of vanished invoices come to whose orders stand on a live invoice, by invoice and currency. */
async function listedElsewhere({ db, periods }: CheckContext): Promise<ReadonlyMap<string, ExactDecimal>> {
  const { rows } = await sql<
    { number: number; currency: string } & Record<`${'cod' | 'fee'}_${'high' | 'low'}`, string>
  >`
    select i.number, a.currency, ${sumHalves(sql`a.cod`, 'cod')}, ${sumHalves(sql`a.delivery_fee`, 'fee')}
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${inPeriods(periods)} and i.vanished_at is not null and exists (
      select 1 from invoice_order other join invoice j on j.number = other.invoice_number
      where other.order_id = o.order_id and j.vanished_at is null
    )
    group by i.number, a.currency`.execute(db);
  return new Map(
    rows.map((row) => [
      `${row.number} ${row.currency}`,
      amountOfUnits(exactSum(row.cod_high, row.cod_low) - exactSum(row.fee_high, row.fee_low)),
    ]),
  );
}
