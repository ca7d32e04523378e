import { sql } from 'kysely';
import { unitsText } from '../ledger/index.ts';
import { amountOfUnits, ExactDecimal, formatAmount } from '../money/index.ts';
import type { CheckContext, Finding } from './check.ts';
import { amountOf, amounts, FIELD_NAMES, finding, inPeriods, say, sayOff } from './finding.ts';

type Field = 'cod' | 'delivery_fee';

/** What the two header checks have in common: per currency, the sum of an invoice's rows against its header. */
export async function findHeaderTotals({ db, periods }: CheckContext, field: Field): Promise<Finding[]> {
  const amount = sql.ref(`a.${field}`);
  const off = await sql<{ number: number; period: string; currency: string; header: string | null }>`
    select i.number, i.period, off.currency, (
      select ${unitsText(amount)} from invoice_amount a
      where a.invoice_number = i.number and a.currency = off.currency
    ) as header
    from (
      select invoice_number, currency from (
        select a.invoice_number, a.currency, ${amount} as header, 0 as line
        from invoice i join invoice_amount a on a.invoice_number = i.number where ${inPeriods(periods)}
        union all
        select a.invoice_number, a.currency, 0, ${amount}
        from invoice i join invoice_order_amount a on a.invoice_number = i.number where ${inPeriods(periods)}
      ) lines
      group by invoice_number, currency having sum(header) <> sum(line)
    ) off
    join invoice i on i.number = off.invoice_number
    order by i.number, off.currency`.execute(db);

  const findings: Finding[] = [];
  for (const { number, period, currency, header } of off.rows) {
    const expected = await sumOfRows(db, number, currency, field);
    const actual = amountOf(header);
    const difference = actual.minus(expected);
    findings.push(
      finding({
        period,
        invoice_number: number,
        currency,
        field,
        ...amounts(expected, actual),
        effect: formatAmount(field === 'cod' ? difference : difference.negated()),
        message: `Invoice ${number} states a ${FIELD_NAMES[field]} of ${say(actual, currency)}, ${sayOff(difference, currency)} than the ${say(expected, currency)} of its rows: ask the delivery company to correct the header, or the row that is wrong.`,
      }),
    );
  }
  return findings;
}

const PAGE = 10_000;

/** Sums an invoice's rows in one currency with decimal.js; an invoice may hold any number of them. */
async function sumOfRows(
  db: CheckContext['db'],
  number: number,
  currency: string,
  field: Field,
): Promise<ExactDecimal> {
  let sum = new ExactDecimal(0);
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('invoice_order_amount')
      .select(['position', unitsText(field).as('units')])
      .where('invoice_number', '=', number)
      .where('currency', '=', currency)
      .where('position', '>', after)
      .orderBy('position')
      .limit(PAGE)
      .execute();
    for (const { units } of rows) sum = sum.plus(amountOfUnits(units));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return sum;
    after = last.position;
  }
}
