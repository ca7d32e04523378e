import { sql } from 'kysely';
import { exactSum, sumHalves, sumsDiffer } from '../ledger/exact-sum.ts';
import { amountOfUnits, type MoneyField, type OrderMoneyField } from '../money/index.ts';
import type { CheckContext, Finding, Looked } from './check.ts';
import { amounts, effectOf, FIELD_NAMES, finding, say, sayOff } from './finding.ts';
import { invoicePages } from './invoice-pages.ts';
import { population } from './population.ts';

/** What a header states of its rows' money. */
type HeaderField = Extract<OrderMoneyField, MoneyField>;

interface HeaderOff {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly currency: string;
  readonly header: Readonly<Record<HeaderField, bigint>>;
  readonly rows: Readonly<Record<HeaderField, bigint>>;
}

type Line = Pick<HeaderOff, 'number' | 'period' | 'vanished_at' | 'currency'> &
  Record<`${'h' | 'r'}_${'cod' | 'fee'}_${'high' | 'low'}`, string>;

/** The invoices and currencies whose header is not the sum of its rows, in COD or fee. */
function headersOff(context: CheckContext): Promise<readonly HeaderOff[]> {
  return context.memo.once('headers-off', async () => {
    const off: HeaderOff[] = [];
    for (const page of await invoicePages(context)) off.push(...(await headersOffAmong(context, page)));
    return off;
  });
}

async function headersOffAmong({ db }: CheckContext, invoices: readonly number[]): Promise<HeaderOff[]> {
  const among = sql`i.number in (${sql.join([...invoices])})`;
  const { rows } = await sql<Line>`
    select i.number, i.period, i.vanished_at, off.* from (
      select invoice_number, currency, ${sumHalves(sql`h_cod`, 'h_cod')}, ${sumHalves(sql`h_fee`, 'h_fee')},
        ${sumHalves(sql`r_cod`, 'r_cod')}, ${sumHalves(sql`r_fee`, 'r_fee')}
      from (
        select a.invoice_number, a.currency, a.cod as h_cod, a.delivery_fee as h_fee, 0 as r_cod, 0 as r_fee
        from invoice i join invoice_amount a on a.invoice_number = i.number where ${among}
        union all
        select a.invoice_number, a.currency, 0, 0, a.cod, a.delivery_fee
        from invoice i join invoice_order_amount a on a.invoice_number = i.number where ${among}
      ) lines
      group by invoice_number, currency
      having ${sumsDiffer(sql`h_cod`, sql`r_cod`)} or ${sumsDiffer(sql`h_fee`, sql`r_fee`)}
    ) off
    join invoice i on i.number = off.invoice_number
    order by i.number, off.currency`.execute(db);
  return rows.map(({ number, period, vanished_at, currency, ...line }) => ({
    number,
    period,
    vanished_at,
    currency,
    header: sums(line, 'h'),
    rows: sums(line, 'r'),
  }));
}

function sums(line: Omit<Line, 'number' | 'period' | 'vanished_at' | 'currency'>, side: 'h' | 'r') {
  return {
    cod: exactSum(line[`${side}_cod_high`], line[`${side}_cod_low`]),
    delivery_fee: exactSum(line[`${side}_fee_high`], line[`${side}_fee_low`]),
  };
}

/** What the two header checks have in common: per currency, the sum of an invoice's rows against its header. */
export async function lookAtHeaders(context: CheckContext, field: HeaderField): Promise<Looked> {
  const findings = (await headersOff(context)).flatMap((off): Finding[] => {
    const { number, period, vanished_at, currency } = off;
    if (off.header[field] === off.rows[field]) return [];
    const [expected, actual] = [amountOfUnits(off.rows[field]), amountOfUnits(off.header[field])];
    const difference = actual.minus(expected);
    return [
      finding({
        period,
        invoice_number: number,
        currency,
        field,
        ...amounts(expected, actual),
        effect: vanished_at === null ? effectOf(field, difference) : null,
        message: `Invoice ${number} states a ${FIELD_NAMES[field]} of ${say(actual, currency)}, ${sayOff(difference, currency)} than the ${say(expected, currency)} of its rows: ask the delivery company to correct the header, or the row that is wrong.`,
      }),
    ];
  });
  return { findings, compared: (await population(context)).invoices, notComparable: [] };
}
