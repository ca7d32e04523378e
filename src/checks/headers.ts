import { type RawBuilder, sql } from 'kysely';
import { exactSum, halves, sumIsNotZero } from '../ledger/exact-sum.ts';
import { isOneOf } from '../ledger/sql.ts';
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
  Record<'cod' | 'delivery_fee', string> &
  Record<`${'cod' | 'fee'}_${'high' | 'low'}`, string | null>;

/** The invoices and currencies whose header is not the sum of its rows, in COD or fee. */
function headersOff(context: CheckContext): Promise<readonly HeaderOff[]> {
  return context.memo.once('headers-off', async () => {
    const off: HeaderOff[] = [];
    for (const page of await invoicePages(context)) off.push(...(await headersOffAmong(context, page)));
    return off;
  });
}

async function headersOffAmong({ db }: CheckContext, invoices: readonly number[]): Promise<HeaderOff[]> {
  const among = isOneOf('invoice_number', invoices);
  const ofRows = (half: RawBuilder<unknown>) =>
    sql`(select cast(sum(${half}) as text) from invoice_order_amount a
      where a.invoice_number = off.invoice_number and a.currency = off.currency)`;
  const [cod, fee] = [halves(sql`a.cod`), halves(sql`a.delivery_fee`)];
  // Few headers are off: only theirs and their rows' are summed one beside the other.
  const { rows } = await sql<Line>`
    select i.number, i.period, i.vanished_at, off.currency,
      cast(coalesce(h.cod, 0) as text) as cod, cast(coalesce(h.delivery_fee, 0) as text) as delivery_fee,
      ${ofRows(cod.high)} as cod_high, ${ofRows(cod.low)} as cod_low, ${ofRows(fee.high)} as fee_high, ${ofRows(fee.low)} as fee_low
    from (
      select invoice_number, currency
      from (
        select invoice_number, currency, cod, delivery_fee from invoice_order_amount where ${among}
        union all
        select invoice_number, currency, -cod, -delivery_fee from invoice_amount where ${among}
      ) lines
      group by invoice_number, currency
      having ${sumIsNotZero(sql`cod`)} or ${sumIsNotZero(sql`delivery_fee`)}
    ) off
    join invoice i on i.number = off.invoice_number
    left join invoice_amount h on h.invoice_number = off.invoice_number and h.currency = off.currency
    order by i.number, off.currency`.execute(db);
  return rows.map(({ number, period, vanished_at, currency, ...line }) => ({
    number,
    period,
    vanished_at,
    currency,
    header: { cod: BigInt(line.cod), delivery_fee: BigInt(line.delivery_fee) },
    rows: { cod: exactSum(line.cod_high, line.cod_low), delivery_fee: exactSum(line.fee_high, line.fee_low) },
  }));
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
